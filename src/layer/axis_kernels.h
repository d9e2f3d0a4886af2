#pragma once

#include <cstddef>

namespace perslay::layer {

/// The two axes of a product grid of Gaussians in one array: the samples along births, then without a gap
/// those along persistences, padded at the end. 20 and 20 samples then take five vectors of eight, not six.
template <class T>
struct AxisPair {
  const T* samples = nullptr;
  std::size_t births = 0;  ///< Samples along births.
  std::size_t stride = 0;  ///< All samples, padded.
  T sharpness = 0;
};

/// e [point][stride] = exp(-s^2 (x_p - c_i)^2), where x_p is the point's birth for samples along births and its
/// persistence otherwise. If `weights` is not null, weighted [point][weighted_stride] = weights[p] e for the
/// samples along births, up to the end of their last vector.
template <class T>
struct AxisValues {
  T* e = nullptr;
  const T* weights = nullptr;
  T* weighted = nullptr;
  std::size_t weighted_stride = 0;
};

/// One axis in a block of points: samples c_i, coordinates x_p, exponentials e [point][e_stride], and r
/// [point][stride], which is 0 in the padding.
template <class T>
struct AxisBlock {
  const T* samples = nullptr;  ///< Padded.
  std::size_t stride = 0;
  const T* coordinates = nullptr;
  const T* weights = nullptr;
  const T* e = nullptr;
  std::size_t e_stride = 0;
  const T* r = nullptr;
};

/// With t_pi = r[p][i] e[p][i], what a block adds to the gradients; see differentiate() in
/// separable_grid.cpp.
template <class T>
struct AxisGradient {
  T* dot = nullptr;      ///< [point] = sum_i t_pi; null if not wanted.
  T* first = nullptr;    ///< [point] = sum_i t_pi (x_p - c_i); null if not wanted.
  T* samples = nullptr;  ///< [stride] += sum_p w_p t_pi (x_p - c_i)
  T* second = nullptr;   ///< += sum_pi w_p t_pi (x_p - c_i)^2
};

template <class T>
struct AxisKernels {
  void (*exponentials)(const AxisPair<T>& axes, std::size_t count, const T* births, const T* persistences,
                       const AxisValues<T>& out);
  void (*gradients)(const AxisBlock<T>& block, std::size_t count, const AxisGradient<T>& gradient);
};

template <class T>
[[nodiscard]] AxisKernels<T> choose_axis_kernels();

/// Those for the processor at hand.
template <class T>
const AxisKernels<T>& axis_kernels() {
  static const auto chosen = choose_axis_kernels<T>();
  return chosen;
}

}  // namespace perslay::layer
