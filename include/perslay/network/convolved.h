#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <perslay/network/block.h>
#include <perslay/network/convolution.h>
#include <perslay/network/layout.h>

namespace perslay::network {

/// Neighbouring columns of the channels' output. An image with a convolution becomes its maps, each with its
/// filter's bias; other columns stay.
struct Segment {
  std::size_t width = 0;  ///< Columns of the input.
  std::optional<Convolution> convolution{};
  Slot filters{}, bias{};  ///< Of the convolution: [filters, planes, size, size], [filters].

  [[nodiscard]] std::size_t outputs() const noexcept {
    return convolution ? convolution->maps_size() : width;
  }
};

/// The convolutions of all segments, side by side.
template <class T>
class Convolved : public Block<T> {
 public:
  explicit Convolved(std::vector<Segment> segments) : segments_(std::move(segments)) {}

  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;

 private:
  std::vector<Segment> segments_;
};

/// A dense layer over the output of Convolved, with the convolutions multiplied into its weights: a dense layer
/// over the images themselves. The numbers are the same up to rounding, for a fraction of the work, because the
/// cost of multiplying the weights does not depend on the number of items.
template <class T>
class FoldedDense : public Block<T> {
 public:
  /// `weight` [outputs, sum of the segments' outputs], `bias` [outputs].
  FoldedDense(std::vector<Segment> segments, std::size_t outputs, Slot weight, Slot bias);

  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;

 private:
  std::vector<Segment> segments_;
  std::size_t outputs_;
  Slot weight_, bias_;
  std::size_t images_ = 0;  // numbers of an item before the convolutions
  std::size_t maps_ = 0;    // numbers of an item after them
};

extern template class Convolved<float>;
extern template class Convolved<double>;
extern template class FoldedDense<float>;
extern template class FoldedDense<double>;

}  // namespace perslay::network
