#pragma once

#include <cstddef>

namespace perslay::layer {

/// One axis of a product grid of Gaussians: samples c_i, and coordinates x_p of some points.
template <class T>
struct Axis {
  const T* samples = nullptr;
  std::size_t stride = 0;  ///< Samples, padded.
  T sharpness = 0;
  const T* coordinates = nullptr;
};

/// e [point][stride] = exp(-s^2 (x_p - c_i)^2); if `weights` is not null, weighted [point][stride] =
/// weights[p] e.
void axis_exponentials(const Axis<float>& axis, std::size_t count, float* e, const float* weights,
                       float* weighted);
void axis_exponentials(const Axis<double>& axis, std::size_t count, double* e, const double* weights,
                       double* weighted);

/// With t_pi = r[p][i] e[p][i], what a block adds to the gradients; see grid_gradients() in
/// separable_grid.cpp.
template <class T>
struct AxisGradient {
  T* dot = nullptr;      ///< [point] = sum_i t_pi; null if not wanted.
  T* first = nullptr;    ///< [point] = sum_i t_pi (x_p - c_i); null if not wanted.
  T* samples = nullptr;  ///< [stride] += sum_p w_p t_pi (x_p - c_i)
  T* second = nullptr;   ///< += sum_pi w_p t_pi (x_p - c_i)^2
};

void axis_gradients(const Axis<float>& axis, std::size_t count, const float* e, const float* r,
                    const float* weights, const AxisGradient<float>& gradient);
void axis_gradients(const Axis<double>& axis, std::size_t count, const double* e, const double* r,
                    const double* weights, const AxisGradient<double>& gradient);

}  // namespace perslay::layer
