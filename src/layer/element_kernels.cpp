#include "element_kernels.h"

#include "aligned.h"
#include "targets.h"

#include <tuple>

// clang-format off
#define HWY_TARGET_INCLUDE "element_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
#include "elements-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

/// The theta of the features that begin at `feature`.
template <class E, class D, class T>
HWY_INLINE void load_theta(D d, const ElementInput<T>& in, std::size_t feature, hn::Vec<D>* theta) {
  for (std::size_t i = 0; i < E::parameters; ++i) theta[i] = hn::Load(d, in.theta + i * in.stride + feature);
}

template <class E, class D, class T>
HWY_INLINE hn::Vec<D> amplitude_of(D d, const T* HWY_RESTRICT amplitude, std::size_t point) {
  if constexpr (E::has_amplitude)
    return hn::Set(d, amplitude[point]);
  else
    return hn::Zero(d);
}

template <class E, class D, class T>
void evaluate_with(D d, const ElementInput<T>& in, std::size_t count, T factor, bool add,
                   T* HWY_RESTRICT tile) {
  const E element{d};
  const auto scale = hn::Set(d, factor);
  const T *HWY_RESTRICT u = in.at.u, *HWY_RESTRICT v = in.at.v, *HWY_RESTRICT amplitude = in.at.amplitude;
  const std::size_t stride = in.stride;
  for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
    hn::Vec<D> theta[E::parameters];
    load_theta<E>(d, in, j, theta);
    for (std::size_t p = 0; p < count; ++p) {
      const auto f =
          element.value(hn::Set(d, u[p]), hn::Set(d, v[p]), amplitude_of<E>(d, amplitude, p), theta);
      T* target = tile + p * stride + j;
      hn::Store(add ? hn::MulAdd(scale, f, hn::Load(d, target)) : hn::Mul(scale, f), d, target);
    }
  }
}

template <class E, bool wants_points, class D, class T>
void differentiate_with(D d, const ElementInput<T>& in, std::size_t count, const T* HWY_RESTRICT upstream,
                        std::size_t upstream_stride, const T* HWY_RESTRICT scale,
                        const ElementGradient<T>& gradient) {
  using V = hn::Vec<D>;
  const E element{d};
  const T *HWY_RESTRICT u = in.at.u, *HWY_RESTRICT v = in.at.v, *HWY_RESTRICT amplitude = in.at.amplitude;
  V dot[block_points], by_u[block_points], by_v[block_points], by_amplitude[block_points];
  for (std::size_t p = 0; p < count; ++p) dot[p] = by_u[p] = by_v[p] = by_amplitude[p] = hn::Zero(d);
  for (std::size_t j = 0; j < in.stride; j += hn::Lanes(d)) {
    V theta[E::parameters], by_theta[E::parameters];
    load_theta<E>(d, in, j, theta);
    for (std::size_t i = 0; i < E::parameters; ++i) by_theta[i] = hn::Zero(d);
    for (std::size_t p = 0; p < count; ++p) {
      const auto f =
          element.derivatives(hn::Set(d, u[p]), hn::Set(d, v[p]), amplitude_of<E>(d, amplitude, p), theta);
      const V g = hn::Load(d, upstream + p * upstream_stride + j);
      const V scaled = hn::Mul(g, hn::Set(d, scale[p]));
      dot[p] = hn::MulAdd(g, f.value, dot[p]);
      if constexpr (wants_points) {
        by_u[p] = hn::MulAdd(scaled, f.u, by_u[p]);
        by_v[p] = hn::MulAdd(scaled, f.v, by_v[p]);
        if constexpr (E::has_amplitude) by_amplitude[p] = hn::MulAdd(scaled, f.amplitude, by_amplitude[p]);
      }
      for (std::size_t i = 0; i < E::parameters; ++i)
        by_theta[i] = hn::MulAdd(scaled, f.theta[i], by_theta[i]);
    }
    for (std::size_t i = 0; i < E::parameters; ++i) {
      T* target = gradient.theta + i * in.stride + j;
      hn::Store(hn::Add(hn::Load(d, target), by_theta[i]), d, target);
    }
  }
  for (std::size_t p = 0; p < count; ++p) gradient.dot[p] += hn::GetLane(hn::SumOfLanes(d, dot[p]));
  if constexpr (wants_points)
    for (std::size_t p = 0; p < count; ++p) {
      gradient.by.u[p] += hn::GetLane(hn::SumOfLanes(d, by_u[p]));
      gradient.by.v[p] += hn::GetLane(hn::SumOfLanes(d, by_v[p]));
      if constexpr (E::has_amplitude)
        gradient.by.amplitude[p] += hn::GetLane(hn::SumOfLanes(d, by_amplitude[p]));
    }
}

/// The points chosen by the features of one vector, gathered lane by lane.
template <class T>
struct Gathered {
  std::int32_t point[lanes<T>];
  alignas(32) T g[lanes<T>], scaled[lanes<T>], u[lanes<T>], v[lanes<T>], amplitude[lanes<T>];
};

template <class E, class T>
void gather(const ElementInput<T>& in, std::size_t first, std::size_t features, std::size_t ranks,
            std::size_t rank, std::size_t width, const std::int32_t* selection, const T* upstream,
            const T* scale, Gathered<T>& out) {
  for (std::size_t l = 0; l < width; ++l) {
    const std::size_t place = (first + l) * ranks + rank;
    const std::int32_t p = first + l < features ? selection[place] : -1;
    out.point[l] = p;
    out.g[l] = p < 0 ? T{0} : upstream[place];
    out.scaled[l] = p < 0 ? T{0} : upstream[place] * scale[p];
    out.u[l] = p < 0 ? T{0} : in.at.u[p];
    out.v[l] = p < 0 ? T{0} : in.at.v[p];
    if constexpr (E::has_amplitude) out.amplitude[l] = p < 0 ? T{0} : in.at.amplitude[p];
  }
}

/// target[point of lane] += value of lane.
template <class D, class T>
HWY_INLINE void scatter(D d, hn::Vec<D> values, const std::int32_t* points, T* target) {
  alignas(32) T lane[lanes<T>];
  hn::Store(values, d, lane);
  for (std::size_t l = 0; l < hn::Lanes(d); ++l)
    if (points[l] >= 0) target[points[l]] += lane[l];
}

template <class E, class D, class T>
void differentiate_selected_with(D d, const ElementInput<T>& in, std::size_t features, std::size_t ranks,
                                 const std::int32_t* selection, const T* upstream, const T* scale,
                                 const ElementGradient<T>& gradient) {
  using V = hn::Vec<D>;
  const E element{d};
  Gathered<T> chosen{};
  for (std::size_t j = 0; j < in.stride; j += hn::Lanes(d)) {
    V theta[E::parameters], by_theta[E::parameters];
    load_theta<E>(d, in, j, theta);
    for (std::size_t i = 0; i < E::parameters; ++i) by_theta[i] = hn::Zero(d);
    for (std::size_t r = 0; r < ranks; ++r) {
      gather<E>(in, j, features, ranks, r, hn::Lanes(d), selection, upstream, scale, chosen);
      const auto f = element.derivatives(hn::Load(d, chosen.u), hn::Load(d, chosen.v),
                                         hn::Load(d, chosen.amplitude), theta);
      const V scaled = hn::Load(d, chosen.scaled);
      scatter(d, hn::Mul(hn::Load(d, chosen.g), f.value), chosen.point, gradient.dot);
      if (gradient.by) {
        scatter(d, hn::Mul(scaled, f.u), chosen.point, gradient.by.u);
        scatter(d, hn::Mul(scaled, f.v), chosen.point, gradient.by.v);
        if constexpr (E::has_amplitude)
          scatter(d, hn::Mul(scaled, f.amplitude), chosen.point, gradient.by.amplitude);
      }
      for (std::size_t i = 0; i < E::parameters; ++i)
        by_theta[i] = hn::MulAdd(scaled, f.theta[i], by_theta[i]);
    }
    for (std::size_t i = 0; i < E::parameters; ++i) {
      T* target = gradient.theta + i * in.stride + j;
      hn::Store(hn::Add(hn::Load(d, target), by_theta[i]), d, target);
    }
  }
}

template <class T>
void evaluate(const ElementInput<T>& in, std::size_t count, T factor, bool add, T* tile) {
  using D = Tag<T>;
  with_element<D>(in.type, [&]<class E>() { evaluate_with<E>(D(), in, count, factor, add, tile); });
}

template <class T>
void differentiate(const ElementInput<T>& in, std::size_t count, const T* upstream,
                   std::size_t upstream_stride, const T* scale, const ElementGradient<T>& gradient) {
  using D = Tag<T>;
  with_element<D>(in.type, [&]<class E>() {
    if (gradient.by)
      differentiate_with<E, true>(D(), in, count, upstream, upstream_stride, scale, gradient);
    else
      differentiate_with<E, false>(D(), in, count, upstream, upstream_stride, scale, gradient);
  });
}

template <class T>
void differentiate_selected(const ElementInput<T>& in, std::size_t features, std::size_t ranks,
                            const std::int32_t* selection, const T* upstream, const T* scale,
                            const ElementGradient<T>& gradient) {
  using D = Tag<T>;
  with_element<D>(in.type, [&]<class E>() {
    differentiate_selected_with<E>(D(), in, features, ranks, selection, upstream, scale, gradient);
  });
}

/// One function without templates, as Highway's table needs it.
std::tuple<ElementKernels<float>, ElementKernels<double>> element_kernels_of_target() {
  return {{evaluate<float>, differentiate<float>, differentiate_selected<float>},
          {evaluate<double>, differentiate<double>, differentiate_selected<double>}};
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

HWY_EXPORT(element_kernels_of_target);

std::size_t parameter_count(PointTransform::Type type) {
  std::size_t count = 0;
  HWY_NAMESPACE::with_element<HWY_NAMESPACE::Tag<float>>(type, [&]<class E>() { count = E::parameters; });
  return count;
}

template <class T>
ElementKernels<T> choose_element_kernels() {
  return std::get<ElementKernels<T>>(HWY_DYNAMIC_DISPATCH(element_kernels_of_target)());
}

template ElementKernels<float> choose_element_kernels();
template ElementKernels<double> choose_element_kernels();

}  // namespace perslay::layer
#endif
