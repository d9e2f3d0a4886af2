#pragma once

#include "oracle/extended.h"

namespace oracle {

/// Diagrams of the alpha filtration of points in the plane, with squared radii; classes that never die are
/// left out.
struct AlphaPoints {
  Points h0, h1;
};

/// How GUDHI computes: `exact` gives circumradii free of rounding until the last step; `safe` is its default,
/// a right triangulation with filtration values that are rounded (and wrong in places on cocircular points).
enum class AlphaArithmetic { exact, safe };

/// Alpha persistence by GUDHI: CGAL's Delaunay triangulation, the simplex tree and its persistent cohomology
/// over Z/2.
[[nodiscard]] AlphaPoints alpha_persistence(const Points& cloud, AlphaArithmetic arithmetic);

}  // namespace oracle
