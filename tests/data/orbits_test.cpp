#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/data/orbits.h>

namespace perslay::data {
namespace {

std::vector<PlanePoint> orbit_of(double r, std::uint64_t seed, std::size_t points) {
  std::vector<PlanePoint> result(points);
  base::RandomStream random(seed);
  orbit(r, random, result);
  return result;
}

bool same(const PointCloudDataset& a, const PointCloudDataset& b) {
  return a.points == b.points && a.offsets == b.offsets && a.labels == b.labels && a.classes == b.classes;
}

TEST(Orbit, StartsAtTheStreamsFirstTwoNumbers) {
  base::RandomStream random(12);
  const double x = random.uniform();
  const double y = random.uniform();
  EXPECT_EQ(orbit_of(4.1, 12, 1).front(), (PlanePoint{x, y}));
  EXPECT_TRUE(orbit_of(4.1, 12, 0).empty());
}

TEST(Orbit, FollowsTheRecurrence) {
  for (const double r : orbit_parameters) {
    const auto points = orbit_of(r, 3, 200);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto [x, y] = points[i - 1];
      const double next_x = std::fmod(x + r * y * (1 - y), 1.0);
      EXPECT_DOUBLE_EQ(points[i].x, next_x);
      EXPECT_DOUBLE_EQ(points[i].y, std::fmod(y + r * next_x * (1 - next_x), 1.0));
    }
  }
}

TEST(Orbit, StandsStillWithoutATwist) {
  const auto still = orbit_of(0, 5, 4);
  for (const auto& point : still) EXPECT_EQ(point, still.front());
}

TEST(Orbit, StaysInTheHalfOpenUnitSquare) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const double r : orbit_parameters)
      for (const auto& [x, y] : orbit_of(r, seed, 2000)) {
        EXPECT_TRUE(x >= 0 && x < 1) << x;
        EXPECT_TRUE(y >= 0 && y < 1) << y;
      }
}

TEST(OrbitSet, ClassesAreTheParametersInOrder) {
  EXPECT_EQ(orbit_classes(), (std::vector<std::string>{"2.5", "3.5", "4.0", "4.1", "4.3"}));
  const OrbitSet set{.per_class = 3, .points = 10};
  const auto orbits = make_orbits(set, 0, set.size());
  ASSERT_EQ(orbits.size(), 15U);
  EXPECT_EQ(orbits.labels, (std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}));
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    EXPECT_EQ(orbits[i].size(), 10U);
    base::RandomStream random(0, i);
    std::vector<PlanePoint> expected(10);
    orbit(orbit_parameters[i / 3], random, expected);
    EXPECT_TRUE(std::ranges::equal(orbits[i], expected)) << i;
  }
}

TEST(OrbitSet, DependsOnTheSeedButNotOnThreadsOrParts) {
  const OrbitSet set{.per_class = 7, .points = 50};
  base::Context one;
  one.threads = 1;
  one.seed = 4;
  base::Context three = one;
  three.threads = 3;
  const auto whole = make_orbits(set, 0, set.size(), one);
  EXPECT_TRUE(same(whole, make_orbits(set, 0, set.size(), three)));
  const auto part = make_orbits(set, 12, 9, three);
  ASSERT_EQ(part.size(), 9U);
  for (std::size_t i = 0; i < part.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(part[i], whole[12 + i]));
    EXPECT_EQ(part.labels[i], whole.labels[12 + i]);
  }
  one.seed = 5;
  EXPECT_FALSE(same(whole, make_orbits(set, 0, set.size(), one)));
  EXPECT_THROW((void)make_orbits(set, 30, 6), base::Error);
}

}  // namespace
}  // namespace perslay::data
