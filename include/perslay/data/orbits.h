#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/random.h>
#include <perslay/data/point_cloud.h>

namespace perslay::data {

/// The parameters r of the paper's five classes of orbits, in the order of their labels 0 ... 4.
inline constexpr std::array<double, 5> orbit_parameters{2.5, 3.5, 4.0, 4.1, 4.3};

/// The names of these classes: "2.5", "3.5", "4.0", "4.1", "4.3".
[[nodiscard]] std::vector<std::string> orbit_classes();

/// An orbit of the linked twist map of the paper (section 3.2), modulo 1:
///   x' = x + r y (1 - y),   y' = y + r x' (1 - x')   (y uses the updated x).
/// The first point is (x0, y0) itself, drawn uniformly from the unit square: x0 first, then y0. r is not
/// negative; coordinates are in [0, 1).
void orbit(double r, base::RandomStream& random, std::span<PlanePoint> points);

/// A labelled set of orbits, class after class: orbit i of class c has the index c * per_class + i and is
/// drawn from the random stream (seed, index), so that the set does not depend on threads, order or on which
/// part of it is made. ORBIT5K has 1000 orbits of 1000 points per class, ORBIT100K 20 000.
struct OrbitSet {
  std::size_t per_class = 1000;
  std::size_t points = 1000;

  [[nodiscard]] std::size_t size() const noexcept { return orbit_parameters.size() * per_class; }
};

/// The orbits first ... first + count - 1 of the set, with their labels; the seed is the context's.
[[nodiscard]] PointCloudDataset make_orbits(const OrbitSet& set, std::size_t first, std::size_t count,
                                            const base::Context& context = {});

}  // namespace perslay::data
