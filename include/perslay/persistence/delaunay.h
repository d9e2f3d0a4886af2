#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <perslay/base/hidden.h>
#include <perslay/data/point_cloud.h>

namespace perslay::persistence {

/// The Delaunay triangulation of points in the plane, exact for all finite doubles: the circle through the
/// corners of a triangle has no point strictly inside, and the triangles cover the convex hull, whatever the
/// scale and however many points are cocircular, collinear or equal.
///
/// Divide and conquer (Guibas and Stolfi 1985) in vertical strips that are cut horizontally (Dwyer 1987); O(n
/// log n) in the worst case. Among cocircular points the result depends on coordinates alone, not on the
/// order of the rows.
///
/// The object holds work buffers: reuse it from cloud to cloud, one object per thread. What its members
/// return lives until the next call of `compute`.
class Delaunay {
 public:
  /// A place in `vertices()`.
  using Vertex = std::int32_t;

  /// Corners in counter-clockwise order; neighbour i is the triangle across the edge opposite to corner i, -1
  /// outside.
  struct Triangle {
    std::array<Vertex, 3> corner;
    std::array<std::int32_t, 3> neighbour;
  };

  Delaunay();

  /// Coordinates must be finite; otherwise an error names the row.
  void compute(std::span<const data::PlanePoint> points);

  /// The distinct points, each by the first row that holds it, in an order that keeps neighbours close in
  /// memory.
  [[nodiscard]] std::span<const std::int32_t> vertices() const noexcept;
  /// The coordinates of `vertices()`.
  [[nodiscard]] std::span<const data::PlanePoint> coordinates() const noexcept;
  /// For every row, the first row with an equal point.
  [[nodiscard]] std::span<const std::int32_t> first_equal() const noexcept;

  /// The triangles; none if all points are on one line.
  [[nodiscard]] std::span<const Triangle> triangles() const noexcept;
  /// The vertices along the line if all points are on one line (also if there are only one or two), otherwise
  /// empty.
  [[nodiscard]] std::span<const Vertex> chain() const noexcept;

 private:
  struct Work;
  base::Hidden<Work> work_;
};

}  // namespace perslay::persistence
