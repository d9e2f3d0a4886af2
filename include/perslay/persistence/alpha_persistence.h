#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <perslay/base/hidden.h>
#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram.h>

namespace perslay::persistence {

/// The points of the cloud whose smallest circumscribed circle gives a coordinate its value: one (value 0),
/// two (half their distance, squared) or three (their circumradius, squared); unused places are -1.
/// Coordinates are differentiable functions of these points where the pairing is locally constant.
using CloudSimplex = std::array<std::int32_t, 3>;

/// The alpha complex persistence diagrams of one cloud. Points are in no particular order.
struct AlphaDiagrams {
  diagram::Diagram h0, h1;
  std::vector<CloudSimplex> h0_birth, h0_death, h1_birth, h1_death;  ///< Beside the points of h0 and h1.
  std::int64_t duplicates_merged = 0;  ///< Points equal to an earlier one; ids refer to the first.
};

struct AlphaOptions {
  /// Radii instead of squared radii (which is what GUDHI reports).
  bool radii = false;

  /// The death of the one class of H0 that never dies; without it, the class is left out.
  std::optional<double> essential_death{};
};

/// Persistence of the alpha filtration of points in the plane, dimensions 0 and 1: the Delaunay
/// triangulation, then union-find on edges (H0) and, by duality, on triangles (H1). AlphaOptions says what
/// happens to the one class of H0 that never dies. Points of zero persistence are left out. O(n log n).
///
/// Which simplices appear together is decided exactly, so that cocircular points leave no points of tiny
/// persistence; values are accurate to about 1e-15 of their size. Values do not depend on the order of rows.
/// Of two components the one whose first row is later dies; among equal values the order is that of the
/// triangulation.
///
/// The object holds work buffers: reuse it from cloud to cloud, one object per thread.
class AlphaPersistence {
 public:
  AlphaPersistence();

  /// Coordinates must be finite; otherwise an error names the row. Squared radii, or radii if they are asked for,
  /// above the largest double are an error, and so are those below the smallest normal one, about 2.2e-308. The
  /// result lives until the next call.
  const AlphaDiagrams& compute(std::span<const data::PlanePoint> points, const AlphaOptions& options = {});

 private:
  struct Work;
  base::Hidden<Work> work_;
};

/// The alpha persistence of a single cloud.
[[nodiscard]] AlphaDiagrams alpha_persistence(std::span<const data::PlanePoint> points,
                                              const AlphaOptions& options = {});

}  // namespace perslay::persistence
