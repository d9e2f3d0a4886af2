#include <cmath>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/data/orbits.h>

namespace perslay::data {
namespace {

/// For x >= 0 the difference is exact, so it is below 1.
double modulo_one(double x) { return x - std::floor(x); }

}  // namespace

std::vector<std::string> orbit_classes() {
  std::vector<std::string> names;
  names.reserve(orbit_parameters.size());
  for (const double r : orbit_parameters) names.push_back(fmt::format("{:.1f}", r));
  return names;
}

void orbit(double r, base::RandomStream& random, std::span<PlanePoint> points) {
  if (points.empty()) return;
  double x = random.uniform();
  double y = random.uniform();
  points.front() = {x, y};
  for (PlanePoint& point : points.subspan(1)) {
    x = modulo_one(x + r * y * (1 - y));
    y = modulo_one(y + r * x * (1 - x));
    point = {x, y};
  }
}

PointCloudDataset make_orbits(const OrbitSet& set, std::size_t first, std::size_t count,
                              const base::Context& context) {
  if (first > set.size() || count > set.size() - first)
    throw base::user_error(
        fmt::format("Orbits {} to {} are asked for, but the set has {}.", first, first + count, set.size()));
  PointCloudDataset orbits;
  orbits.name = "ORBIT";
  orbits.classes = orbit_classes();
  orbits.points.resize(count * set.points);
  for (std::size_t i = 0; i < count; ++i) {
    orbits.labels.push_back(static_cast<int>((first + i) / set.per_class));
    orbits.offsets.push_back(static_cast<std::int64_t>((i + 1) * set.points));
  }
  base::parallel_for(context, "orbits", count, [&](std::size_t i) {
    base::RandomStream random(context.seed, first + i);
    orbit(orbit_parameters[static_cast<std::size_t>(orbits.labels[i])], random,
          std::span(orbits.points).subspan(i * set.points, set.points));
  });
  return orbits;
}

}  // namespace perslay::data
