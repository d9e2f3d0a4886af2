#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <perslay/diagram/distance.h>

namespace perslay::diagram {

/// The points of a diagram, sorted by what can happen to them. Indices refer to the diagram.
struct PointKinds {
  std::vector<Point> finite;
  std::vector<std::int32_t> finite_ids;
  std::vector<std::int32_t> infinite_ids;  ///< With an infinite coordinate, away from the diagonal.
  std::vector<std::int32_t> on_diagonal;   ///< With twice the same infinity.
};

[[nodiscard]] PointKinds sort_by_kind(std::span<const Point> points);

/// The best matching of the infinite points of two diagrams, the same one for all orders: those with the same
/// infinite coordinates in the order of the finite one. Nothing if there are not as many in both.
[[nodiscard]] std::optional<std::vector<MatchedPair>> match_infinite(std::span<const Point> a,
                                                                     std::span<const std::int32_t> ids_a,
                                                                     std::span<const Point> b,
                                                                     std::span<const std::int32_t> ids_b);

}  // namespace perslay::diagram
