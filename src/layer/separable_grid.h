#pragma once

#include "aligned.h"
#include "axis_kernels.h"

#include <perslay/layer/point_transform.h>

namespace perslay::layer {

template <class T>
struct GridBuffers {
  AlignedBuffer<T> coordinates, exponentials, weighted, products, upstream, transposed, moments, sums;
};

/// Gaussians on a product grid, for operations that add up. Below, y is the persistence or, if the transformation reads
/// deaths, the death. A Gaussian at (a_i, c_j) is the product of one
/// along births and one along persistences, so a point needs count + rows exponentials, and the weighted sum
/// over points is a product of two small matrices:
///
///   sum_p w_p f_i(p) g_j(p),   f_i(p) = exp(-s^2 (b_p - a_i)^2),   g_j(p) = exp(-s^2 (y_p - c_j)^2).
template <class T>
class SeparableGrid {
 public:
  SeparableGrid(const PointTransform& transform, Arrays<const T> arrays);

  /// out [count][rows] = factor times the sum over the diagram.
  void sum(std::span<const T> points, const T* weights, T factor, T* out, GridBuffers<T>& buffers) const;

  /// Takes `upstream` [count][rows] times `factor`. Writes the gradient of the weights, and adds to those of the
  /// parameters (gradient_size() numbers) and of the points unless they are null.
  void differentiate(std::span<const T> points, const T* weights, T factor, const T* upstream,
                     T* weights_gradient, T* gradient, T* points_gradient, GridBuffers<T>& buffers) const;

  [[nodiscard]] std::size_t gradient_size() const noexcept {
    return births_stride_ + rows_stride_ + lanes<T>;
  }
  void collect(std::span<const T> gradient, Arrays<T> gradients) const;

 private:
  /// The b and the y of a diagram, one after the other.
  std::span<const T> coordinates(std::span<const T> points, GridBuffers<T>& buffers) const;

  /// The exponentials of a block of points, [point][joined_stride_], and the weighted ones that `out` asks for.
  T* exponentials(std::size_t count, const T* births, const T* persistences, AxisValues<T> out,
                  GridBuffers<T>& buffers) const;

  std::size_t births_ = 0, rows_ = 0;
  std::size_t births_stride_ = 0, rows_stride_ = 0, joined_stride_ = 0;
  T sharpness_ = 0;
  bool reads_death_ = false;
  AlignedBuffer<T> memory_;
  const T* birth_samples_ = nullptr;        // padded
  const T* persistence_samples_ = nullptr;  // padded
  const T* joined_ = nullptr;               // both without a gap, padded
};

}  // namespace perslay::layer
