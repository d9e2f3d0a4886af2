#pragma once

#include <perslay/diagram/distance.h>

namespace perslay::diagram {

/// A distance of finite points, in either norm of ground_norm.h.
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
