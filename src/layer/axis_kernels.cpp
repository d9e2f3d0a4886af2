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

/// The samples [from, to); coordinate(d, p) is the coordinate that they see of point p.
template <class T, class Coordinate>
HWY_INLINE void exponentials_of(const AxisPair<T>& axes, std::size_t count, std::size_t from, std::size_t to,
                                const AxisValues<T>& out, const Coordinate& coordinate) {
  const Tag<T> d;
  const auto scale = hn::Set(d, -exp_scale(axes.sharpness * axes.sharpness));
  const std::size_t stride = axes.stride, weighted_stride = out.weighted_stride;
  const T* HWY_RESTRICT weights = out.weights;
  for (std::size_t j = from; j < to; j += hn::Lanes(d)) {
    const auto sample = hn::Load(d, axes.samples + j);
    T* HWY_RESTRICT e = out.e + j;
    T* HWY_RESTRICT weighted = weights == nullptr ? nullptr : out.weighted + j;
    const bool weighs = weights != nullptr && j < axes.births;
    for (std::size_t p = 0; p < count; ++p, e += stride, weighted += weighted_stride) {
      const auto distance = hn::Sub(coordinate(d, p), sample);
      const auto f = exp_of_negative(d, hn::Mul(distance, distance), scale);
      hn::Store(f, d, e);
      if (weighs) hn::Store(hn::Mul(f, hn::Set(d, weights[p])), d, weighted);
    }
  }
}

template <class T>
void exponentials_any(const AxisPair<T>& axes, std::size_t count, const T* births, const T* persistences,
                      const AxisValues<T>& out) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  const std::size_t whole = axes.births / lanes * lanes,
                    mixed = axes.births % lanes == 0 ? whole : whole + lanes;
  const auto first = hn::FirstN(Tag<T>(), axes.births - whole);
  exponentials_of(axes, count, 0, whole, out,
                  [&](auto d, std::size_t p) HWY_ATTR { return hn::Set(d, births[p]); });
  exponentials_of(axes, count, whole, mixed, out, [&](auto d, std::size_t p) HWY_ATTR {
    return hn::IfThenElse(first, hn::Set(d, births[p]), hn::Set(d, persistences[p]));
  });
  exponentials_of(axes, count, mixed, axes.stride, out,
                  [&](auto d, std::size_t p) HWY_ATTR { return hn::Set(d, persistences[p]); });
}

template <bool wants_dot, bool wants_first, class T>
void gradients_with(const AxisBlock<T>& block, std::size_t count, const AxisGradient<T>& gradient) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  V dot[block_points], first[block_points];
  if constexpr (wants_dot)
    for (std::size_t p = 0; p < count; ++p) dot[p] = hn::Zero(d);
  if constexpr (wants_first)
    for (std::size_t p = 0; p < count; ++p) first[p] = hn::Zero(d);
  V second = hn::Zero(d);
  for (std::size_t j = 0; j < block.stride; j += hn::Lanes(d)) {
    const V sample = hn::Load(d, block.samples + j);
    V by_sample = hn::Zero(d);
    for (std::size_t p = 0; p < count; ++p) {
      const V t = hn::Mul(hn::Load(d, block.r + p * block.stride + j),
                          hn::LoadU(d, block.e + p * block.e_stride + j));
      const V distance = hn::Sub(hn::Set(d, block.coordinates[p]), sample);
      const V moment = hn::Mul(t, distance);
      if constexpr (wants_dot) dot[p] = hn::Add(dot[p], t);
      if constexpr (wants_first) first[p] = hn::Add(first[p], moment);
      const V weighted = hn::Mul(moment, hn::Set(d, block.weights[p]));
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
void gradients_any(const AxisBlock<T>& block, std::size_t count, const AxisGradient<T>& gradient) {
  const bool wants_dot = gradient.dot != nullptr, wants_first = gradient.first != nullptr;
  const auto run = wants_dot
                       ? (wants_first ? gradients_with<true, true, T> : gradients_with<true, false, T>)
                       : (wants_first ? gradients_with<false, true, T> : gradients_with<false, false, T>);
  run(block, count, gradient);
}

// Tables of functions hold no templates.
void exponentials_float(const AxisPair<float>& axes, std::size_t n, const float* births,
                        const float* persistences, const AxisValues<float>& out) {
  exponentials_any(axes, n, births, persistences, out);
}
void exponentials_double(const AxisPair<double>& axes, std::size_t n, const double* births,
                         const double* persistences, const AxisValues<double>& out) {
  exponentials_any(axes, n, births, persistences, out);
}
void gradients_float(const AxisBlock<float>& block, std::size_t n, const AxisGradient<float>& out) {
  gradients_any(block, n, out);
}
void gradients_double(const AxisBlock<double>& block, std::size_t n, const AxisGradient<double>& out) {
  gradients_any(block, n, out);
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

void axis_exponentials(const AxisPair<float>& axes, std::size_t count, const float* births,
                       const float* persistences, const AxisValues<float>& out) {
  HWY_DYNAMIC_DISPATCH(exponentials_float)(axes, count, births, persistences, out);
}
void axis_exponentials(const AxisPair<double>& axes, std::size_t count, const double* births,
                       const double* persistences, const AxisValues<double>& out) {
  HWY_DYNAMIC_DISPATCH(exponentials_double)(axes, count, births, persistences, out);
}
void axis_gradients(const AxisBlock<float>& block, std::size_t count, const AxisGradient<float>& gradient) {
  HWY_DYNAMIC_DISPATCH(gradients_float)(block, count, gradient);
}
void axis_gradients(const AxisBlock<double>& block, std::size_t count, const AxisGradient<double>& gradient) {
  HWY_DYNAMIC_DISPATCH(gradients_double)(block, count, gradient);
}

}  // namespace perslay::layer
#endif
