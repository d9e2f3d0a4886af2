#include "predicates.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

namespace perslay::persistence {
namespace {

// 512 bits without an allocation serve all points whose coordinates span less than about 120 binary digits.
using Integer =
    boost::multiprecision::number<boost::multiprecision::cpp_int_backend<512>, boost::multiprecision::et_off>;

struct Vector {
  Integer x, y;
};

Integer cross(const Vector& a, const Vector& b) { return a.x * b.y - a.y * b.x; }
Integer dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y; }

/// A double as mantissa * 2^exponent; the exponent of 0 is larger than all.
struct Parts {
  explicit Parts(double x) {
    constexpr int digits = std::numeric_limits<double>::digits;
    mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), digits));
    exponent = mantissa == 0 ? std::numeric_limits<int>::max() : exponent - digits;
  }
  std::int64_t mantissa;
  int exponent;
};

/// The vectors from `origin` to the points, in units of a power of two that makes all coordinates integers.
template <std::size_t N>
std::array<Vector, N> vectors(const data::PlanePoint& origin, const std::array<data::PlanePoint, N>& points) {
  int unit = std::numeric_limits<int>::max();
  const auto refine_unit = [&](const data::PlanePoint& p) {
    unit = std::min({unit, Parts(p.x).exponent, Parts(p.y).exponent});
  };
  refine_unit(origin);
  for (const auto& p : points) refine_unit(p);

  const auto integer = [&](double x) {
    const Parts parts(x);
    Integer value = parts.mantissa;
    if (parts.mantissa != 0) value <<= parts.exponent - unit;
    return value;
  };
  const Integer x = integer(origin.x);
  const Integer y = integer(origin.y);
  std::array<Vector, N> result;
  for (std::size_t i = 0; i < N; ++i) result[i] = {integer(points[i].x) - x, integer(points[i].y) - y};
  return result;
}

}  // namespace

bool Predicates::left_turn_exactly(const Point& a, const Point& b, const Point& c) {
  const auto [u, v] = vectors<2>(c, {a, b});
  return cross(u, v) > 0;
}

bool Predicates::in_circle_exactly(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto [u, v, w] = vectors<3>(d, {a, b, c});
  return dot(u, u) * cross(v, w) + dot(v, v) * cross(w, u) + dot(w, w) * cross(u, v) > 0;
}

bool Predicates::acute_exactly(const Point& corner, const Point& a, const Point& b) {
  const auto [u, v] = vectors<2>(corner, {a, b});
  return dot(u, v) > 0;
}

}  // namespace perslay::persistence
