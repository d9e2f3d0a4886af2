#include "blocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <perslay/network/convolved.h>

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

/// The sum over the map of each filter.
template <class T>
T map_sum(const Convolution& convolution, std::span<const T> maps, std::size_t filter) {
  const auto map = maps.subspan(filter * convolution.map_size(), convolution.map_size());
  return std::accumulate(map.begin(), map.end(), T{0});
}

/// Adds up the convolutions' own gradients over rows.
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
void Convolved<T>::forward(const Step<T>& step) const {
  std::size_t width = 0;
  for (const auto& segment : segments_) width += segment.outputs();
  step.out.resize(step.in.count, width);
  std::ranges::fill(step.out.values, T{0});
  for (std::size_t i = 0; i < step.in.count; ++i)
    each_segment(segments_, step.in.row(i), step.out.row(i),
                 [&](const Segment& segment, std::span<const T> image, std::span<T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(image, maps.begin()));
                   segment.convolution->template apply<T>(segment.filters.of(step.numbers.trained), image,
                                                          maps);
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     add_to_map(*segment.convolution, maps, f, segment.bias.of(step.numbers.trained)[f]);
                 });
}

template <class T>
void Convolved<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  clear(segments_, slopes.by_trained);
  for (std::size_t i = 0; i < step.in.count; ++i)
    each_segment(segments_, step.in.row(i), slopes.by_out.row(i),
                 [&](const Segment& segment, std::span<const T> image, std::span<const T> maps) {
                   if (!segment.convolution) return;
                   segment.convolution->correlate(maps, image, segment.filters.of(slopes.by_trained));
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     segment.bias.of(slopes.by_trained)[f] += map_sum(*segment.convolution, maps, f);
                 });
  if (slopes.by_in == nullptr) return;
  slopes.by_in->resize(step.in.count, step.in.width);
  std::ranges::fill(slopes.by_in->values, T{0});
  for (std::size_t i = 0; i < step.in.count; ++i)
    each_segment(segments_, slopes.by_in->row(i), slopes.by_out.row(i),
                 [&](const Segment& segment, std::span<T> image, std::span<const T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(maps, image.begin()));
                   segment.convolution->transpose(segment.filters.of(step.numbers.trained), maps, image);
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
void FoldedDense<T>::forward(const Step<T>& step) const {
  step.memory.assign(outputs_ * (images_ + 1), T{0});
  const auto folded = std::span(step.memory).first(outputs_ * images_);
  const auto bias = std::span(step.memory).last(outputs_);
  std::ranges::copy(bias_.of(step.numbers.trained), bias.begin());
  for (std::size_t unit = 0; unit < outputs_; ++unit)
    each_segment(segments_, folded.subspan(unit * images_, images_),
                 weight_.of(step.numbers.trained).subspan(unit * maps_, maps_),
                 [&](const Segment& segment, std::span<T> image, std::span<const T> maps) {
                   if (!segment.convolution) return void(std::ranges::copy(maps, image.begin()));
                   segment.convolution->transpose(segment.filters.of(step.numbers.trained), maps, image);
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     bias[unit] +=
                         segment.bias.of(step.numbers.trained)[f] * map_sum(*segment.convolution, maps, f);
                 });
  dense_forward(step.in, folded.data(), bias.data(), outputs_, step.out);
}

template <class T>
void FoldedDense<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  const std::size_t folded = outputs_ * images_;
  step.memory.resize(2 * folded + outputs_);
  T* const by_folded = step.memory.data() + folded + outputs_;
  dense_backward(step.in, step.memory.data(), slopes.by_out, by_folded, bias_.of(slopes.by_trained).data(),
                 slopes.by_in);

  clear(segments_, slopes.by_trained);
  std::ranges::fill(weight_.of(slopes.by_trained), T{0});
  for (std::size_t unit = 0; unit < outputs_; ++unit) {
    const T by_bias = bias_.of(slopes.by_trained)[unit];
    const std::span<const T> by_images(by_folded + unit * images_, images_);
    const auto row = weight_.of(step.numbers.trained).subspan(unit * maps_, maps_);
    each_segment(
        segments_, by_images, weight_.of(slopes.by_trained).subspan(unit * maps_, maps_),
        [&](const Segment& segment, std::span<const T> image, std::span<T> maps) {
          if (!segment.convolution) return void(std::ranges::copy(image, maps.begin()));
          segment.convolution->template apply<T>(segment.filters.of(step.numbers.trained), image, maps);
          for (std::size_t f = 0; f < segment.bias.size; ++f)
            add_to_map(*segment.convolution, maps, f, by_bias * segment.bias.of(step.numbers.trained)[f]);
        });
    each_segment(segments_, by_images, row,
                 [&](const Segment& segment, std::span<const T> image, std::span<const T> maps) {
                   if (!segment.convolution) return;
                   segment.convolution->correlate(maps, image, segment.filters.of(slopes.by_trained));
                   for (std::size_t f = 0; f < segment.bias.size; ++f)
                     segment.bias.of(slopes.by_trained)[f] +=
                         by_bias * map_sum(*segment.convolution, maps, f);
                 });
  }
}

template class Convolved<float>;
template class Convolved<double>;
template class FoldedDense<float>;
template class FoldedDense<double>;

}  // namespace perslay::network
