#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/data/point_cloud.h>

/// Point clouds, from friendly to nasty.
namespace perslay::test {

using data::PlanePoint;
using Cloud = std::vector<PlanePoint>;

inline constexpr double orbit_parameters[] = {2.5, 3.5, 4.0, 4.1, 4.3};

/// An orbit of the linked twisted map of the paper, from a random first point.
inline Cloud orbit(double r, std::size_t size, base::RandomStream& random) {
  Cloud cloud(size);
  double x = random.uniform();
  double y = random.uniform();
  for (PlanePoint& p : cloud) {
    p = {x, y};
    x = std::fmod(x + r * y * (1 - y), 1.0);
    y = std::fmod(y + r * x * (1 - x), 1.0);
  }
  return cloud;
}

inline Cloud uniform(std::size_t size, base::RandomStream& random) {
  Cloud cloud(size);
  for (PlanePoint& p : cloud) p = {random.uniform(), random.uniform()};
  return cloud;
}

inline Cloud lattice(int columns, int rows, double step = 1) {
  Cloud cloud;
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) cloud.push_back({step * i, step * j});
  return cloud;
}

/// Points of a circle, as near to it as doubles come.
inline Cloud circle(std::size_t size, base::RandomStream& random) {
  const double radius = random.uniform(0.5, 2);
  const bool regular = random.below(2) == 0;
  Cloud cloud(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double turn = regular ? static_cast<double>(i) / static_cast<double>(size) : random.uniform();
    cloud[i] = {radius * std::cos(2 * std::numbers::pi * turn),
                radius * std::sin(2 * std::numbers::pi * turn)};
  }
  return cloud;
}

/// Points with integer coordinates exactly on the circle of squared radius 5^2 13^2 17^2, and perhaps its
/// centre.
inline Cloud exact_circle(std::size_t size, base::RandomStream& random) {
  constexpr int radius = 5 * 13 * 17;
  Cloud all{{0, 0}};
  for (int x = -radius; x <= radius; ++x) {
    const int y = static_cast<int>(std::lround(std::sqrt(radius * radius - x * x)));
    if (x * x + y * y != radius * radius) continue;
    all.push_back({static_cast<double>(x), static_cast<double>(y)});
    all.push_back({static_cast<double>(x), static_cast<double>(-y)});
  }
  Cloud cloud(size);
  for (PlanePoint& p : cloud) p = all[random.below(all.size())];
  return cloud;
}

/// Tight groups of points around a few centres.
inline Cloud clusters(std::size_t size, double diameter, base::RandomStream& random) {
  const Cloud centres = uniform(1 + size / 5, random);
  Cloud cloud(size);
  for (PlanePoint& p : cloud) {
    const PlanePoint& centre = centres[random.below(centres.size())];
    p = {centre.x + diameter * random.uniform(), centre.y + diameter * random.uniform()};
  }
  return cloud;
}

/// An orbit squeezed towards a line.
inline Cloud thin_orbit(std::size_t size, base::RandomStream& random) {
  Cloud cloud = orbit(orbit_parameters[random.below(5)], size, random);
  const double thickness = std::pow(10.0, -random.uniform(1, 9));
  for (PlanePoint& p : cloud) p = {p.x, p.x * 0.5 + thickness * p.y};
  return cloud;
}

/// Points of one line, up to the rounding that makes some of them leave it.
inline Cloud nearly_collinear(std::size_t size, base::RandomStream& random) {
  const double slope = random.uniform(-3, 3);
  Cloud cloud(size);
  for (PlanePoint& p : cloud) {
    p.x = random.uniform();
    p.y = slope * p.x + 0.1;
  }
  return cloud;
}

/// Points with exactly representable coordinates on one line, in no order, some of them equal.
inline Cloud collinear(std::size_t size, base::RandomStream& random) {
  const auto a = static_cast<double>(random.below(7)) - 3;
  const auto b = static_cast<double>(random.below(7)) - 3;
  Cloud cloud(size);
  for (PlanePoint& p : cloud) {
    const auto t = static_cast<double>(random.below(40));
    p = {a * t + 1, b * t - 2};
  }
  return cloud;
}

/// Small integers: many equal, collinear and cocircular points.
inline Cloud small_integers(std::size_t size, base::RandomStream& random) {
  const std::uint64_t bound = 2 + random.below(6);
  Cloud cloud(size);
  for (PlanePoint& p : cloud)
    p = {static_cast<double>(random.below(bound)), static_cast<double>(random.below(bound))};
  return cloud;
}

/// Integers a few units in the last place around a common point: in_circle cannot be decided in floating
/// point.
inline Cloud last_places(std::size_t size, base::RandomStream& random) {
  Cloud cloud(size);
  for (PlanePoint& p : cloud)
    p = {0.5 + 0x1p-53 * static_cast<double>(random.below(9)),
         12 + 0x1p-49 * static_cast<double>(random.below(9))};
  return cloud;
}

/// Any finite double.
inline double any_double(base::RandomStream& random) {
  double x = 0;
  do x = std::bit_cast<double>(random());
  while (!std::isfinite(x));
  return x;
}

inline Cloud any_doubles(std::size_t size, base::RandomStream& random) {
  Cloud cloud(size);
  for (PlanePoint& p : cloud) p = {any_double(random), any_double(random)};
  return cloud;
}

/// Few different numbers, chosen to overflow, underflow and cancel.
inline Cloud extremes(std::size_t size, base::RandomStream& random) {
  static constexpr double numbers[] = {0.0,      -0.0,  5e-324, -5e-324,     1e-308,  1e-300, -1e-300,
                                       0x1p-450, 1e-20, 1.0,    1 + 0x1p-52, -1.0,    3.0,    1e20,
                                       0x1p240,  1e300, -1e300, 1.7e308,     -1.7e308};
  Cloud cloud(size);
  for (PlanePoint& p : cloud)
    p = {numbers[random.below(std::size(numbers))], numbers[random.below(std::size(numbers))]};
  return cloud;
}

/// The cloud at another scale; exact for powers of two as long as nothing overflows or underflows.
inline Cloud scaled(Cloud cloud, double factor) {
  for (PlanePoint& p : cloud) p = {p.x * factor, p.y * factor};
  return cloud;
}

/// A cloud of a family that makes squared radii that doubles can hold; every family in turn.
inline Cloud draw_cloud(std::size_t size, std::uint64_t item, base::RandomStream& random) {
  using Draw = Cloud (*)(std::size_t, base::RandomStream&);
  static constexpr Draw families[] = {
      uniform,
      [](std::size_t points, base::RandomStream& stream) {
        return orbit(orbit_parameters[stream.below(5)], points, stream);
      },
      [](std::size_t points, base::RandomStream& stream) { return clusters(points, 1e-9, stream); },
      circle,
      exact_circle,
      thin_orbit,
      small_integers,
      nearly_collinear,
      collinear,
      last_places};
  return families[item % std::size(families)](size, random);
}

}  // namespace perslay::test
