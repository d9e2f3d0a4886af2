#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perslay::diagram {

/// A point of a persistence diagram, in the theory's order (see Kind): birth need not be below death.
struct Point {
  double birth = 0;
  double death = 0;

  friend auto operator<=>(const Point&, const Point&) = default;
};

/// The two vertices whose function values a point carries; -1 where a coordinate is no vertex's value.
struct VertexPair {
  std::int32_t birth = -1;
  std::int32_t death = -1;

  friend auto operator<=>(const VertexPair&, const VertexPair&) = default;
};

/// One persistence diagram: a multiset of points, with the vertices behind them where these are known
/// (`vertices` is then as long as `points`, otherwise empty). The order of points is of no meaning.
struct Diagram {
  std::vector<Point> points;
  std::vector<VertexPair> vertices;

  [[nodiscard]] std::size_t size() const noexcept { return points.size(); }
};

/// Puts points into the canonical order of batches, by (birth, death, vertices); `vertices` is as long as
/// `points` or empty.
void sort_points(std::span<Point> points, std::span<VertexPair> vertices);

}  // namespace perslay::diagram
