#include "reduce_kernels.h"

// Vectors are kept in arrays, which those of the scalable instruction sets cannot be.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;

template <class T>
void add_weighted_any(std::size_t count, std::size_t stride, const T* HWY_RESTRICT tile,
                      const T* HWY_RESTRICT weights, T* HWY_RESTRICT sums) {
  const Tag<T> d;
  for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t p = 0; p < count; ++p)
      sum = hn::MulAdd(hn::Set(d, weights[p]), hn::Load(d, tile + p * stride + j), sum);
    hn::Store(hn::Add(hn::Load(d, sums + j), sum), d, sums + j);
  }
}

/// With the lists in registers. All comparisons are with the newcomer, so that a list shifts by one place
/// from where the newcomer goes in.
template <std::size_t ranks, class T>
void keep_few(std::size_t count, std::size_t first, std::size_t stride, const T* HWY_RESTRICT tile,
              const T* HWY_RESTRICT weights, T sign, const Largest<T>& largest) {
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> di;
  using Index = LaneIndex<T>;
  for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
    hn::Vec<decltype(d)> value[ranks];
    hn::Vec<decltype(di)> point[ranks];
    for (std::size_t r = 0; r < ranks; ++r) {
      value[r] = hn::Load(d, largest.values + r * stride + j);
      point[r] = hn::Load(di, largest.points + r * stride + j);
    }
    for (std::size_t p = 0; p < count; ++p) {
      const auto v = hn::Mul(hn::Set(d, sign * weights[p]), hn::Load(d, tile + p * stride + j));
      const auto enters = hn::Gt(v, value[ranks - 1]);
      if (hn::AllFalse(d, enters)) continue;
      const auto index = hn::Set(di, static_cast<Index>(first + p));
      auto above = enters;
      for (std::size_t r = ranks; r-- > 0;) {
        const auto here = above;
        if (r > 0) {
          above = hn::Gt(v, value[r - 1]);
          const auto next_value = hn::IfThenElse(above, value[r - 1], v);
          const auto next_point = hn::IfThenElse(hn::RebindMask(di, above), point[r - 1], index);
          value[r] = hn::IfThenElse(here, next_value, value[r]);
          point[r] = hn::IfThenElse(hn::RebindMask(di, here), next_point, point[r]);
        } else {
          value[0] = hn::IfThenElse(here, v, value[0]);
          point[0] = hn::IfThenElse(hn::RebindMask(di, here), index, point[0]);
        }
      }
    }
    for (std::size_t r = 0; r < ranks; ++r) {
      hn::Store(value[r], d, largest.values + r * stride + j);
      hn::Store(point[r], di, largest.points + r * stride + j);
    }
  }
}

/// The same for lists of any length, in memory.
template <class T>
void keep_many(std::size_t count, std::size_t first, std::size_t stride, const T* tile, const T* weights,
               T sign, const Largest<T>& largest) {
  const std::size_t ranks = largest.ranks;
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t j = 0; j < stride; ++j) {
      const T v = sign * weights[p] * tile[p * stride + j];
      T* values = largest.values + j;
      LaneIndex<T>* points = largest.points + j;
      if (!(v > values[(ranks - 1) * stride])) continue;
      std::size_t r = ranks - 1;
      for (; r > 0 && v > values[(r - 1) * stride]; --r) {
        values[r * stride] = values[(r - 1) * stride];
        points[r * stride] = points[(r - 1) * stride];
      }
      values[r * stride] = v;
      points[r * stride] = static_cast<LaneIndex<T>>(first + p);
    }
}

template <class T>
void keep_largest_any(std::size_t count, std::size_t first, std::size_t stride, const T* tile,
                      const T* weights, T sign, const Largest<T>& largest) {
  const auto keep = [&] {
    switch (largest.ranks) {
      case 1:
        return keep_few<1, T>;
      case 2:
        return keep_few<2, T>;
      case 3:
        return keep_few<3, T>;
      case 4:
        return keep_few<4, T>;
      case 5:
        return keep_few<5, T>;
      default:
        return keep_many<T>;
    }
  }();
  keep(count, first, stride, tile, weights, sign, largest);
}

// Tables of functions hold no templates.
void add_weighted_float(std::size_t n, std::size_t stride, const float* tile, const float* w, float* sums) {
  add_weighted_any(n, stride, tile, w, sums);
}
void add_weighted_double(std::size_t n, std::size_t stride, const double* tile, const double* w,
                         double* sums) {
  add_weighted_any(n, stride, tile, w, sums);
}
void keep_largest_float(std::size_t n, std::size_t first, std::size_t stride, const float* tile,
                        const float* w, float sign, const Largest<float>& largest) {
  keep_largest_any(n, first, stride, tile, w, sign, largest);
}
void keep_largest_double(std::size_t n, std::size_t first, std::size_t stride, const double* tile,
                         const double* w, double sign, const Largest<double>& largest) {
  keep_largest_any(n, first, stride, tile, w, sign, largest);
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

namespace {
HWY_EXPORT(add_weighted_float);
HWY_EXPORT(add_weighted_double);
HWY_EXPORT(keep_largest_float);
HWY_EXPORT(keep_largest_double);
}  // namespace

void add_weighted(std::size_t count, std::size_t stride, const float* tile, const float* weights,
                  float* sums) {
  HWY_DYNAMIC_DISPATCH(add_weighted_float)(count, stride, tile, weights, sums);
}
void add_weighted(std::size_t count, std::size_t stride, const double* tile, const double* weights,
                  double* sums) {
  HWY_DYNAMIC_DISPATCH(add_weighted_double)(count, stride, tile, weights, sums);
}
void keep_largest(std::size_t count, std::size_t first, std::size_t stride, const float* tile,
                  const float* weights, float sign, const Largest<float>& largest) {
  HWY_DYNAMIC_DISPATCH(keep_largest_float)(count, first, stride, tile, weights, sign, largest);
}
void keep_largest(std::size_t count, std::size_t first, std::size_t stride, const double* tile,
                  const double* weights, double sign, const Largest<double>& largest) {
  HWY_DYNAMIC_DISPATCH(keep_largest_double)(count, first, stride, tile, weights, sign, largest);
}

}  // namespace perslay::layer
#endif
