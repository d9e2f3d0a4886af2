#include "axis_kernels.h"

#include "element_kernels.h"
#include "targets.h"

#include <tuple>

// clang-format off
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
void exponentials(const AxisPair<T>& axes, std::size_t count, const T* births, const T* persistences,
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
void gradients(const AxisBlock<T>& block, std::size_t count, const AxisGradient<T>& gradient) {
  const bool wants_dot = gradient.dot != nullptr, wants_first = gradient.first != nullptr;
  const auto run = wants_dot
                       ? (wants_first ? gradients_with<true, true, T> : gradients_with<true, false, T>)
                       : (wants_first ? gradients_with<false, true, T> : gradients_with<false, false, T>);
  run(block, count, gradient);
}

/// One function without templates, as Highway's table needs it.
std::tuple<AxisKernels<float>, AxisKernels<double>> axis_kernels_of_target() {
  return {{exponentials<float>, gradients<float>}, {exponentials<double>, gradients<double>}};
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

HWY_EXPORT(axis_kernels_of_target);

template <class T>
AxisKernels<T> choose_axis_kernels() {
  return std::get<AxisKernels<T>>(HWY_DYNAMIC_DISPATCH(axis_kernels_of_target)());
}

template AxisKernels<float> choose_axis_kernels();
template AxisKernels<double> choose_axis_kernels();

}  // namespace perslay::layer
#endif
