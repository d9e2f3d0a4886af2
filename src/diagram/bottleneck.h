#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/diagram/distance.h>

namespace perslay::diagram {

struct Bottleneck {
  double value = 0;
  std::vector<std::int32_t> partner;  ///< For each point of a the one of b, or MatchedPair::diagonal.
};

/// The bottleneck distance of finite points in either norm, and a matching that attains it.
template <class Norm>
[[nodiscard]] Bottleneck bottleneck(std::span<const Point> a, std::span<const Point> b);

}  // namespace perslay::diagram
