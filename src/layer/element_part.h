#pragma once

#include "aligned.h"
#include "element_kernels.h"
#include "point_transform_table.h"

namespace perslay::layer {

/// A transformation that is a single structure element. Its parameters are spread out: each feature has a theta
/// of its own.
template <class T>
class ElementPart {
 public:
  /// `arrays` are those of transform.parameters(). A grid becomes the list of its centres. The second
  /// constructor reads points in `coordinates` instead of those of the transformation.
  ElementPart(const PointTransform& transform, Arrays<const T> arrays);
  ElementPart(const PointTransform& transform, Arrays<const T> arrays, Coordinates coordinates);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] std::size_t theta_size() const noexcept { return parameter_count(transform_.type) * stride_; }

  void to_coordinates(std::span<const T> points, const CoordinateArrays<T>& out) const {
    layer::to_coordinates(coordinates_, nu_, points, out);
  }
  void pull_back(std::span<const T> points, const CoordinateArrays<T>& by, T* gradient) const {
    layer::pull_back(coordinates_, nu_, points, by, gradient);
  }
  [[nodiscard]] ElementInput<T> input(const CoordinateArrays<T>& at) const {
    return {transform_.type, at, theta_view_, stride_};
  }

  /// Turns the gradient with respect to theta into those with respect to the parameters. Skips empty ones.
  void collect(std::span<const T> theta_gradient, Arrays<T> gradients) const;

 private:
  /// Calls visit(array, place in it, place in theta) for all of theta.
  template <class Visit>
  void for_each_theta(const Visit& visit) const;

  PointTransform transform_;
  std::span<const PhiArray> arrays_;
  Coordinates coordinates_ = Coordinates::birth_death;
  T nu_ = 0;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  AlignedBuffer<T> theta_;
  const T* theta_view_ = nullptr;
};

}  // namespace perslay::layer
