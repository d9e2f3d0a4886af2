#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/layer/own_operation.h>

namespace perslay::layer {
namespace {

/// The weighted features that the operation reduces.
template <class T>
std::vector<T> features_of(const base::Context& context, const Channel& channel,
                           const OwnOperation<T>& operation, const Batch<T>& batch,
                           Arrays<const T> parameters, std::size_t out_size) {
  if (operation.size == 0) throw base::user_error("PersLay: an op of your own needs its size, from 1 on.");
  if (batch.offsets.empty()) throw base::user_error("PersLay: offsets must begin with 0.");
  if (out_size != batch.size() * operation.size)
    throw base::user_error(
        fmt::format("PersLay: the output has {} numbers, not {}.", out_size, batch.size() * operation.size));
  std::vector<T> features(batch.points.size() / 2 * channel.features());
  weighted_features<T>(context, channel, batch, parameters, features);
  return features;
}

/// Rows of points in another order.
template <class T>
std::vector<T> reordered(std::span<const T> rows, std::span<const std::int64_t> order) {
  const std::size_t width = order.empty() ? 0 : rows.size() / order.size();
  if (rows.size() != width * order.size())
    throw base::user_error(
        fmt::format("PersLay: {} points cannot have {} numbers, as many each.", order.size(), rows.size()));
  std::vector<T> moved;
  moved.reserve(rows.size());
  for (const std::int64_t p : order) {
    const auto row = rows.subspan(static_cast<std::size_t>(p) * width, width);
    moved.insert(moved.end(), row.begin(), row.end());
  }
  return moved;
}

double change(double before, double after) {
  if (before == after || (std::isnan(before) && std::isnan(after))) return 0;
  const double difference = std::abs(after - before);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

}  // namespace

template <class T>
void forward(const base::Context& context, const Channel& channel, const OwnOperation<T>& operation,
             const Batch<T>& batch, Arrays<const T> parameters, std::span<T> out) {
  if (!operation.forward) throw base::user_error("PersLay: an op of your own needs a function `forward`.");
  const auto features = features_of(context, channel, operation, batch, parameters, out.size());
  std::ranges::fill(out, T{0});
  operation.forward(features, channel.features(), batch.offsets, out);
}

template <class T>
void backward(const base::Context& context, const Channel& channel, const OwnOperation<T>& operation,
              const Batch<T>& batch, Arrays<const T> parameters, std::span<const T> out_gradient,
              Arrays<T> parameter_gradients, const BatchGradient<T>& batch_gradient) {
  if (!operation.backward)
    throw base::user_error("PersLay: the gradients of an op of your own need its function `backward`.");
  const auto features = features_of(context, channel, operation, batch, parameters, out_gradient.size());
  std::vector<T> gradient(features.size());
  operation.backward(features, channel.features(), batch.offsets, out_gradient, gradient);
  weighted_features_backward<T>(context, channel, batch, parameters, gradient, parameter_gradients,
                                batch_gradient);
}

double order_dependence(std::span<const std::int64_t> offsets,
                        const std::function<std::vector<double>(std::span<const std::int64_t> order)>& result,
                        int trials, std::uint64_t seed) {
  if (trials < 1) throw base::user_error("The order of points needs at least one trial.");
  if (offsets.empty() || offsets[0] != 0 || !std::ranges::is_sorted(offsets))
    throw base::user_error("PersLay: offsets must begin with 0 and ascend.");
  std::vector<std::int64_t> order(static_cast<std::size_t>(offsets.back()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto first = result(order);
  base::RandomStream random(seed);
  double largest = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
      for (std::size_t p = end; p > begin + 1; --p)
        std::swap(order[p - 1], order[begin + random.below(p - begin)]);
    }
    const auto other = result(order);
    if (other.size() != first.size()) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < first.size(); ++i) largest = std::max(largest, change(first[i], other[i]));
  }
  return largest;
}

template <class T>
double order_dependence(const std::type_identity_t<std::function<std::vector<T>(const Batch<T>&)>>& layer,
                        const Batch<T>& batch, int trials, std::uint64_t seed) {
  const auto result = [&](std::span<const std::int64_t> order) {
    const auto points = reordered(batch.points, order), features = reordered(batch.features, order);
    const auto weights = reordered(batch.weights, order);
    const auto out = layer({points, batch.offsets, features, weights});
    return std::vector<double>(out.begin(), out.end());
  };
  return order_dependence(batch.offsets, result, trials, seed);
}

template void forward(const base::Context&, const Channel&, const OwnOperation<float>&, const Batch<float>&,
                      Arrays<const float>, std::span<float>);
template void forward(const base::Context&, const Channel&, const OwnOperation<double>&, const Batch<double>&,
                      Arrays<const double>, std::span<double>);
template void backward(const base::Context&, const Channel&, const OwnOperation<float>&, const Batch<float>&,
                       Arrays<const float>, std::span<const float>, Arrays<float>,
                       const BatchGradient<float>&);
template void backward(const base::Context&, const Channel&, const OwnOperation<double>&,
                       const Batch<double>&, Arrays<const double>, std::span<const double>, Arrays<double>,
                       const BatchGradient<double>&);
template double order_dependence<float>(const std::function<std::vector<float>(const Batch<float>&)>&,
                                        const Batch<float>&, int, std::uint64_t);
template double order_dependence<double>(const std::function<std::vector<double>(const Batch<double>&)>&,
                                         const Batch<double>&, int, std::uint64_t);

}  // namespace perslay::layer
