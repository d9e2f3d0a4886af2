#pragma once

#include "element_part.h"

#include <vector>

namespace perslay::layer {

/// Working memory for the features of one diagram at a time.
template <class T>
struct TransformBuffers {
  AlignedBuffer<T> coordinates, gradients, dot, scale;
};

/// phi with its parameters: one structure element, a convex mixture of several, or features that are given.
/// Immutable and shared by threads; a TransformOnDiagram does the work.
template <class T>
class Transform {
 public:
  Transform(const PointTransform& transform, Arrays<const T> arrays);

  [[nodiscard]] bool given() const noexcept { return parts_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t stride() const noexcept { return padded<T>(size_); }
  [[nodiscard]] std::span<const ElementPart<T>> parts() const noexcept { return parts_; }
  [[nodiscard]] std::span<const T> shares() const noexcept { return shares_; }

  /// What a gradient needs: the thetas of all parts, then the shares of a mixture.
  [[nodiscard]] std::size_t gradient_size() const noexcept;
  [[nodiscard]] std::size_t shares_offset() const noexcept;
  void collect(std::span<const T> gradient, Arrays<T> gradients) const;

 private:
  bool mixture_ = false;
  std::size_t size_ = 0;
  std::vector<ElementPart<T>> parts_;
  std::vector<std::size_t> arrays_per_part_;
  std::vector<T> shares_;  // on the simplex; {1} for a single element
};

/// phi on the points of one diagram.
template <class T>
class TransformOnDiagram {
 public:
  /// `given` are the diagram's features if the transformation's are given; `gradient_wanted` says whether
  /// pull_back() will be called.
  TransformOnDiagram(const Transform<T>& transform, std::span<const T> points, const T* given,
                     bool gradient_wanted, TransformBuffers<T>& buffers);

  /// tile [point][stride]: the features of `count` points from `first` on, padded.
  void evaluate(std::size_t first, std::size_t count, T* tile) const;

  /// As differentiate() of element_kernels.h on at most block_points points. `gradient` has gradient_size()
  /// numbers. `given_gradient` receives the gradient of given features and may be null.
  void differentiate(std::size_t first, std::size_t count, const T* upstream, std::size_t upstream_stride,
                     const T* scale, T* dot, T* gradient, T* given_gradient);

  /// As differentiate_selected() of element_kernels.h.
  void differentiate_selected(std::size_t ranks, const std::int32_t* selection, const T* upstream,
                              const T* scale, T* dot, T* gradient, T* given_gradient);

  /// Adds the gradient of the points (by birth, by death, ...).
  void pull_back(T* gradient) const;

 private:
  /// Of one part.
  [[nodiscard]] CoordinateArrays<T> coordinates(std::size_t part) const {
    return CoordinateArrays<T>::in(coordinates_.data() + 3 * count_ * part, count_);
  }
  [[nodiscard]] CoordinateArrays<T> gradients(std::size_t part) const {
    if (gradients_.empty()) return {};
    return CoordinateArrays<T>::in(gradients_.data() + 3 * count_ * part, count_);
  }

  /// Calls differentiate(part, scale, dot, theta gradient) for every part, and adds up their dot products.
  template <class Differentiate>
  void for_each_part(std::size_t count, const T* scale, T* dot, T* gradient,
                     const Differentiate& differentiate);

  const Transform<T>& transform_;
  std::span<const T> points_;
  std::size_t count_;
  const T* given_;
  TransformBuffers<T>& buffers_;
  std::span<T> coordinates_;  // [part][u, v, amplitude][point]
  std::span<T> gradients_;    // the same; empty if not wanted
};

}  // namespace perslay::layer
