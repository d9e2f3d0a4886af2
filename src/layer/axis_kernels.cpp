#include "axis_kernels.h"

#include "element_kernels.h"

// Vectors are kept in arrays, which those of the scalable instruction sets cannot be.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "axis_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
#include "elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

template <class T>
void exponentials_any(const Axis<T>& axis, std::size_t count, T* HWY_RESTRICT e,
                      const T* HWY_RESTRICT weights, T* HWY_RESTRICT weighted) {
  const Tag<T> d;
  const auto factor = hn::Set(d, -axis.sharpness * axis.sharpness);
  for (std::size_t j = 0; j < axis.stride; j += hn::Lanes(d)) {
    const auto sample = hn::Load(d, axis.samples + j);
    for (std::size_t p = 0; p < count; ++p) {
      const auto distance = hn::Sub(hn::Set(d, axis.coordinates[p]), sample);
      const auto f = exp_of_negative(d, hn::Mul(hn::Mul(distance, distance), factor));
      hn::Store(f, d, e + p * axis.stride + j);
      if (weights != nullptr)
        hn::Store(hn::Mul(f, hn::Set(d, weights[p])), d, weighted + p * axis.stride + j);
    }
  }
}

template <bool wants_dot, bool wants_first, class T>
void gradients_with(const Axis<T>& axis, std::size_t count, const T* HWY_RESTRICT e, const T* HWY_RESTRICT r,
                    const T* HWY_RESTRICT weights, const AxisGradient<T>& gradient) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  V dot[block_points], first[block_points];
  for (std::size_t p = 0; p < count; ++p) dot[p] = first[p] = hn::Zero(d);
  V second = hn::Zero(d);
  for (std::size_t j = 0; j < axis.stride; j += hn::Lanes(d)) {
    const V sample = hn::Load(d, axis.samples + j);
    V by_sample = hn::Zero(d);
    for (std::size_t p = 0; p < count; ++p) {
      const V t = hn::Mul(hn::Load(d, r + p * axis.stride + j), hn::Load(d, e + p * axis.stride + j));
      const V distance = hn::Sub(hn::Set(d, axis.coordinates[p]), sample);
      const V moment = hn::Mul(t, distance);
      if constexpr (wants_dot) dot[p] = hn::Add(dot[p], t);
      if constexpr (wants_first) first[p] = hn::Add(first[p], moment);
      const V weighted = hn::Mul(moment, hn::Set(d, weights[p]));
      by_sample = hn::Add(by_sample, weighted);
      second = hn::MulAdd(weighted, distance, second);
    }
    hn::Store(hn::Add(hn::Load(d, gradient.samples + j), by_sample), d, gradient.samples + j);
  }
  *gradient.second += hn::GetLane(hn::SumOfLanes(d, second));
  if constexpr (wants_dot)
    for (std::size_t p = 0; p < count; ++p) gradient.dot[p] = hn::GetLane(hn::SumOfLanes(d, dot[p]));
  if constexpr (wants_first)
    for (std::size_t p = 0; p < count; ++p) gradient.first[p] = hn::GetLane(hn::SumOfLanes(d, first[p]));
}

template <class T>
void gradients_any(const Axis<T>& axis, std::size_t count, const T* e, const T* r, const T* weights,
                   const AxisGradient<T>& gradient) {
  const bool wants_dot = gradient.dot != nullptr, wants_first = gradient.first != nullptr;
  const auto run = wants_dot
                       ? (wants_first ? gradients_with<true, true, T> : gradients_with<true, false, T>)
                       : (wants_first ? gradients_with<false, true, T> : gradients_with<false, false, T>);
  run(axis, count, e, r, weights, gradient);
}

// Tables of functions hold no templates.
void exponentials_float(const Axis<float>& axis, std::size_t n, float* e, const float* w, float* weighted) {
  exponentials_any(axis, n, e, w, weighted);
}
void exponentials_double(const Axis<double>& axis, std::size_t n, double* e, const double* w,
                         double* weighted) {
  exponentials_any(axis, n, e, w, weighted);
}
void gradients_float(const Axis<float>& axis, std::size_t n, const float* e, const float* r, const float* w,
                     const AxisGradient<float>& out) {
  gradients_any(axis, n, e, r, w, out);
}
void gradients_double(const Axis<double>& axis, std::size_t n, const double* e, const double* r,
                      const double* w, const AxisGradient<double>& out) {
  gradients_any(axis, n, e, r, w, out);
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

namespace {
HWY_EXPORT(exponentials_float);
HWY_EXPORT(exponentials_double);
HWY_EXPORT(gradients_float);
HWY_EXPORT(gradients_double);
}  // namespace

void axis_exponentials(const Axis<float>& axis, std::size_t count, float* e, const float* weights,
                       float* weighted) {
  HWY_DYNAMIC_DISPATCH(exponentials_float)(axis, count, e, weights, weighted);
}
void axis_exponentials(const Axis<double>& axis, std::size_t count, double* e, const double* weights,
                       double* weighted) {
  HWY_DYNAMIC_DISPATCH(exponentials_double)(axis, count, e, weights, weighted);
}
void axis_gradients(const Axis<float>& axis, std::size_t count, const float* e, const float* r,
                    const float* weights, const AxisGradient<float>& gradient) {
  HWY_DYNAMIC_DISPATCH(gradients_float)(axis, count, e, r, weights, gradient);
}
void axis_gradients(const Axis<double>& axis, std::size_t count, const double* e, const double* r,
                    const double* weights, const AxisGradient<double>& gradient) {
  HWY_DYNAMIC_DISPATCH(gradients_double)(axis, count, e, r, weights, gradient);
}

}  // namespace perslay::layer
#endif
