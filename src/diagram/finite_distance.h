#pragma once

#include <algorithm>
#include <cmath>

#include <perslay/diagram/distance.h>

namespace perslay::diagram {

/// Lengths of vectors in the plane. A length never falls when a component grows, even after rounding;
/// searches in boxes rely on that.
struct InfinityNorm {
  double operator()(double x, double y) const noexcept { return std::max(std::abs(x), std::abs(y)); }
};

struct EuclideanNorm {
  double operator()(double x, double y) const noexcept {
    const double larger = std::max(std::abs(x), std::abs(y));
    // Squares outside of this range would overflow, or lose digits.
    return larger > 1e-140 && larger < 1e140 ? std::sqrt(x * x + y * y) : std::hypot(x, y);
  }
};

template <class Norm>
double length(Point a, Point b) noexcept {
  return Norm{}(a.birth - b.birth, a.death - b.death);
}

/// The distance of a finite point to the diagonal.
template <class Norm>
double to_diagonal(Point p) noexcept {
  const double height = p.death - p.birth;
  const double half = std::isfinite(height) ? height / 2 : p.death / 2 - p.birth / 2;
  return Norm{}(half, half);
}

/// A distance of finite points, in either norm.
struct FiniteDistance {
  double value = 0;
  double relative_error = 0;
  std::vector<std::int32_t> partner;  ///< For each point of a the one of b, or MatchedPair::diagonal.
};

template <class Norm>
[[nodiscard]] FiniteDistance bottleneck(std::span<const Point> a, std::span<const Point> b);

/// The distance d_s, s = order >= 1, within a relative error; 0 asks for the exact one.
template <class Norm>
[[nodiscard]] FiniteDistance wasserstein(std::span<const Point> a, std::span<const Point> b, double order,
                                         double tolerance);

}  // namespace perslay::diagram
