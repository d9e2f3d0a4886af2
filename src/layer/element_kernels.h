#pragma once

#include "coordinates.h"

#include <cstddef>
#include <cstdint>

#include <perslay/layer/point_transform.h>

namespace perslay::layer {

/// The length of theta for one feature of this type of φ (see elements-inl.h). Mixtures have none of their own.
[[nodiscard]] std::size_t parameter_count(PointTransform::Type type);

/// Points are processed in blocks of at most this many, so that their features stay in the first-level cache.
inline constexpr std::size_t block_points = 64;

/// Some points and the features to take of them.
template <class T>
struct ElementInput {
  PointTransform::Type type = PointTransform::Type::line;
  CoordinateArrays<T> at;
  const T* theta = nullptr;  ///< [parameter][stride]
  std::size_t stride = 0;    ///< Features, padded.

  /// The points from `first` on.
  [[nodiscard]] ElementInput from(std::size_t first) const { return {type, at.from(first), theta, stride}; }
};

/// Where derivatives are added: `dot` and `by` per point, `theta` as [parameter][stride]. `by` holds no arrays if the
/// caller does not want the gradients of the points.
template <class T>
struct ElementGradient {
  T* dot = nullptr;
  CoordinateArrays<T> by;
  T* theta = nullptr;
};

template <class T>
struct ElementKernels {
  /// tile [point][stride] = factor f, or += if `add`, for `count` points.
  void (*evaluate)(const ElementInput<T>& in, std::size_t count, T factor, bool add, T* tile);

  /// The derivatives of sum over points p and features j of scale[p] U[p][j] f_j(p), where row p of U begins at
  /// upstream + p * upstream_stride (0: all points share a row) and is padded with zeros; dot[p] receives
  /// sum_j U[p][j] f_j(p). At most block_points points.
  void (*differentiate)(const ElementInput<T>& in, std::size_t count, const T* upstream,
                        std::size_t upstream_stride, const T* scale, const ElementGradient<T>& gradient);

  /// The same where U has few entries: for each feature j and rank r < ranks, U[selection[j][r]][j] gets
  /// upstream[j][r]; entries with selection -1 count for nothing. `features` is not padded.
  void (*differentiate_selected)(const ElementInput<T>& in, std::size_t features, std::size_t ranks,
                                 const std::int32_t* selection, const T* upstream, const T* scale,
                                 const ElementGradient<T>& gradient);
};

template <class T>
[[nodiscard]] ElementKernels<T> choose_element_kernels();

/// Those for the processor at hand.
template <class T>
const ElementKernels<T>& element_kernels() {
  static const auto chosen = choose_element_kernels<T>();
  return chosen;
}

}  // namespace perslay::layer
