#include "plan.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <perslay/base/parallel.h>
#include <perslay/layer/perslay.h>

namespace perslay::layer {
namespace {

/// What comes out on a batch: a row for each diagram, or one for each point.
struct Rows {
  std::size_t stride = 0;  ///< Two rows begin that far apart.
  bool every_point = false;

  /// Where the rows of diagram i begin.
  template <class T>
  [[nodiscard]] std::size_t first(const Batch<T>& batch, std::size_t i) const {
    return (every_point ? static_cast<std::size_t>(batch.offsets[i]) : i) * stride;
  }

  template <class T>
  [[nodiscard]] std::size_t size(const Channel& channel, const Batch<T>& batch) const {
    const std::size_t last = first(batch, batch.size());
    return last == 0 ? 0 : last - stride + channel.size();
  }
};

void check_size(std::string_view what, std::size_t size, std::size_t expected) {
  if (size != expected)
    throw base::user_error(fmt::format("PersLay: {} has {} numbers, not {}.", what, size, expected));
}

/// A chosen point is a place within its diagram, or -1 if none was chosen.
template <class T>
void check_selection(const Batch<T>& batch, std::span<const std::int32_t> selection, std::size_t chosen) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto points = batch.offsets[i + 1] - batch.offsets[i];
    for (const auto place : selection.subspan(i * chosen, chosen))
      if (place < -1 || place >= points)
        throw base::user_error(fmt::format(
            "PersLay: the selection has point {} of diagram {}, which has {} points.", place, i, points));
  }
}

template <class T>
void check_batch(const Channel& channel, const Batch<T>& batch) {
  const auto offsets = batch.offsets;
  if (offsets.empty() || offsets[0] != 0) throw base::user_error("PersLay: offsets must begin with 0.");
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1] || offsets[i] - offsets[i - 1] > std::numeric_limits<std::int32_t>::max())
      throw base::user_error(
          fmt::format("PersLay: offset {} is {} after {}.", i, offsets[i], offsets[i - 1]));
  const auto points = static_cast<std::size_t>(offsets.back());
  check_size("points", batch.points.size(), 2 * points);
  if (channel.phi.type == PointTransform::Type::given)
    check_size("features", batch.features.size(), points * channel.phi.size());
  if (channel.weight.type == Weight::Type::given) check_size("weights", batch.weights.size(), points);
}

template <class T>
void check_finite(const Batch<T>& batch) {
  // Looks at the bits, for speed: an exponent of ones means infinite or NaN.
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits bad = 0;
  for (const T x : batch.points) bad |= (std::bit_cast<Bits>(x) & exponent) == exponent ? Bits{1} : Bits{0};
  if (bad == 0) return;
  for (std::size_t i = 0; i < batch.size(); ++i)
    for (auto p = static_cast<std::size_t>(batch.offsets[i]);
         p < static_cast<std::size_t>(batch.offsets[i + 1]); ++p)
      if (!std::isfinite(batch.points[2 * p]) || !std::isfinite(batch.points[2 * p + 1]))
        throw base::user_error(fmt::format(
            "PersLay: point {} of diagram {} is ({}, {}); drop or clip points that are not finite.",
            p - static_cast<std::size_t>(batch.offsets[i]), i, batch.points[2 * p], batch.points[2 * p + 1]));
}

/// A mixture adds its parts feature by feature.
void check_mixture(const PointTransform& phi) {
  for (const PointTransform& part : phi.parts) {
    if (part.type == PointTransform::Type::given || part.type == PointTransform::Type::mixture)
      throw base::user_error(
          "PersLay: the parts of a mixture are point transformations with a formula of their own.");
    if (part.size() != phi.parts[0].size())
      throw base::user_error(fmt::format(
          "PersLay: the parts of a mixture must have the same size, but {} has {} features and {} has {}.",
          phi.parts[0].name(), phi.parts[0].size(), part.name(), part.size()));
  }
}

/// Refuses what a structure can hold but no name can say.
template <class T>
void check_parts(const Channel& channel) {
  if (channel.op.k == 0)
    throw base::user_error("PersLay: there is no 0-th largest; the operation's k begins at 1.");
  const Weight& weight = channel.weight;
  if (weight.type != Weight::Type::grid) return;
  const T length = static_cast<T>(weight.high) - static_cast<T>(weight.low);
  const T most = static_cast<T>(std::max(weight.births, weight.deaths));
  if (std::min(weight.births, weight.deaths) == 0 || !(length > 0) || !std::isfinite(length) ||
      !std::isfinite(most / length))
    throw base::user_error(
        fmt::format("PersLay: a grid of {} x {} cells from {} to {} has no cells of a length above 0.",
                    weight.births, weight.deaths, weight.low, weight.high));
}

template <class T>
void check(const Channel& channel, const Batch<T>& batch, Arrays<const T> parameters, std::size_t out_size,
           const Rows& rows) {
  if (channel.size() == 0)
    throw base::user_error(fmt::format("PersLay: {} has no features.", channel.name()));
  check_mixture(channel.phi);
  check_parts<T>(channel);
  check_batch(channel, batch);
  const auto shapes = channel.parameters();
  if (parameters.size() != shapes.size())
    throw base::user_error(fmt::format("PersLay: {} has {} parameters, not {}.", channel.name(),
                                       shapes.size(), parameters.size()));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    check_size(shapes[i].name, parameters[i].size(), shapes[i].size());
  if (rows.stride < channel.size())
    throw base::user_error(fmt::format("PersLay: rows of {} numbers need a stride of as many, not {}.",
                                       channel.size(), rows.stride));
  check_size("the output", out_size, rows.size(channel, batch));
}

/// The batch cut into runs of whole diagrams with about the same work each. A thread takes one run at a time.
/// Sums over diagrams are sums over runs, so runs do not depend on the number of threads. The smallest run takes
/// longer than waking a thread.
template <class T>
std::vector<std::size_t> runs_of(const Channel& channel, const Batch<T>& batch) {
  constexpr std::size_t worthwhile = std::size_t{1} << 16, most = 64;
  const auto points = static_cast<std::size_t>(batch.offsets.back());
  const std::size_t work = points * channel.features();
  const std::size_t count = std::clamp<std::size_t>(work / worthwhile, 1, most);
  std::vector<std::size_t> begins{0};
  for (std::size_t i = 1; i < batch.size(); ++i)
    if (static_cast<std::size_t>(batch.offsets[i]) * count >= points * begins.size() && begins.size() < count)
      begins.push_back(i);
  begins.push_back(batch.size());
  return begins;
}

template <class T>
DiagramInput<T> diagram_of(const Channel& channel, const Batch<T>& batch, std::size_t i) {
  const auto begin = static_cast<std::size_t>(batch.offsets[i]);
  const auto count = static_cast<std::size_t>(batch.offsets[i + 1]) - begin;
  return {batch.points.subspan(2 * begin, 2 * count),
          batch.features.empty() ? nullptr : batch.features.data() + begin * channel.phi.size(),
          batch.weights.empty() ? nullptr : batch.weights.data() + begin};
}

template <class T>
DiagramGradient<T> gradient_of(const Channel& channel, const Batch<T>& batch,
                               const BatchGradient<T>& gradient, std::size_t i) {
  const auto begin = static_cast<std::size_t>(batch.offsets[i]);
  return {gradient.points.empty() ? nullptr : gradient.points.data() + 2 * begin,
          gradient.features.empty() ? nullptr : gradient.features.data() + begin * channel.phi.size(),
          gradient.weights.empty() ? nullptr : gradient.weights.data() + begin};
}

/// Memory that the thread keeps, because a training step should not allocate.
template <class T>
Workspace<T>& workspace() {
  thread_local Workspace<T> work;
  return work;
}

/// Whoever runs many steps reports progress.
base::Context silent(const base::Context& context) {
  base::Context quiet = context;
  quiet.progress = nullptr;
  return quiet;
}

template <class T>
void run_forward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
                 Arrays<const T> parameters, std::span<T> out, std::vector<std::int32_t>* selection,
                 const Rows& rows) {
  check(channel, batch, parameters, out.size(), rows);
  check_finite(batch);
  const Plan<T> plan(channel, parameters, rows.every_point);
  const std::size_t chosen = plan.selection_size();
  if (selection != nullptr) selection->resize(batch.size() * chosen);
  const auto runs = runs_of(channel, batch);
  base::parallel_for(silent(context), "PersLay", runs.size() - 1, [&](std::size_t run) {
    Workspace<T>& work = workspace<T>();
    for (std::size_t i = runs[run]; i < runs[run + 1]; ++i)
      plan.forward(diagram_of(channel, batch, i), out.data() + rows.first(batch, i),
                   selection != nullptr ? selection->data() + i * chosen : nullptr, work);
  });
}

template <class T>
void run_backward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
                  Arrays<const T> parameters, std::span<const std::int32_t> selection,
                  std::span<const T> out_gradient, Arrays<T> parameter_gradients,
                  const BatchGradient<T>& batch_gradient, const Rows& rows) {
  check(channel, batch, parameters, out_gradient.size(), rows);
  check_size("the list of gradients", parameter_gradients.size(), parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!parameter_gradients[i].empty())
      check_size("a gradient", parameter_gradients[i].size(), parameters[i].size());
  const auto check_gradient = [](std::span<T> gradient, std::size_t size) {
    if (!gradient.empty()) check_size("a gradient", gradient.size(), size);
    std::ranges::fill(gradient, T{0});
  };
  check_gradient(batch_gradient.points, batch.points.size());
  check_gradient(batch_gradient.features, batch.features.size());
  check_gradient(batch_gradient.weights, batch.weights.size());

  const Plan<T> plan(channel, parameters, rows.every_point);
  const std::size_t gradient_size = plan.gradient_size(), chosen = plan.selection_size();
  check_size("the selection", selection.size(), batch.size() * chosen);
  check_selection(batch, selection, chosen);
  const auto runs = runs_of(channel, batch);
  AlignedBuffer<T> memory;
  const auto gradients = memory.take_zeros((runs.size() - 1) * gradient_size);
  base::parallel_for(silent(context), "PersLay", runs.size() - 1, [&](std::size_t run) {
    Workspace<T>& work = workspace<T>();
    for (std::size_t i = runs[run]; i < runs[run + 1]; ++i)
      plan.backward({diagram_of(channel, batch, i), selection.data() + i * chosen,
                     out_gradient.data() + rows.first(batch, i), gradients.data() + run * gradient_size,
                     gradient_of(channel, batch, batch_gradient, i)},
                    work);
  });
  for (std::size_t run = 1; run + 1 < runs.size(); ++run)
    for (std::size_t i = 0; i < gradient_size; ++i) gradients[i] += gradients[run * gradient_size + i];
  plan.collect(gradients.first(gradient_size), parameter_gradients);
}

/// Adds up, because the plan must not select.
Channel without_operation(const Channel& channel) {
  return {channel.phi, channel.equivariant, channel.weight, {}};
}

}  // namespace

template <class T>
void forward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
             Arrays<const T> parameters, std::span<T> out, std::vector<std::int32_t>* selection,
             std::size_t stride) {
  run_forward(context, channel, batch, parameters, out, selection, {stride == 0 ? channel.size() : stride});
}

template <class T>
void backward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
              Arrays<const T> parameters, std::span<const std::int32_t> selection,
              std::span<const T> out_gradient, Arrays<T> parameter_gradients,
              const BatchGradient<T>& batch_gradient, std::size_t stride) {
  run_backward(context, channel, batch, parameters, selection, out_gradient, parameter_gradients,
               batch_gradient, {stride == 0 ? channel.size() : stride});
}

template <class T>
void weighted_features(const base::Context& context, const Channel& channel, const Batch<T>& batch,
                       Arrays<const T> parameters, std::span<T> out) {
  run_forward(context, without_operation(channel), batch, parameters, out, nullptr,
              {channel.features(), true});
}

template <class T>
void weighted_features_backward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
                                Arrays<const T> parameters, std::span<const T> out_gradient,
                                Arrays<T> parameter_gradients, const BatchGradient<T>& batch_gradient) {
  run_backward(context, without_operation(channel), batch, parameters, {}, out_gradient, parameter_gradients,
               batch_gradient, {channel.features(), true});
}

template void forward(const base::Context&, const Channel&, const Batch<float>&, Arrays<const float>,
                      std::span<float>, std::vector<std::int32_t>*, std::size_t);
template void forward(const base::Context&, const Channel&, const Batch<double>&, Arrays<const double>,
                      std::span<double>, std::vector<std::int32_t>*, std::size_t);
template void backward(const base::Context&, const Channel&, const Batch<float>&, Arrays<const float>,
                       std::span<const std::int32_t>, std::span<const float>, Arrays<float>,
                       const BatchGradient<float>&, std::size_t);
template void backward(const base::Context&, const Channel&, const Batch<double>&, Arrays<const double>,
                       std::span<const std::int32_t>, std::span<const double>, Arrays<double>,
                       const BatchGradient<double>&, std::size_t);
template void weighted_features(const base::Context&, const Channel&, const Batch<float>&,
                                Arrays<const float>, std::span<float>);
template void weighted_features(const base::Context&, const Channel&, const Batch<double>&,
                                Arrays<const double>, std::span<double>);
template void weighted_features_backward(const base::Context&, const Channel&, const Batch<float>&,
                                         Arrays<const float>, std::span<const float>, Arrays<float>,
                                         const BatchGradient<float>&);
template void weighted_features_backward(const base::Context&, const Channel&, const Batch<double>&,
                                         Arrays<const double>, std::span<const double>, Arrays<double>,
                                         const BatchGradient<double>&);

}  // namespace perslay::layer
