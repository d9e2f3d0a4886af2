#include "gaussian_sums.h"

#include <algorithm>
#include <cmath>

#undef HWY_DISABLED_TARGETS
// The code keeps vectors in arrays; vectors of the scalable instruction sets cannot be in arrays.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gaussian_sums.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
#include "exp2-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::kernel::HWY_NAMESPACE {

/// The number of points of F that meet each vector of G at a time.
constexpr std::size_t rows = 4;

constexpr double reach = 10.2;  // 2^-(reach^2) = 2^-104

/// The places [begin, end) of the points of G within reach of the `rows` points of F from p on. The window
/// moves forward only, since both diagrams are sorted.
struct Window {
  std::size_t begin = 0, end = 0;

  HWY_INLINE void move(const PointArrays& f, std::size_t p, const PointArrays& g) {
    const double low = f.u[p] - reach, high = f.u[std::min(p + rows, f.count) - 1] + reach;
    while (begin < g.count && g.u[begin] < low) ++begin;
    end = std::max(end, begin);
    while (end < g.count && g.u[end] <= high) ++end;
  }
  [[nodiscard]] HWY_INLINE std::size_t first() const { return begin / 4 * 4; }
  [[nodiscard]] HWY_INLINE std::size_t last(std::size_t padded) const {
    return std::min((end + 3) / 4 * 4, padded);
  }
};

/// Visits all points p of F with all vectors of points q of G within reach. For each q, the sum of p becomes
/// `add(sum, gauss, v_q, v_p)`; `end(p, sum)` takes the sum of all q. `load(q)` runs before the points p meet q,
/// and `store(q)` after that.
template <class Load, class Add, class Store, class End>
HWY_INLINE void for_gaussians(const PointArrays& f, const PointArrays& g, Load load, Add add, Store store,
                              End end) {
  const Tag d;
  V up[rows], vp[rows], sums[rows];
  Window window;
  for (std::size_t p = 0; p < f.count; p += rows) {
    window.move(f, p, g);
    for (std::size_t r = 0; r < rows; ++r) {
      up[r] = hn::Set(d, f.u[p + r]);
      vp[r] = hn::Set(d, f.v[p + r]);
      sums[r] = hn::Zero(d);
    }
    const std::size_t last = window.last(g.padded);
    for (std::size_t q = window.first(); q < last; q += hn::Lanes(d)) {
      const V u = hn::LoadU(d, g.u + q), v = hn::LoadU(d, g.v + q);
      load(q);
      for (std::size_t r = 0; r < rows; ++r) {
        const V du = hn::Sub(u, up[r]), dv = hn::Sub(v, vp[r]);
        const V gauss = exp2_of_negative(d, hn::NegMulSub(du, du, hn::Mul(dv, dv)));
        sums[r] = add(sums[r], gauss, v, vp[r]);
      }
      store(q);
    }
    for (std::size_t r = 0; r < rows; ++r) end(p + r, hn::GetLane(hn::SumOfLanes(d, sums[r])));
  }
}

/// The sum of w_p w_q `term(gauss, v_q, v_p)` over all p and q.
template <class Term>
HWY_INLINE double sum_of_terms(const PointArrays& f, const PointArrays& g, Term term) {
  const Tag d;
  V weights = hn::Zero(d);
  double total = 0;
  for_gaussians(
      f, g, [&](std::size_t q) HWY_ATTR { weights = hn::LoadU(d, g.weights + q); },
      [&](V sum, V gauss, V v, V vp) HWY_ATTR { return hn::MulAdd(term(gauss, v, vp), weights, sum); },
      [](std::size_t) HWY_ATTR {}, [&](std::size_t p, double sum) HWY_ATTR { total += f.weights[p] * sum; });
  return total;
}

double weighted_sum_here(const PointArrays& f, const PointArrays& g) {
  return sum_of_terms(f, g, [](V gauss, V, V) HWY_ATTR { return gauss; });
}

double mirrored_sum_here(const PointArrays& f, const PointArrays& g) {
  return sum_of_terms(f, g, [](V gauss, V v, V vp) HWY_ATTR {
    const Tag d;
    return hn::Mul(gauss, one_minus_exp2(d, hn::Mul(hn::Set(d, -4.0), hn::Mul(v, vp))));
  });
}

void direct_sums_here(const PointArrays& f, const PointArrays& g, double* on_f, double* on_g) {
  const Tag d;
  V column = hn::Zero(d);
  for_gaussians(
      f, g, [&](std::size_t q) HWY_ATTR { column = hn::LoadU(d, on_g + q); },
      [&](V sum, V gauss, V, V) HWY_ATTR {
        column = hn::Add(column, gauss);
        return hn::Add(sum, gauss);
      },
      [&](std::size_t q) HWY_ATTR { hn::StoreU(column, d, on_g + q); },
      [&](std::size_t p, double sum) HWY_ATTR { on_f[p] += sum; });
}

LineSums line_sums_here(double u, const PointArrays& g) {
  const Tag d;
  const auto* const begin = std::lower_bound(g.u, g.u + g.count, u - reach);
  const auto* const end = std::upper_bound(begin, g.u + g.count, u + reach);
  const auto first = static_cast<std::size_t>(begin - g.u) / 4 * 4;
  const V at = hn::Set(d, u);
  V projected = hn::Zero(d), lowered = hn::Zero(d);
  for (std::size_t q = first; g.u + q < end; q += hn::Lanes(d)) {
    const V du = hn::Sub(hn::LoadU(d, g.u + q), at);
    const V gauss = exp2_of_negative(d, hn::Neg(hn::Mul(du, du)));
    projected = hn::Add(projected, gauss);
    lowered = hn::MulAdd(gauss, hn::LoadU(d, g.weights + q), lowered);
  }
  return {hn::GetLane(hn::SumOfLanes(d, projected)), hn::GetLane(hn::SumOfLanes(d, lowered))};
}

/// Evaluates the even and the odd terms of both functions side by side, as polynomials in x^2.
void evaluate_series_here(const SeriesTable& table, const PointArrays& at, double* a, double* b) {
  constexpr int last = 2 * static_cast<int>(SeriesTable::terms) - 4;
  constexpr double per_unit = 1 / SeriesTable::width;
  const Tag d;
  const auto low = static_cast<double>(table.first), high = low + static_cast<double>(table.cells);
  for (std::size_t p = 0; p < at.count; ++p) {
    const double place = at.u[p] * per_unit + 0.5;
    a[p] = b[p] = 0;
    if (!(place >= low && place < high)) continue;
    const auto cell = static_cast<std::size_t>(place - low);
    const double x = at.u[p] - (low + static_cast<double>(cell)) * SeriesTable::width;
    const double* HWY_RESTRICT terms = table.values + cell * 2 * SeriesTable::terms;
    const V square = hn::Set(d, x * x);
    alignas(32) double parts[4];
    for (std::size_t l = 0; l < 4; l += hn::Lanes(d)) {
      V sum = hn::LoadU(d, terms + last + l);
      for (int k = last - 4; k >= 0; k -= 4) sum = hn::MulAdd(sum, square, hn::LoadU(d, terms + k + l));
      hn::Store(sum, d, parts + l);
    }
    a[p] = parts[0] + x * parts[2];
    b[p] = parts[1] + x * parts[3];
  }
}

double total(std::span<const double> x) {
  const Tag d;
  const std::size_t step = hn::Lanes(d);
  V sums[2] = {hn::Zero(d), hn::Zero(d)};
  std::size_t i = 0;
  for (; i + 2 * step <= x.size(); i += 2 * step)
    for (std::size_t k = 0; k < 2; ++k) sums[k] = hn::Add(sums[k], hn::LoadU(d, x.data() + i + k * step));
  double sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sums[0], sums[1])));
  for (; i < x.size(); ++i) sum += x[i];
  return sum;
}

double root_distance_here(std::span<const double> x, std::span<const double> y) {
  const Tag d;
  const double scale_x = 1 / total(x), scale_y = 1 / total(y);
  const V over_x = hn::Set(d, scale_x), over_y = hn::Set(d, scale_y);
  V squares = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= x.size(); i += hn::Lanes(d)) {
    const V root_x = hn::Sqrt(hn::Mul(hn::LoadU(d, x.data() + i), over_x));
    const V root_y = hn::Sqrt(hn::Mul(hn::LoadU(d, y.data() + i), over_y));
    const V difference = hn::Sub(root_x, root_y);
    squares = hn::MulAdd(difference, difference, squares);
  }
  double sum = hn::GetLane(hn::SumOfLanes(d, squares));
  for (; i < x.size(); ++i) {
    const double difference = std::sqrt(x[i] * scale_x) - std::sqrt(y[i] * scale_y);
    sum += difference * difference;
  }
  return sum;
}

double stencil_sum_here(const double* HWY_RESTRICT field, std::size_t stride, const double* HWY_RESTRICT u,
                        std::size_t row_count, const double* HWY_RESTRICT v, std::size_t columns) {
  const Tag d;
  V sum = hn::Zero(d);
  std::size_t k = 0;
  for (; k + hn::Lanes(d) <= columns; k += hn::Lanes(d)) {
    V even = hn::Zero(d), odd = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 <= row_count; i += 2) {
      even = hn::MulAdd(hn::Set(d, u[i]), hn::LoadU(d, field + i * stride + k), even);
      odd = hn::MulAdd(hn::Set(d, u[i + 1]), hn::LoadU(d, field + (i + 1) * stride + k), odd);
    }
    if (i < row_count) even = hn::MulAdd(hn::Set(d, u[i]), hn::LoadU(d, field + i * stride + k), even);
    sum = hn::MulAdd(hn::Add(even, odd), hn::LoadU(d, v + k), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; k < columns; ++k) {
    double column = 0;
    for (std::size_t i = 0; i < row_count; ++i) column += u[i] * field[i * stride + k];
    total += column * v[k];
  }
  return total;
}

double dot_here(std::span<const double> x, std::span<const double> y) {
  const Tag d;
  const std::size_t step = hn::Lanes(d);
  V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::size_t i = 0;
  for (; i + 4 * step <= x.size(); i += 4 * step)
    for (std::size_t k = 0; k < 4; ++k)
      sums[k] =
          hn::MulAdd(hn::LoadU(d, x.data() + i + k * step), hn::LoadU(d, y.data() + i + k * step), sums[k]);
  double total =
      hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
  for (; i < x.size(); ++i) total += x[i] * y[i];
  return total;
}

}  // namespace perslay::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::kernel {

namespace {
HWY_EXPORT(weighted_sum_here);
HWY_EXPORT(mirrored_sum_here);
HWY_EXPORT(direct_sums_here);
HWY_EXPORT(line_sums_here);
HWY_EXPORT(evaluate_series_here);
HWY_EXPORT(root_distance_here);
HWY_EXPORT(stencil_sum_here);
HWY_EXPORT(dot_here);
}  // namespace

double weighted_sum(const PointArrays& f, const PointArrays& g) {
  return HWY_DYNAMIC_DISPATCH(weighted_sum_here)(f, g);
}
double mirrored_sum(const PointArrays& f, const PointArrays& g) {
  return HWY_DYNAMIC_DISPATCH(mirrored_sum_here)(f, g);
}
void direct_sums(const PointArrays& f, const PointArrays& g, double* on_f, double* on_g) {
  HWY_DYNAMIC_DISPATCH(direct_sums_here)(f, g, on_f, on_g);
}
LineSums line_sums(double u, const PointArrays& g) { return HWY_DYNAMIC_DISPATCH(line_sums_here)(u, g); }
void evaluate_series(const SeriesTable& table, const PointArrays& at, double* a, double* b) {
  HWY_DYNAMIC_DISPATCH(evaluate_series_here)(table, at, a, b);
}
double root_distance(std::span<const double> x, std::span<const double> y) {
  return HWY_DYNAMIC_DISPATCH(root_distance_here)(x, y);
}
double stencil_sum(const double* field, std::size_t stride, const double* u, std::size_t rows,
                   const double* v, std::size_t columns) {
  return HWY_DYNAMIC_DISPATCH(stencil_sum_here)(field, stride, u, rows, v, columns);
}
double dot(std::span<const double> x, std::span<const double> y) {
  return HWY_DYNAMIC_DISPATCH(dot_here)(x, y);
}

}  // namespace perslay::kernel
#endif
