#pragma once

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
  const T* u = nullptr;
  const T* v = nullptr;
  const T* amplitude = nullptr;  ///< May be null for elements that have none.
  const T* theta = nullptr;      ///< [parameter][stride]
  std::size_t stride = 0;        ///< Features, padded.
};

/// Where derivatives are added: `dot`, `u`, `v` and `amplitude` per point, `theta` as [parameter][stride].
/// `u`, `v` and `amplitude` are all null if the caller does not want the gradients of the points.
template <class T>
struct ElementGradient {
  T* dot = nullptr;
  T* u = nullptr;
  T* v = nullptr;
  T* amplitude = nullptr;
  T* theta = nullptr;

  [[nodiscard]] bool wants_points() const noexcept { return u != nullptr; }
};

/// tile [point][stride] = factor f, or += if `add`, for `count` points.
void evaluate(const ElementInput<float>& in, std::size_t count, float factor, bool add, float* tile);
void evaluate(const ElementInput<double>& in, std::size_t count, double factor, bool add, double* tile);

/// The derivatives of sum over points p and features j of scale[p] U[p][j] f_j(p), where row p of U begins at
/// upstream + p * upstream_stride (0: all points share a row) and is padded with zeros; dot[p] receives
/// sum_j U[p][j] f_j(p). At most block_points points.
void differentiate(const ElementInput<float>& in, std::size_t count, const float* upstream,
                   std::size_t upstream_stride, const float* scale, const ElementGradient<float>& gradient);
void differentiate(const ElementInput<double>& in, std::size_t count, const double* upstream,
                   std::size_t upstream_stride, const double* scale, const ElementGradient<double>& gradient);

/// The same where U has few entries: for each feature j and rank r < ranks, U[selection[j][r]][j] gets
/// upstream[j][r]; entries with selection -1 count for nothing. `features` is not padded.
void differentiate_selected(const ElementInput<float>& in, std::size_t features, std::size_t ranks,
                            const std::int32_t* selection, const float* upstream, const float* scale,
                            const ElementGradient<float>& gradient);
void differentiate_selected(const ElementInput<double>& in, std::size_t features, std::size_t ranks,
                            const std::int32_t* selection, const double* upstream, const double* scale,
                            const ElementGradient<double>& gradient);

}  // namespace perslay::layer
