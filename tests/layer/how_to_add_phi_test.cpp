// The example of docs/how-to-add.md: a φ called `cauchy`, as an element on vectors and as an entry of the table.
#include "elements-inl.h"
#include "point_transform_table.h"

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// ---- 1. src/layer/elements-inl.h: the element, with its derivatives

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

/// 1/(1 + s1^2 (u - c1)^2 + s2^2 (v - c2)^2); theta = (c1, c2, s1, s2).
template <class D>
struct Cauchy {
  using V = hn::Vec<D>;
  static constexpr std::size_t parameters = 4;
  static constexpr bool has_amplitude = false;
  D d;

  HWY_INLINE V value(V u, V v, V amplitude, const V* t) const {
    return derivatives(u, v, amplitude, t).value;
  }
  HWY_INLINE Derivatives<V, 4> derivatives(V u, V v, V /*amplitude*/, const V* t) const {
    const V one = hn::Set(d, hn::TFromD<D>(1)), du = hn::Sub(u, t[0]), dv = hn::Sub(v, t[1]);
    const V a = hn::Mul(t[2], du), b = hn::Mul(t[3], dv);
    const V f = hn::Div(one, hn::MulAdd(a, a, hn::MulAdd(b, b, one)));
    const V slope = hn::Mul(hn::Set(d, hn::TFromD<D>(-2)), hn::Mul(f, f));
    const V fa = hn::Mul(slope, a), fb = hn::Mul(slope, b);
    const V by_u = hn::Mul(fa, t[2]), by_v = hn::Mul(fb, t[3]);
    return {f, by_u, by_v, hn::Zero(d), {hn::Neg(by_u), hn::Neg(by_v), hn::Mul(fa, du), hn::Mul(fb, dv)}};
  }
};

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace perslay::layer {
namespace {

// ---- 2. src/layer/point_transform_table.cpp: the entry

// A new φ has an enumerator of its own in point_transform.h; this one borrows that of Gaussians.
const PhiEntry cauchy{PointTransform::Type::gaussian,
                      "cauchy",
                      {"cauchy:N", "Inverse squares of 1 + the weighted distance to a centre."},
                      sized("centres"),
                      Coordinates::birth_persistence,
                      {PhiArray::centres, PhiArray::width}};

// ---- what the library then makes of it

using Element = HWY_NAMESPACE::Cauchy<HWY_NAMESPACE::Tag<double>>;
namespace hn = hwy::HWY_NAMESPACE;

PointTransform read(std::string_view name) {
  base::Arguments arguments(name);
  PointTransform phi{.type = cauchy.type};
  cauchy.read_size(arguments, phi);
  arguments.finish();
  return phi;
}

/// u, v and theta of one feature at one point.
using Numbers = std::array<double, 2 + Element::parameters>;

/// The element's value and its derivatives by all numbers.
std::pair<double, Numbers> evaluate(const Numbers& at) {
  const HWY_NAMESPACE::Tag<double> d;
  Element::V theta[Element::parameters];
  for (std::size_t i = 0; i < Element::parameters; ++i) theta[i] = hn::Set(d, at[2 + i]);
  const auto f = Element{d}.derivatives(hn::Set(d, at[0]), hn::Set(d, at[1]), hn::Zero(d), theta);
  Numbers by{hn::GetLane(f.u), hn::GetLane(f.v)};
  for (std::size_t i = 0; i < Element::parameters; ++i) by[2 + i] = hn::GetLane(f.theta[i]);
  return {hn::GetLane(f.value), by};
}

TEST(HowToAddPhi, TheEntryReadsNamesAndMakesArrays) {
  const auto phi = read("cauchy:7");
  EXPECT_EQ(phi.count, 7U);
  std::size_t reads = 0;
  for (const auto& array : cauchy.arrays) {
    const auto shape = array.shape(phi);
    EXPECT_EQ(array.first_values(phi, {}).size(),
              std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies{}));
    reads += array.reads();
  }
  EXPECT_EQ(reads, Element::parameters);
}

TEST(HowToAddPhi, TheElementIsItsFormula) {
  const auto phi = read("cauchy:3");
  const std::vector<double> points{0.1, 0.6, 0.5, 0.7};
  std::vector<std::vector<double>> arrays;
  for (const auto& array : cauchy.arrays)
    arrays.push_back(array.first_values(phi, {.seed = 7, .stream = arrays.size()}));
  std::vector<double> u(2), v(2), amplitude(2);
  to_coordinates<double>(cauchy.coordinates, 0, points, {u.data(), v.data(), amplitude.data()});
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t j = 0; j < phi.count; ++j) {
      Numbers at{u[p], v[p]};
      std::size_t next = 2;
      for (std::size_t a = 0; a < arrays.size(); ++a)
        for (std::size_t i = 0; i < cauchy.arrays[a].reads(); ++i)
          at[next++] = arrays[a][cauchy.arrays[a].place(phi, j, i)];
      const double s = arrays[1][0];
      const double distance = std::hypot(points[2 * p] - arrays[0][2 * j],
                                         points[2 * p + 1] - points[2 * p] - arrays[0][2 * j + 1]);
      EXPECT_NEAR(evaluate(at).first, 1 / (1 + s * s * distance * distance), 1e-15);
    }
}

TEST(HowToAddPhi, TheElementHasItsDerivatives) {
  const Numbers at{0.3, 0.5, 0.4, 0.2, 3, -2};
  const auto by = evaluate(at).second;
  constexpr double step = 1e-6;
  for (std::size_t i = 0; i < at.size(); ++i) {
    auto above = at, below = at;
    above[i] += step;
    below[i] -= step;
    EXPECT_NEAR(by[i], (evaluate(above).first - evaluate(below).first) / (2 * step), 1e-9) << i;
  }
}

}  // namespace
}  // namespace perslay::layer
