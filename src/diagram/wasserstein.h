#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/diagram/distance.h>

namespace perslay::diagram {

struct Wasserstein {
  double value = 0;
  double relative_error = 0;
  std::vector<std::int32_t> partner;  ///< For each point of a the one of b, or MatchedPair::diagonal.
};

/// The distance d_s of finite points, s = order >= 1, within a relative error; 0 asks for the exact one.
template <class Norm>
[[nodiscard]] Wasserstein wasserstein(std::span<const Point> a, std::span<const Point> b, double order,
                                      double tolerance);

}  // namespace perslay::diagram
