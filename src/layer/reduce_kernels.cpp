#include "reduce_kernels.h"

#include "targets.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

// clang-format off
#define HWY_TARGET_INCLUDE "reduce_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;

/// Adds up runs of 64 points, so that in single precision the error of a sum grows with the number of runs, not
/// of points.
template <class T>
void add_weighted(std::size_t count, std::size_t stride, const T* HWY_RESTRICT tile,
                  const T* HWY_RESTRICT weights, T* HWY_RESTRICT sums) {
  const Tag<T> d;
  for (std::size_t first = 0; first < count; first += 64) {
    const std::size_t end = std::min<std::size_t>(first + 64, count);
    for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
      auto sum = hn::Zero(d);
      for (std::size_t p = first; p < end; ++p)
        sum = hn::MulAdd(hn::Set(d, weights[p]), hn::Load(d, tile + p * stride + j), sum);
      hn::Store(hn::Add(hn::Load(d, sums + j), sum), d, sums + j);
    }
  }
}

/// Keeps the largest alone, without a branch.
template <class T>
void keep_one(std::size_t count, std::size_t first, std::size_t stride, const T* HWY_RESTRICT tile,
              const T* HWY_RESTRICT weights, const Largest<T>& largest) {
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> di;
  const auto one = hn::Set(di, 1);
  for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
    auto value = hn::Load(d, largest.values + j);
    auto point = hn::BitCast(d, hn::Load(di, largest.points + j));
    auto index = hn::Set(di, static_cast<LaneIndex<T>>(first));
    for (std::size_t p = 0; p < count; ++p, index = hn::Add(index, one)) {
      const auto v = hn::Mul(hn::Set(d, weights[p]), hn::Load(d, tile + p * stride + j));
      const auto larger = hn::Gt(v, value);
      value = hn::IfThenElse(larger, v, value);
      point = hn::IfThenElse(larger, hn::BitCast(d, index), point);
    }
    hn::Store(value, d, largest.values + j);
    hn::Store(hn::BitCast(di, point), di, largest.points + j);
  }
}

/// Uses the coordinates of a point for `vectors` vectors of forms at a time.
template <std::size_t vectors, class T>
void largest_of_some(const LinearForms<T>& forms, std::size_t j, std::size_t count, const T* HWY_RESTRICT u,
                     const T* HWY_RESTRICT v, T* HWY_RESTRICT values, LaneIndex<T>* HWY_RESTRICT points) {
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> di;
  using V = hn::Vec<Tag<T>>;
  const std::size_t lanes = hn::Lanes(d);
  V first[vectors], second[vectors], value[vectors], point[vectors];
  for (std::size_t k = 0; k < vectors; ++k) {
    first[k] = hn::Mul(hn::Set(d, forms.sign), hn::Load(d, forms.forms + j + k * lanes));
    second[k] = hn::Mul(hn::Set(d, forms.sign), hn::Load(d, forms.forms + forms.stride + j + k * lanes));
    value[k] = hn::Set(d, -std::numeric_limits<T>::infinity());
    point[k] = hn::BitCast(d, hn::Set(di, -1));
  }
  auto index = hn::Zero(di);
  for (std::size_t p = 0; p < count; ++p, index = hn::Add(index, hn::Set(di, 1))) {
    const V up = hn::Set(d, u[p]), vp = hn::Set(d, v[p]);
    for (std::size_t k = 0; k < vectors; ++k) {
      const V x = hn::MulAdd(up, first[k], hn::Mul(vp, second[k]));
      const auto larger = hn::Gt(x, value[k]);
      value[k] = hn::IfThenElse(larger, x, value[k]);
      point[k] = hn::IfThenElse(larger, hn::BitCast(d, index), point[k]);
    }
  }
  for (std::size_t k = 0; k < vectors; ++k) {
    hn::Store(value[k], d, values + j + k * lanes);
    hn::Store(hn::BitCast(di, point[k]), di, points + j + k * lanes);
  }
}

template <class T>
void largest_of_forms(const LinearForms<T>& forms, std::size_t count, const T* u, const T* v, T* values,
                      LaneIndex<T>* points) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  std::size_t j = 0;
  for (; j + 2 * lanes <= forms.stride; j += 2 * lanes)
    largest_of_some<2>(forms, j, count, u, v, values, points);
  for (; j < forms.stride; j += lanes) largest_of_some<1>(forms, j, count, u, v, values, points);
}

/// In every lane, the `rank`-th largest of eight.
template <std::size_t rank, class V>
HWY_INLINE V ranked_of_eight(V* v) {
  // After pass i of this bubble sort the i-th largest is in place.
  for (std::size_t i = 0; i < rank; ++i)
    for (std::size_t k = i + 1; k < 8; ++k) {
      const V high = hn::Max(v[i], v[k]);
      v[k] = hn::Min(v[i], v[k]);
      v[i] = high;
    }
  return v[rank - 1];
}

/// Keeps the lists in registers. Points come in the order of their births, so values often ascend, and every
/// point would enter the list and soon leave it. Therefore the points of a tile are first dealt out to eight
/// groups. At least `ranks` points reach the ranks-th largest of the eight group maxima, so smaller ones need
/// not enter.
///
/// Every comparison is with the new point: the list shifts by one place from where it goes in.
template <std::size_t ranks, class T>
void keep_few(std::size_t count, std::size_t first, std::size_t stride, const T* HWY_RESTRICT tile,
              const T* HWY_RESTRICT weights, const Largest<T>& largest) {
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> di;
  using V = hn::Vec<Tag<T>>;
  for (std::size_t j = 0; j < stride; j += hn::Lanes(d)) {
    const auto weighted = [&](std::size_t p) HWY_ATTR {
      return hn::Mul(hn::Set(d, weights[p]), hn::Load(d, tile + p * stride + j));
    };
    V group[8];
    for (V& most : group) most = hn::Set(d, -std::numeric_limits<T>::infinity());
    std::size_t p = 0;
    // A comparison passes over NaN; a maximum need not.
    const auto join = [&](std::size_t g, V v)
                          HWY_ATTR { group[g] = hn::IfThenElse(hn::Gt(v, group[g]), v, group[g]); };
    for (; p + 8 <= count; p += 8)
      for (std::size_t g = 0; g < 8; ++g) join(g, weighted(p + g));
    for (std::size_t g = 0; p + g < count; ++g) join(g, weighted(p + g));
    const V worst = hn::Load(d, largest.values + (ranks - 1) * stride + j);
    const V threshold = hn::Max(ranked_of_eight<ranks>(group), worst);
    if (hn::AllFalse(d, hn::Gt(group[0], worst))) continue;
    V value[ranks], point[ranks];  // the bits of indices, since values and points move together
    for (std::size_t r = 0; r < ranks; ++r) {
      value[r] = hn::Load(d, largest.values + r * stride + j);
      point[r] = hn::BitCast(d, hn::Load(di, largest.points + r * stride + j));
    }
    for (std::size_t begin = 0; begin < count; begin += 64) {
      // No branch here: it would often be mispredicted.
      std::uint64_t candidates = 0;
      for (p = begin; p < std::min<std::size_t>(begin + 64, count); ++p)
        candidates |= std::uint64_t{hn::AllFalse(d, hn::Ge(weighted(p), threshold)) ? 0U : 1U} << (p - begin);
      for (; candidates != 0; candidates &= candidates - 1) {
        p = begin + static_cast<std::size_t>(std::countr_zero(candidates));
        const V v = weighted(p);
        const auto enters = hn::And(hn::Ge(v, threshold), hn::Gt(v, value[ranks - 1]));
        const V index = hn::BitCast(d, hn::Set(di, static_cast<LaneIndex<T>>(first + p)));
        auto here = enters;
        for (std::size_t r = ranks - 1; r > 0; --r) {
          const auto above = hn::And(enters, hn::Gt(v, value[r - 1]));
          value[r] = hn::IfThenElse(here, hn::IfThenElse(above, value[r - 1], v), value[r]);
          point[r] = hn::IfThenElse(here, hn::IfThenElse(above, point[r - 1], index), point[r]);
          here = above;
        }
        value[0] = hn::IfThenElse(here, v, value[0]);
        point[0] = hn::IfThenElse(here, index, point[0]);
      }
    }
    for (std::size_t r = 0; r < ranks; ++r) {
      hn::Store(value[r], d, largest.values + r * stride + j);
      hn::Store(hn::BitCast(di, point[r]), di, largest.points + r * stride + j);
    }
  }
}

/// The same for lists of any length, in memory. The points that may enter are sorted and merged with the list.
template <class T>
void keep_many(std::size_t count, std::size_t first, std::size_t stride, const T* tile, const T* weights,
               const Largest<T>& largest) {
  using Entry = std::pair<T, LaneIndex<T>>;
  std::vector<Entry> newcomers, list;
  const std::size_t ranks = largest.ranks;
  for (std::size_t j = 0; j < stride; ++j) {
    T* values = largest.values + j;
    LaneIndex<T>* points = largest.points + j;
    newcomers.clear();
    for (std::size_t p = 0; p < count; ++p)
      if (const T v = weights[p] * tile[p * stride + j]; v > values[(ranks - 1) * stride])
        newcomers.emplace_back(v, static_cast<LaneIndex<T>>(first + p));
    if (newcomers.empty()) continue;
    std::ranges::sort(newcomers, [](const Entry& a, const Entry& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    list.clear();
    for (std::size_t r = 0; r < ranks && points[r * stride] >= 0; ++r)
      list.emplace_back(values[r * stride], points[r * stride]);
    auto old = list.begin();
    auto added = newcomers.begin();
    for (std::size_t r = 0; r < ranks && (old != list.end() || added != newcomers.end()); ++r) {
      // The old points came first and win ties.
      const bool keeps = added == newcomers.end() || (old != list.end() && old->first >= added->first);
      std::tie(values[r * stride], points[r * stride]) = keeps ? *old++ : *added++;
    }
  }
}

template <class T>
void keep_largest(std::size_t count, std::size_t first, std::size_t stride, const T* tile, const T* weights,
                  const Largest<T>& largest) {
  const auto keep = [&] {
    switch (largest.ranks) {
      case 1:
        return keep_one<T>;
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
  keep(count, first, stride, tile, weights, largest);
}

/// One function without templates, as Highway's table needs it.
std::tuple<ReduceKernels<float>, ReduceKernels<double>> reduce_kernels_of_target() {
  return {{add_weighted<float>, keep_largest<float>, largest_of_forms<float>},
          {add_weighted<double>, keep_largest<double>, largest_of_forms<double>}};
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

HWY_EXPORT(reduce_kernels_of_target);

template <class T>
ReduceKernels<T> choose_reduce_kernels() {
  return std::get<ReduceKernels<T>>(HWY_DYNAMIC_DISPATCH(reduce_kernels_of_target)());
}

template ReduceKernels<float> choose_reduce_kernels();
template ReduceKernels<double> choose_reduce_kernels();

}  // namespace perslay::layer
#endif
