#pragma once

#include <span>
#include <utility>
#include <vector>

namespace oracle {

using Points = std::vector<std::pair<double, double>>;

struct ExtendedPoints {
  Points ord0, rel1, ext0, ext1;
};

/// Extended persistence of a graph by GUDHI: the coned simplex tree and its persistent cohomology over Z/2.
/// GUDHI scales the values to [-2, -1] and back, so coordinates are the input's only up to rounding; it drops
/// points on the diagonal, and a constant function gives nothing. Edges in ascending order are the fastest to
/// insert.
[[nodiscard]] ExtendedPoints extended_persistence(int vertices, std::span<const std::pair<int, int>> edges,
                                                  std::span<const double> values);

}  // namespace oracle
