#pragma once

#include "persistence/clouds.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <perslay/diagram/diagram.h>

/// Alpha persistence by its definition: the boundary matrix of the Čech complex, reduced over Z/2. Numbers are of a
/// type that holds the squares of all doubles, or of exact rationals.
namespace perslay::test {

template <class Number>
Number squared_distance(const PlanePoint& p, const PlanePoint& q) {
  const Number x = Number(p.x) - Number(q.x);
  const Number y = Number(p.y) - Number(q.y);
  return x * x + y * y;
}

/// The squared radius of the smallest circle around three points.
template <class Number>
Number squared_enclosing_radius(const PlanePoint& p, const PlanePoint& q, const PlanePoint& r) {
  std::array<Number, 3> sides{squared_distance<Number>(p, q), squared_distance<Number>(q, r),
                              squared_distance<Number>(r, p)};
  std::sort(sides.begin(), sides.end());
  const auto& [a, b, c] = sides;
  if (a + b <= c) return c / 4;
  const Number excess = a + b - c;
  const Number sixteen_areas_squared = 4 * a * b - excess * excess;
  return a * b * c / sixteen_areas_squared;
}

struct CechDiagrams {
  std::vector<diagram::Point> h0, h1;
};

/// Persistence of the Čech filtration of all points, edges and triangles. By the nerve theorem its diagrams are those
/// of the alpha filtration.
template <class Number>
CechDiagrams cech_persistence(const Cloud& cloud) {
  struct Simplex {
    Number value;
    std::vector<int> corners;
    [[nodiscard]] bool operator<(const Simplex& other) const {
      return std::tuple(value, corners.size(), corners) <
             std::tuple(other.value, other.corners.size(), other.corners);
    }
  };
  const int n = static_cast<int>(cloud.size());
  const auto at = [&](int i) -> const PlanePoint& { return cloud[static_cast<std::size_t>(i)]; };
  std::vector<Simplex> simplices;
  for (int i = 0; i < n; ++i) {
    simplices.push_back({0, {i}});
    for (int j = 0; j < i; ++j) {
      simplices.push_back({squared_distance<Number>(at(i), at(j)) / 4, {j, i}});
      for (int k = 0; k < j; ++k)
        simplices.push_back({squared_enclosing_radius<Number>(at(i), at(j), at(k)), {k, j, i}});
    }
  }
  // An obtuse triangle and its longest edge have one value by construction, an acute one exceeds its edges by
  // rounding at least: faces come first.
  std::sort(simplices.begin(), simplices.end());
  std::map<std::vector<int>, int> place;
  for (std::size_t s = 0; s < simplices.size(); ++s) place[simplices[s].corners] = static_cast<int>(s);

  CechDiagrams result;
  std::map<int, std::set<int>> reduced;  // columns by their lowest row
  for (const Simplex& simplex : simplices) {
    std::set<int> column;
    if (simplex.corners.size() > 1)
      for (std::size_t left_out = 0; left_out < simplex.corners.size(); ++left_out) {
        std::vector<int> face = simplex.corners;
        face.erase(face.begin() + static_cast<std::ptrdiff_t>(left_out));
        column.insert(place[face]);
      }
    while (!column.empty() && reduced.contains(*column.rbegin()))
      for (const int row : std::set<int>(reduced[*column.rbegin()]))
        if (!column.insert(row).second) column.erase(row);
    if (column.empty()) continue;
    const Simplex& born = simplices[static_cast<std::size_t>(*column.rbegin())];
    reduced[*column.rbegin()] = column;
    if (born.value < simplex.value)
      (simplex.corners.size() == 2 ? result.h0 : result.h1)
          .push_back({static_cast<double>(born.value), static_cast<double>(simplex.value)});
  }
  return result;
}

}  // namespace perslay::test
