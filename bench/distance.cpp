// Distances of persistence diagrams: ours beside GUDHI's bottleneck and Hera's Wasserstein distance (if built
// with it), in one process and interleaved, then ours alone on growing diagrams.
//
//   bench_distance [pairs] [largest diagram] [largest of the worst cases]
//
// GUDHI's bottleneck distance is taken with e = 0 ("exact") and with its default error, the smallest there
// is; Hera computes within 1 %, ours is exact.
#include "oracle/bottleneck.h"
#include "oracle/hera.h"
#include "persistence/clouds.h"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <span>
#include <string>

#include <fmt/format.h>

#include <perslay/diagram/distance.h>
#include <perslay/persistence/alpha_persistence.h>

namespace {

using namespace perslay;
using diagram::Point;
using Points = std::vector<Point>;

/// Seconds of processor time, which other programs on the machine disturb less than the time on the wall.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Timed {
  double value = 0;
  double milliseconds = 0;
};

template <class Call>
Timed timed(Call call) {
  const double start = now();
  const double value = call();
  return {value, 1e3 * (now() - start)};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Timed measure(const Points& a, const Points& b, const char* metric) {
  const auto parsed = diagram::parse_metric(metric);
  return timed([&] { return diagram::distance(a, b, parsed).value; });
}

oracle::Points pairs(const Points& points) {
  oracle::Points result;
  for (const auto& [birth, death] : points) result.emplace_back(birth, death);
  return result;
}

// ---- diagrams

Points uniform(std::size_t size, std::size_t, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) {
    const auto [low, high] = std::minmax({random.uniform(), random.uniform()});
    p = {low, high};
  }
  return points;
}

/// The loops of an orbit, the most persistent ones; the two diagrams of a pair are of two classes.
Points orbit_loops(std::size_t size, std::size_t which, base::RandomStream& random) {
  const double r = test::orbit_parameters[which % std::size(test::orbit_parameters)];
  auto points = persistence::alpha_persistence(test::orbit(r, 4 * size, random)).h1.points;
  std::sort(points.begin(), points.end(),
            [](const Point& p, const Point& q) { return p.death - p.birth > q.death - q.birth; });
  points.resize(std::min(points.size(), size));
  std::sort(points.begin(), points.end());
  return points;
}

/// The components of an orbit: births 0.
Points orbit_components(std::size_t size, std::size_t which, base::RandomStream& random) {
  const double r = test::orbit_parameters[which % std::size(test::orbit_parameters)];
  auto points = persistence::alpha_persistence(test::orbit(r, size + 1, random)).h0.points;
  std::sort(points.begin(), points.end());
  return points;
}

/// Points far from the diagonal, where the distance is that of two sets of points in the plane: the hardest.
Points far_away(std::size_t size, std::size_t, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) p = {random.uniform(), 10 + random.uniform()};
  return points;
}

/// Groups of points so near to each other that all pairs of two groups are about equally far.
Points clusters(std::size_t size, std::size_t count, double width, base::RandomStream& random) {
  Points centres(count);
  for (Point& p : centres) p = {random.uniform(), 8 + random.uniform()};
  Points points(size);
  for (Point& p : points) {
    const Point& centre = centres[random.below(count)];
    p = {centre.birth + width * random.uniform(), centre.death + width * random.uniform()};
  }
  return points;
}
Points one_cluster(std::size_t size, std::size_t, base::RandomStream& random) {
  return clusters(size, 1, 1e-3, random);
}
Points ten_clusters(std::size_t size, std::size_t, base::RandomStream& random) {
  return clusters(size, 10, 1e-6, random);
}

/// Points of an integer lattice far from the diagonal, side * side of them: ties.
Points on_lattice(std::size_t size, std::size_t side, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points)
    p = {static_cast<double>(random.below(side)), static_cast<double>(4 * side + random.below(side))};
  return points;
}
Points fine_lattice(std::size_t size, std::size_t, base::RandomStream& random) {
  return on_lattice(size, static_cast<std::size_t>(std::sqrt(static_cast<double>(size) / 2)), random);
}
Points coarse_lattice(std::size_t size, std::size_t, base::RandomStream& random) {
  return on_lattice(size, 5, random);
}

struct Family {
  const char* name;
  Points (*make)(std::size_t, std::size_t, base::RandomStream&);
};
constexpr Family families[] = {{"uniform", uniform},
                               {"orbits, loops", orbit_loops},
                               {"orbits, components", orbit_components},
                               {"far from the diagonal", far_away}};
constexpr Family worst_families[] = {{"a tight cluster each", one_cluster},
                                     {"ten clusters each", ten_clusters},
                                     {"lattice, n/2 places", fine_lattice},
                                     {"lattice, 25 places", coarse_lattice}};

std::pair<Points, Points> make_pair(const Family& family, std::size_t size, std::size_t item) {
  base::RandomStream random(size, item);
  auto a = family.make(size, item, random);
  auto b = family.make(size, item + 1, random);
  return {std::move(a), std::move(b)};
}

// ---- tables

/// The median times of ours and of the peer, and in how many pairs the peer's value is another one by more
/// than `tolerance`.
template <class Peer>
void compare(const Family& family, std::size_t size, std::size_t pairs_count, const char* metric,
             const char* peer_name, double tolerance, Peer peer) {
  std::vector<double> ours, theirs;
  std::size_t different = 0;
  for (std::size_t item = 0; item < pairs_count; ++item) {
    const auto [a, b] = make_pair(family, size, item);
    const auto points_a = pairs(a);
    const auto points_b = pairs(b);
    const Timed their = timed([&] { return peer(points_a, points_b); });
    const Timed our = measure(a, b, metric);
    ours.push_back(our.milliseconds);
    theirs.push_back(their.milliseconds);
    if (std::abs(their.value - our.value) > tolerance * our.value) ++different;
  }
  fmt::print("{:<22} {:<14} {:>10.3f} {:>22} {:>10.3f} {:>8.1f}x {:>10}\n", family.name, metric, median(ours),
             peer_name, median(theirs), median(theirs) / median(ours), different);
}

void compare_all(std::size_t pairs_count) {
  constexpr std::size_t size = 500;
  fmt::print("{} pairs of {} x {} points, medians\n", pairs_count, size, size);
  fmt::print("{:<22} {:<14} {:>10} {:>22} {:>10} {:>9} {:>10}\n", "diagrams", "metric", "ours, ms", "peer",
             "peer, ms", "ratio", "differ");
  const bool has_hera = oracle::hera_wasserstein_distance({}, {}, 1, 0.01).has_value();
  for (const auto& family : families) {
    compare(family, size, pairs_count, "bottleneck", "GUDHI, e = 0", 1e-14, oracle::bottleneck_distance);
    compare(family, size, pairs_count, "bottleneck", "GUDHI, default", 1e-12,
            oracle::default_bottleneck_distance);
    if (!has_hera) continue;
    compare(family, size, pairs_count, "wasserstein:1", "Hera, 1 %", 0.01,
            [](const auto& a, const auto& b) { return *oracle::hera_wasserstein_distance(a, b, 1, 0.01); });
    compare(family, size, pairs_count, "wasserstein:2", "Hera, 1 %", 0.01,
            [](const auto& a, const auto& b) { return *oracle::hera_wasserstein_distance(a, b, 2, 0.01); });
  }
  if (!has_hera) fmt::print("Built without Hera: no Wasserstein distance to compare with.\n");
}

void grow(std::span<const Family> cases, std::size_t largest, std::size_t repeats) {
  constexpr const char* metrics[] = {"bottleneck", "wasserstein:1", "wasserstein:2", "wasserstein:2~0.01"};
  fmt::print("\nms, medians of {} pairs\n{:<22} {:>8}", repeats, "diagrams", "points");
  for (const auto* const metric : metrics) fmt::print(" {:>20}", metric);
  fmt::print("\n");
  for (const auto& family : cases)
    for (const std::size_t size : {1000UL, 2000UL, 5000UL, 10000UL, 20000UL, 50000UL}) {
      if (size > largest) continue;
      fmt::print("{:<22} {:>8}", family.name, size);
      for (const auto* const metric : metrics) {
        std::vector<double> times;
        for (std::size_t item = 0; item < repeats; ++item) {
          const auto [a, b] = make_pair(family, size, item);
          times.push_back(measure(a, b, metric).milliseconds);
        }
        fmt::print(" {:>20.1f}", median(times));
      }
      fmt::print("\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
  compare_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 15);
  grow(families, argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10'000, 3);
  grow(worst_families, argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 2'000, 1);
}
