#include <algorithm>
#include <numeric>
#include <utility>

#include <perslay/network/convolved.h>
#include <perslay/network/dense.h>

namespace perslay::network {
namespace {

/// Calls use(segment, columns of a row before the convolutions, and after them) for all segments.
template <class Before, class After, class Use>
void each_segment(const std::vector<Segment>& segments, std::span<Before> before, std::span<After> after,
                  Use&& use) {
  std::size_t in = 0, out = 0;
  for (const auto& segment : segments) {
    use(segment, before.subspan(in, segment.width), after.subspan(out, segment.outputs()));
    in += segment.width;
    out += segment.outputs();
  }
}

/// Of each filter the sum over its map.
template <class T>
T map_sum(const Convolution& convolution, std::span<const T> maps, std::size_t filter) {
  const auto map = maps.subspan(filter * convolution.map_size(), convolution.map_size());
  return std::accumulate(map.begin(), map.end(), T{0});
}

/// The convolutions' own gradients are added up over rows.
template <class T>
void clear(const std::vector<Segment>& segments, std::span<T> gradient) {
  for (const auto& segment : segments) {
    std::ranges::fill(segment.filters.of(gradient), T{0});
    std::ranges::fill(segment.bias.of(gradient), T{0});
  }
}

template <class T>
void add_to_map(const Convolution& convolution, std::span<T> maps, std::size_t filter, T number) {
  for (T& entry : maps.subspan(filter * convolution.map_size(), convolution.map_size())) entry += number;
}

}  // namespace

template <class T>
void Convolved<T>::forward(const Numbers<T>& numbers, const Rows<T>& in, Rows<T>& out,
                           std::vector<T>& /*memory*/, const Pass& /*pass*/) const {
  std::size_t width = 0;
  for (const auto& segment : segments_) width += segment.outputs();
  out.resize(in.count, width);
  std::ranges::fill(out.values, T{0});
  for (std::size_t i = 0; i < in.count; ++i)
    each_segment(segments_, in.row(i), out.row(i),
                 [&](const Segment& segment, std::span<const T> image, std::span<T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(image, maps.begin()));
                   segment.convolution->template apply<T>(segment.filters.of(numbers.trained), image, maps);
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     add_to_map(*segment.convolution, maps, f, segment.bias.of(numbers.trained)[f]);
                 });
}

template <class T>
void Convolved<T>::backward(const Numbers<T>& numbers, const Rows<T>& in, const Rows<T>& /*out*/,
                            std::vector<T>& /*memory*/, const Rows<T>& out_gradient, std::span<T> gradient,
                            Rows<T>* in_gradient, const Pass& /*pass*/) const {
  clear(segments_, gradient);
  for (std::size_t i = 0; i < in.count; ++i)
    each_segment(segments_, in.row(i), out_gradient.row(i),
                 [&](const Segment& segment, std::span<const T> image, std::span<const T> maps) {
                   if (!segment.convolution) return;
                   segment.convolution->correlate(maps, image, segment.filters.of(gradient));
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     segment.bias.of(gradient)[f] += map_sum(*segment.convolution, maps, f);
                 });
  if (in_gradient == nullptr) return;
  in_gradient->resize(in.count, in.width);
  std::ranges::fill(in_gradient->values, T{0});
  for (std::size_t i = 0; i < in.count; ++i)
    each_segment(segments_, in_gradient->row(i), out_gradient.row(i),
                 [&](const Segment& segment, std::span<T> image, std::span<const T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(maps, image.begin()));
                   segment.convolution->transpose(segment.filters.of(numbers.trained), maps, image);
                 });
}

template <class T>
FoldedDense<T>::FoldedDense(std::vector<Segment> segments, std::size_t outputs, Slot weight, Slot bias)
    : segments_(std::move(segments)), outputs_(outputs), weight_(weight), bias_(bias) {
  for (const auto& segment : segments_) {
    images_ += segment.width;
    maps_ += segment.outputs();
  }
}

// memory: the folded weights [outputs, images_], the folded bias [outputs].
template <class T>
void FoldedDense<T>::forward(const Numbers<T>& numbers, const Rows<T>& in, Rows<T>& out,
                             std::vector<T>& memory, const Pass& /*pass*/) const {
  memory.assign(outputs_ * (images_ + 1), T{0});
  const auto folded = std::span(memory).first(outputs_ * images_);
  const auto bias = std::span(memory).last(outputs_);
  std::ranges::copy(bias_.of(numbers.trained), bias.begin());
  for (std::size_t unit = 0; unit < outputs_; ++unit)
    each_segment(segments_, folded.subspan(unit * images_, images_),
                 weight_.of(numbers.trained).subspan(unit * maps_, maps_),
                 [&](const Segment& segment, std::span<T> image, std::span<const T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(maps, image.begin()));
                   segment.convolution->transpose(segment.filters.of(numbers.trained), maps, image);
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     bias[unit] +=
                         segment.bias.of(numbers.trained)[f] * map_sum(*segment.convolution, maps, f);
                 });
  dense_forward(in, folded.data(), bias.data(), outputs_, out);
}

template <class T>
void FoldedDense<T>::backward(const Numbers<T>& numbers, const Rows<T>& in, const Rows<T>& /*out*/,
                              std::vector<T>& memory, const Rows<T>& out_gradient, std::span<T> gradient,
                              Rows<T>* in_gradient, const Pass& /*pass*/) const {
  const std::size_t folded = outputs_ * images_;
  memory.resize(2 * folded + outputs_);
  T* const by_folded = memory.data() + folded + outputs_;
  dense_backward(in, memory.data(), out_gradient, by_folded, bias_.of(gradient).data(), in_gradient);

  clear(segments_, gradient);
  std::ranges::fill(weight_.of(gradient), T{0});
  for (std::size_t unit = 0; unit < outputs_; ++unit) {
    const T by_bias = bias_.of(gradient)[unit];
    const std::span<const T> by_images(by_folded + unit * images_, images_);
    const auto row = weight_.of(numbers.trained).subspan(unit * maps_, maps_);
    each_segment(segments_, by_images, weight_.of(gradient).subspan(unit * maps_, maps_),
                 [&](const Segment& segment, std::span<const T> image, std::span<T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(image, maps.begin()));
                   segment.convolution->template apply<T>(segment.filters.of(numbers.trained), image, maps);
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     add_to_map(*segment.convolution, maps, f, by_bias * segment.bias.of(numbers.trained)[f]);
                 });
    each_segment(segments_, by_images, row,
                 [&](const Segment& segment, std::span<const T> image, std::span<const T> maps) {
                   if (!segment.convolution) return;
                   segment.convolution->correlate(maps, image, segment.filters.of(gradient));
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     segment.bias.of(gradient)[f] += by_bias * map_sum(*segment.convolution, maps, f);
                 });
  }
}

template class Convolved<float>;
template class Convolved<double>;
template class FoldedDense<float>;
template class FoldedDense<double>;

}  // namespace perslay::network
