#include <algorithm>
#include <numeric>
#include <utility>

#include <perslay/base/chunks.h>
#include <perslay/network/point_convolution.h>

namespace perslay::network {
namespace {

/// Memory for gradients that are added to others.
template <class T>
class More {
 public:
  explicit More(layer::Arrays<T> arrays) {
    for (const auto array : arrays) views_.emplace_back(memory_.emplace_back(array.size()));
  }

  [[nodiscard]] layer::Arrays<T> arrays() const noexcept { return views_; }

  void add_to(layer::Arrays<T> arrays) const {
    for (std::size_t i = 0; i < arrays.size(); ++i) add(views_[i], arrays[i]);
  }

  static void add(std::span<const T> from, std::span<T> to) {
    std::ranges::transform(from, to, to.begin(), std::plus{});
  }

 private:
  std::vector<std::vector<T>> memory_{};
  std::vector<std::span<T>> views_{};
};

/// Some diagrams of a batch.
template <class T>
struct SomeDiagrams {
  std::size_t first = 0, count = 0;
  std::span<const T> points{};
  std::vector<std::int64_t> offsets{};

  [[nodiscard]] layer::Batch<T> batch() const { return {points, offsets}; }
};

/// Runs of diagrams whose points have room at a time; a diagram with more of them is a run of its own.
template <class T>
std::vector<SomeDiagrams<T>> runs_of(const layer::Batch<T>& batch, const Convolution& convolution) {
  const std::size_t most = numbers_at_once / std::max(convolution.maps_size(), convolution.image_size());
  std::vector<SomeDiagrams<T>> runs;
  for (std::size_t first = 0; first < batch.size();) {
    const auto begin = batch.offsets[first];
    std::size_t end = first + 1;
    while (end < batch.size() && static_cast<std::size_t>(batch.offsets[end + 1] - begin) <= most) ++end;
    auto& some = runs.emplace_back(SomeDiagrams<T>{first, end - first});
    for (std::size_t i = first; i <= end; ++i) some.offsets.push_back(batch.offsets[i] - begin);
    some.points = batch.points.subspan(2 * static_cast<std::size_t>(begin),
                                       2 * static_cast<std::size_t>(some.offsets.back()));
    first = end;
  }
  return runs;
}

}  // namespace

template <class T>
PointConvolution<T>::PointConvolution(const layer::Channel& channel, const Convolution& convolution)
    : channel_(channel), weights_(channel), choice_(), convolution_(convolution) {
  weights_.phi = {.type = layer::PointTransform::Type::given, .count = 1};
  weights_.equivariant.clear();
  choice_.phi = {.type = layer::PointTransform::Type::given, .count = convolution.maps_size()};
  choice_.op = channel.op;
}

// The arrays of the weight are the last of the channel's.
template <class T>
typename PointConvolution<T>::Rows PointConvolution<T>::rows_of(const base::Context& context,
                                                                const layer::Batch<T>& batch,
                                                                const Numbers& numbers) const {
  const std::size_t points = batch.points.size() / 2;
  const bool each_point = channel_.op.selects();
  const std::vector<T> ones(points, T{1});
  const layer::Batch<T> with_ones{batch.points, batch.offsets, ones};
  const auto weight = numbers.channel.last(weights_.parameters().size());
  Rows rows;
  rows.weights.resize(each_point ? points : batch.size());
  rows.images.resize(rows.weights.size() * convolution_.image_size());
  if (each_point) {
    layer::weighted_features<T>(context, channel_, batch, numbers.channel, rows.images);
    layer::weighted_features<T>(context, weights_, with_ones, weight, rows.weights);
  } else {
    layer::forward<T>(context, channel_, batch, numbers.channel, rows.images, &rows.selection);
    layer::forward<T>(context, weights_, with_ones, weight, rows.weights);
  }
  return rows;
}

template <class T>
void PointConvolution<T>::maps(const base::Context& context, const Rows& rows, const Numbers& numbers,
                               std::span<T> out, std::size_t stride) const {
  const std::size_t size = convolution_.image_size(), map = convolution_.map_size();
  base::for_chunks(
      context, "convolution", rows.weights.size(),
      [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
          const auto row = out.subspan(i * stride, convolution_.maps_size());
          for (std::size_t f = 0; f < convolution_.filters; ++f)
            std::ranges::fill(row.subspan(f * map, map), numbers.bias[f] * rows.weights[i]);
          convolution_.template apply<T>(numbers.filters, std::span(rows.images).subspan(i * size, size),
                                         row);
        }
      },
      rows_of_sum);
}

template <class T>
void PointConvolution<T>::forward(const base::Context& context, const layer::Batch<T>& batch,
                                  const Numbers& numbers, std::span<T> out, std::size_t stride,
                                  std::vector<std::int32_t>& selection) const {
  selection.clear();
  if (!channel_.op.selects()) return maps(context, rows_of(context, batch, numbers), numbers, out, stride);
  const std::size_t size = convolution_.maps_size();
  for (const auto& some : runs_of(batch, convolution_)) {
    std::vector<T> features(some.points.size() / 2 * size);
    maps(context, rows_of(context, some.batch(), numbers), numbers, features, size);
    std::vector<std::int32_t> chosen;
    layer::forward<T>(context, choice_, {some.points, some.offsets, features}, {},
                      out.subspan(some.first * stride, (some.count - 1) * stride + this->size()), &chosen,
                      stride);
    selection.insert(selection.end(), chosen.begin(), chosen.end());
  }
}

/// From rows.by_maps [row][filter][place], adds to the gradients.
template <class T>
void PointConvolution<T>::backward_rows(const base::Context& context, const layer::Batch<T>& batch,
                                        const Numbers& numbers, Rows& rows, const Gradients& gradients,
                                        std::span<T> by_points) const {
  const std::size_t count = rows.weights.size(), size = convolution_.image_size(),
                    map = convolution_.map_size();
  const std::size_t chunks = (count + rows_of_sum - 1) / rows_of_sum, filters = gradients.filters.size();
  const std::size_t own = filters + gradients.bias.size();
  std::vector<T> by_images(count * size), by_weights(count), sums(chunks * own);
  base::parallel_for(context, "convolution", chunks, [&](std::size_t chunk) {
    const auto by_own = std::span(sums).subspan(chunk * own, own);
    for (std::size_t i = chunk * rows_of_sum; i < std::min(count, (chunk + 1) * rows_of_sum); ++i) {
      const auto by_row =
          std::span<const T>(rows.by_maps).subspan(i * convolution_.maps_size(), convolution_.maps_size());
      if (std::ranges::all_of(by_row, [](T x) { return x == 0; })) continue;
      const auto image = std::span<const T>(rows.images).subspan(i * size, size);
      convolution_.transpose(numbers.filters, by_row, std::span(by_images).subspan(i * size, size));
      convolution_.correlate(by_row, image, by_own.first(filters));
      for (std::size_t f = 0; f < convolution_.filters; ++f) {
        const auto by_map = by_row.subspan(f * map, map);
        const T sum = std::accumulate(by_map.begin(), by_map.end(), T{0});
        by_own[filters + f] += sum * rows.weights[i];
        by_weights[i] += sum * numbers.bias[f];
      }
    }
  });
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const auto by_own = std::span<const T>(sums).subspan(chunk * own, own);
    More<T>::add(by_own.first(filters), gradients.filters);
    More<T>::add(by_own.subspan(filters), gradients.bias);
  }

  const auto add = [&](const layer::Channel& channel, const layer::Batch<T>& read,
                       layer::Arrays<const T> arrays, std::span<const T> by_features,
                       std::span<const std::int32_t> selection, layer::Arrays<T> to) {
    const More<T> by_arrays(to);
    std::vector<T> by_read(by_points.size());
    if (channel_.op.selects())
      layer::weighted_features_backward<T>(context, channel, read, arrays, by_features, by_arrays.arrays(),
                                           {.points = by_read});
    else
      layer::backward<T>(context, channel, read, arrays, selection, by_features, by_arrays.arrays(),
                         {.points = by_read});
    by_arrays.add_to(to);
    More<T>::add(by_read, by_points);
  };
  const std::vector<T> ones(batch.points.size() / 2, T{1});
  const auto of_weight = weights_.parameters().size();
  add(channel_, batch, numbers.channel, by_images, rows.selection, gradients.channel);
  add(weights_, {batch.points, batch.offsets, ones}, numbers.channel.last(of_weight), by_weights, {},
      gradients.channel.last(of_weight));
}

template <class T>
void PointConvolution<T>::backward(const base::Context& context, const layer::Batch<T>& batch,
                                   const Numbers& numbers, std::span<const T> out_gradient,
                                   std::size_t stride, std::span<const std::int32_t> selection,
                                   const Gradients& gradients, std::span<T> by_points) const {
  for (const auto array : gradients.channel) std::ranges::fill(array, T{0});
  std::ranges::fill(gradients.filters, T{0});
  std::ranges::fill(gradients.bias, T{0});
  std::ranges::fill(by_points, T{0});
  const std::size_t maps = convolution_.maps_size(), width = channel_.op.width();
  if (!channel_.op.selects()) {
    auto rows = rows_of(context, batch, numbers);
    for (std::size_t i = 0; i < batch.size(); ++i)
      std::ranges::copy(out_gradient.subspan(i * stride, maps), std::back_inserter(rows.by_maps));
    return backward_rows(context, batch, numbers, rows, gradients, by_points);
  }
  for (const auto& some : runs_of(batch, convolution_)) {
    auto rows = rows_of(context, some.batch(), numbers);
    rows.by_maps.resize(rows.weights.size() * maps);
    for (std::size_t i = 0; i < some.count; ++i)
      for (std::size_t place = 0; place < size(); ++place) {
        const auto chosen = selection[(some.first + i) * size() + place];
        if (chosen < 0) continue;
        const auto point = static_cast<std::size_t>(some.offsets[i] + chosen);
        rows.by_maps[point * maps + place / width] += out_gradient[(some.first + i) * stride + place];
      }
    const auto first = static_cast<std::size_t>(batch.offsets[some.first]);
    backward_rows(context, some.batch(), numbers, rows, gradients,
                  by_points.empty() ? by_points : by_points.subspan(2 * first, some.points.size()));
  }
}

template class PointConvolution<float>;
template class PointConvolution<double>;

}  // namespace perslay::network
