#pragma once

#include "aligned.h"
#include "coordinates.h"
#include "element_kernels.h"

#include <perslay/layer/point_transform.h>

namespace perslay::layer {

/// A transformation that is a single structure element: its parameters spread out, one theta per feature.
template <class T>
class ElementPart {
 public:
  /// `arrays` are those of transform.parameters(). A grid becomes the list of its centres. The second form
  /// reads points in other coordinates than the family does.
  ElementPart(const PointTransform& transform, Arrays<const T> arrays);
  ElementPart(const PointTransform& transform, Arrays<const T> arrays, Coordinates coordinates);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] std::size_t theta_size() const noexcept { return parameter_count(element_) * stride_; }

  void to_coordinates(std::span<const T> points, const CoordinateArrays<T>& out) const {
    layer::to_coordinates(coordinates_, nu_, points, out);
  }
  void pull_back(std::span<const T> points, const CoordinateArrays<const T>& by, T* gradient) const {
    layer::pull_back(coordinates_, nu_, points, by, gradient);
  }
  [[nodiscard]] ElementInput<T> input(const CoordinateArrays<T>& at, std::size_t first) const {
    return {element_, at.u + first, at.v + first, at.amplitude + first, theta_view_, stride_};
  }

  /// From the gradient by theta to those by the parameters; empty ones are left out.
  void collect(std::span<const T> theta_gradient, Arrays<T> gradients) const;

 private:
  PointTransform transform_;
  Element element_ = Element::line;
  Coordinates coordinates_ = Coordinates::birth_death;
  T nu_ = 0;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  AlignedBuffer<T> theta_;
  const T* theta_view_ = nullptr;
};

extern template class ElementPart<float>;
extern template class ElementPart<double>;

}  // namespace perslay::layer
