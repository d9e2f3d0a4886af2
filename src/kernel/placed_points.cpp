#include "placed_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::kernel {
namespace {

/// Bounds of coordinates in units of the width. Differences of such coordinates are finite; their squares need
/// not be.
constexpr double farthest = 1e300;
constexpr double nowhere = 1e305;

}  // namespace

void check_coordinates(const diagram::DiagramBatch& diagrams) {
  for (std::size_t item = 0; item < diagrams.size(); ++item)
    for (const auto& [birth, death] : diagrams[item])
      if (!(std::abs(birth) <= largest_coordinate && std::abs(death) <= largest_coordinate))
        throw base::user_error(
            fmt::format("Item {} has the point ({}, {}), and kernels need finite coordinates of at most {}; "
                        "leave such points out or clip them first.",
                        item, birth, death, largest_coordinate));
}

PlacedPoints place(std::span<const diagram::Point> points, double width) {
  const double unit = std::sqrt(std::numbers::log2e / 2) / width;
  PlacedPoints placed{.count = points.size()};
  std::vector<diagram::Point> turned;
  turned.reserve(points.size());
  for (const auto& [birth, death] : points) {
    // The sum of two coordinates could overflow; the sum of their halves cannot.
    const double u = (birth / 2 + death / 2) * std::numbers::sqrt2 * unit;
    const double v = (death / 2 - birth / 2) * std::numbers::sqrt2 * unit;
    if (!(std::abs(u) <= farthest && std::abs(v) <= farthest))
      throw base::user_error(
          fmt::format("The point ({}, {}) is too far out for a kernel of width {}.", birth, death, width));
    turned.push_back({u, v});
  }
  std::ranges::sort(turned);
  placed.u.assign(padded(points.size()), nowhere);
  placed.v.assign(padded(points.size()), 0);
  placed.persistence.resize(points.size());
  for (std::size_t i = 0; i < turned.size(); ++i) {
    placed.u[i] = turned[i].birth;
    placed.v[i] = turned[i].death;
    placed.persistence[i] = std::abs(turned[i].death) * std::numbers::sqrt2 / unit;
  }
  return placed;
}

bool in_order(const PlacedPoints& a, const PlacedPoints& b) {
  if (a.count != b.count) return a.count > b.count;
  return a.u != b.u ? a.u <= b.u : a.v <= b.v;
}

}  // namespace perslay::kernel
