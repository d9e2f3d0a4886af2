// Alpha persistence of point clouds in the plane, ours against GUDHI's default ("safe") kernel, in one
// process and interleaved, then ours alone on growing clouds.
//
//   bench_alpha_persistence [orbits per class] [largest cloud]
//
// GUDHI's time is that of the triangulation, the filtration and reading its pairs: what its users do for
// every cloud.
#include "oracle/alpha.h"
#include "persistence/clouds.h"

#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include <perslay/persistence/alpha_persistence.h>
#include <perslay/persistence/delaunay.h>

namespace {

using namespace perslay;

constexpr std::size_t orbit_points = 1000;
constexpr int rounds = 5;

/// Seconds of processor time, which other programs on the machine disturb less than the time on the wall.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds that a call takes; what it returns is added up so that it cannot be left out.
template <class Call>
double seconds(std::size_t& sum, Call call) {
  const double start = now();
  sum += call();
  return now() - start;
}

oracle::Points pairs(const test::Cloud& cloud) {
  oracle::Points points;
  for (const auto& [x, y] : cloud) points.emplace_back(x, y);
  return points;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Per class the medians over rounds of the mean time of an orbit; in a round, the two take turns orbit by
/// orbit.
void compare_on_orbits(std::size_t orbits) {
  fmt::print("{} orbits of {} points per class\n", orbits, orbit_points);
  fmt::print("{:>5} {:>14} {:>14} {:>14} {:>8}\n", "r", "delaunay us", "perslay us", "gudhi us", "ratio");
  persistence::Delaunay delaunay;
  persistence::AlphaPersistence alpha;
  std::size_t sum = 0;
  for (const double r : test::orbit_parameters) {
    std::vector<double> triangulation, ours, theirs;
    for (int round = 0; round < rounds; ++round) {
      double delaunay_time = 0, our_time = 0, their_time = 0;
      for (std::size_t item = 0; item < orbits; ++item) {
        base::RandomStream random(1, item);
        const test::Cloud cloud = test::orbit(r, orbit_points, random);
        const oracle::Points points = pairs(cloud);
        their_time += seconds(
            sum, [&] { return oracle::alpha_persistence(points, oracle::AlphaArithmetic::safe).h1.size(); });
        our_time += seconds(sum, [&] { return alpha.compute(cloud).h1.size(); });
        delaunay_time += seconds(sum, [&] {
          delaunay.compute(cloud);
          return delaunay.triangles().size();
        });
      }
      const double scale = 1e6 / static_cast<double>(orbits);
      triangulation.push_back(delaunay_time * scale);
      ours.push_back(our_time * scale);
      theirs.push_back(their_time * scale);
    }
    fmt::print("{:>5} {:>14.1f} {:>14.1f} {:>14.1f} {:>7.1f}x\n", r, median(triangulation), median(ours),
               median(theirs), median(theirs) / median(ours));
  }
  fmt::print("({} points and triangles)\n\n", sum);
}

void grow(std::size_t largest) {
  fmt::print("{:>9} {:>14} {:>14} {:>20}\n", "points", "ms", "ns per point", "ns per point log2 n");
  persistence::AlphaPersistence alpha;
  std::size_t sum = 0;
  for (std::size_t n = 1000; n <= largest; n *= 10) {
    base::RandomStream random(2, n);
    const test::Cloud cloud = test::uniform(n, random);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round)
      times.push_back(seconds(sum, [&] { return alpha.compute(cloud).h1.size(); }));
    const double nanoseconds = 1e9 * median(times) / static_cast<double>(n);
    fmt::print("{:>9} {:>14.3f} {:>14.1f} {:>20.2f}\n", n, 1e3 * median(times), nanoseconds,
               nanoseconds / std::log2(static_cast<double>(n)));
  }
  fmt::print("({} points)\n", sum);
}

}  // namespace

int main(int argc, char** argv) {
  compare_on_orbits(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40);
  grow(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000);
}
