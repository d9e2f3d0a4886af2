#include "persistence/cech_complex.h"
#include "persistence/clouds.h"
#include "persistence/diagram_matching.h"

#include <array>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/persistence/alpha_persistence.h>

namespace perslay::persistence {
namespace {

using diagram::Point;
using test::Cloud;
using test::draw_cloud;
using test::PlanePoint;

// Wide enough for the squares of all doubles.
using Wide = long double;

std::vector<Point> sorted(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  return points;
}

TEST(AlphaPersistence, EqualsCechPersistence) {
  AlphaPersistence persistence;
  for (std::uint64_t item = 0; item < 1000; ++item) {
    base::RandomStream random(91, item);
    const Cloud cloud = draw_cloud(random.below(11), item, random);
    const auto expected = test::cech_persistence<Wide>(cloud);
    const AlphaDiagrams& diagrams = persistence.compute(cloud);
    ASSERT_TRUE(test::match(diagrams.h0.points, expected.h0)) << item;
    ASSERT_TRUE(test::match(diagrams.h1.points, expected.h1)) << item;
  }
}

/// Squared half lengths of the edges of a minimum spanning tree by Prim's algorithm.
std::vector<double> spanning_tree_values(const Cloud& cloud) {
  std::vector<Wide> distance(cloud.size(), HUGE_VALL);
  std::vector<bool> reached(cloud.size());
  std::vector<double> values;
  std::size_t last = 0;
  for (std::size_t step = 1; step < cloud.size(); ++step) {
    reached[last] = true;
    std::size_t nearest = cloud.size();
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      if (reached[i]) continue;
      distance[i] = std::min(distance[i], test::squared_distance<Wide>(cloud[last], cloud[i]));
      if (nearest == cloud.size() || distance[i] < distance[nearest]) nearest = i;
    }
    values.push_back(static_cast<double>(distance[nearest] / 4));
    last = nearest;
  }
  std::erase(values, 0.0);
  std::sort(values.begin(), values.end());
  return values;
}

TEST(AlphaPersistence, OfComponentsIsAMinimumSpanningTree) {
  AlphaPersistence persistence;
  for (std::uint64_t item = 0; item < 200; ++item) {
    base::RandomStream random(92, item);
    const Cloud cloud = draw_cloud(1 + random.below(400), item, random);
    const std::vector<double> expected = spanning_tree_values(cloud);
    const std::vector<Point> h0 = sorted(persistence.compute(cloud).h0.points);
    ASSERT_EQ(h0.size(), expected.size()) << item;
    for (std::size_t i = 0; i < h0.size(); ++i) {
      ASSERT_EQ(h0[i].birth, 0);
      ASSERT_NEAR(h0[i].death, expected[i], 1e-14 * expected[i]) << item;
    }
  }
}

TEST(AlphaPersistence, OfALatticeHasOneLoopPerCellAndNoDust) {
  AlphaPersistence persistence;
  for (int columns = 2; columns <= 12; ++columns)
    for (int rows = 2; rows <= 12; ++rows)
      for (const double step : {1.0, 3.0, 0x1p-30}) {
        const AlphaDiagrams& diagrams = persistence.compute(test::lattice(columns, rows, step));
        ASSERT_EQ(diagrams.h0.points,
                  std::vector(static_cast<std::size_t>(columns * rows - 1), Point{0, step * step / 4}));
        ASSERT_EQ(diagrams.h1.points, std::vector(static_cast<std::size_t>((columns - 1) * (rows - 1)),
                                                  Point{step * step / 4, step * step / 2}));
      }
}

/// However the circle is triangulated, it bounds one loop, and nothing else appears.
TEST(AlphaPersistence, OfCocircularPointsHasOneLoop) {
  AlphaPersistence persistence;
  int loops = 0;
  for (std::uint64_t item = 0; item < 500; ++item) {
    base::RandomStream random(93, item);
    Cloud cloud = test::exact_circle(5 + random.below(40), random);
    std::erase(cloud, PlanePoint{0, 0});
    const AlphaDiagrams& diagrams = persistence.compute(cloud);
    ASSERT_LE(diagrams.h1.size(), 1U) << item;
    if (diagrams.h1.size() == 1) {
      ++loops;
      constexpr double radius = 5 * 13 * 17;
      ASSERT_NEAR(diagrams.h1.points[0].death, radius * radius, 1e-14 * radius * radius) << item;
    }
  }
  EXPECT_GT(loops, 300);
}

TEST(AlphaPersistence, OfARegularPolygon) {
  const AlphaDiagrams diagrams = alpha_persistence(Cloud{{1, 0}, {0, 1}, {-1, 0}, {0, -1}});
  EXPECT_EQ(diagrams.h0.points, std::vector(3, Point{0, 0.5}));
  EXPECT_EQ(diagrams.h1.points, (std::vector<Point>{{0.5, 1}}));
  EXPECT_EQ(alpha_persistence(Cloud{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}, {.radii = true}).h1.points,
            (std::vector<Point>{{std::sqrt(0.5), 1}}));
}

TEST(AlphaPersistence, OfFewEqualOrCollinearPoints) {
  AlphaPersistence persistence;
  const auto h0 = [&](const Cloud& cloud) { return sorted(persistence.compute(cloud).h0.points); };
  EXPECT_TRUE(h0({}).empty());
  EXPECT_TRUE(h0({{1, 2}}).empty());
  EXPECT_TRUE(h0({{1, 2}, {1, 2}, {1, 2}}).empty());
  EXPECT_EQ(persistence.compute(Cloud{{1, 2}, {1, 2}, {1, 2}}).duplicates_merged, 2);
  EXPECT_EQ(h0({{1, 2}, {3, 2}}), (std::vector<Point>{{0, 1}}));
  EXPECT_EQ(h0({{4, 8}, {0, 0}, {1, 2}}), (std::vector<Point>{{0, 1.25}, {0, 11.25}}));
  EXPECT_EQ(persistence.compute(Cloud{{4, 8}, {0, 0}, {1, 2}}).h1.size(), 0U);
}

TEST(AlphaPersistence, MergesDuplicatesIntoTheFirst) {
  AlphaPersistence persistence;
  for (std::uint64_t item = 0; item < 100; ++item) {
    base::RandomStream random(94, item);
    const Cloud distinct = test::uniform(20, random);
    Cloud cloud = distinct;
    for (int copy = 0; copy < 15; ++copy) cloud.push_back(distinct[random.below(distinct.size())]);
    const AlphaDiagrams expected = alpha_persistence(distinct);
    const AlphaDiagrams& diagrams = persistence.compute(cloud);
    ASSERT_EQ(diagrams.duplicates_merged, 15);
    ASSERT_EQ(diagrams.h0.points, expected.h0.points);
    ASSERT_EQ(diagrams.h1.points, expected.h1.points);
    ASSERT_EQ(diagrams.h0_birth, expected.h0_birth);
    ASSERT_EQ(diagrams.h0_death, expected.h0_death);
    ASSERT_EQ(diagrams.h1_birth, expected.h1_birth);
    ASSERT_EQ(diagrams.h1_death, expected.h1_death);
  }
}

/// The value that the points of a simplex give.
double value_of(const CloudSimplex& simplex, const Cloud& cloud) {
  const auto at = [&](std::size_t i) -> const PlanePoint& {
    return cloud[static_cast<std::size_t>(simplex[i])];
  };
  if (simplex[1] < 0) return 0;
  if (simplex[2] < 0) return static_cast<double>(test::squared_distance<Wide>(at(0), at(1)) / 4);
  return static_cast<double>(test::squared_enclosing_radius<Wide>(at(0), at(1), at(2)));
}

TEST(AlphaPersistence, NamesThePointsBehindEveryCoordinate) {
  AlphaPersistence persistence;
  for (std::uint64_t item = 0; item < 300; ++item) {
    base::RandomStream random(95, item);
    const Cloud cloud = draw_cloud(random.below(200), item, random);
    const AlphaDiagrams& d = persistence.compute(cloud);
    ASSERT_TRUE(d.h0_birth.size() == d.h0.size() && d.h0_death.size() == d.h0.size());
    ASSERT_TRUE(d.h1_birth.size() == d.h1.size() && d.h1_death.size() == d.h1.size());
    const auto expect_value = [&](double value, const CloudSimplex& simplex) {
      ASSERT_NEAR(value, value_of(simplex, cloud), 1e-9 * value) << item;
    };
    std::set<std::int32_t> dead;
    for (std::size_t i = 0; i < d.h0.size(); ++i) {
      ASSERT_EQ(d.h0_birth[i][1], -1);
      ASSERT_TRUE(d.h0_birth[i][0] > 0 && dead.insert(d.h0_birth[i][0]).second);  // the first row never dies
      ASSERT_NO_FATAL_FAILURE(expect_value(d.h0.points[i].death, d.h0_death[i]));
    }
    for (std::size_t i = 0; i < d.h1.size(); ++i) {
      ASSERT_LT(d.h1.points[i].birth, d.h1.points[i].death);
      ASSERT_EQ(d.h1_birth[i][2], -1);
      ASSERT_GE(d.h1_death[i][2], 0);
      ASSERT_NO_FATAL_FAILURE(expect_value(d.h1.points[i].birth, d.h1_birth[i]));
      ASSERT_NO_FATAL_FAILURE(expect_value(d.h1.points[i].death, d.h1_death[i]));
    }
  }
}

TEST(AlphaPersistence, DoesNotDependOnTheOrderOfRowsNorOnEarlierClouds) {
  AlphaPersistence reused;
  for (std::uint64_t item = 0; item < 300; ++item) {
    base::RandomStream random(96, item);
    Cloud cloud = draw_cloud(random.below(150), item, random);
    const AlphaDiagrams expected = alpha_persistence(cloud);
    std::shuffle(cloud.begin(), cloud.end(), random);
    const AlphaDiagrams& diagrams = reused.compute(cloud);
    ASSERT_EQ(diagrams.h0.points, expected.h0.points) << item;
    ASSERT_EQ(diagrams.h1.points, expected.h1.points) << item;
    ASSERT_EQ(diagrams.duplicates_merged, expected.duplicates_merged) << item;
  }
}

std::vector<Point> scaled(std::vector<Point> points, double factor) {
  for (auto& [birth, death] : points) {
    birth *= factor;
    death *= factor;
  }
  return points;
}

TEST(AlphaPersistence, ScalesWithTheCloud) {
  AlphaPersistence persistence;
  for (std::uint64_t item = 0; item < 200; ++item) {
    base::RandomStream random(97, item);
    // Multiples of 2^-20, so that the smallest scale loses nothing.
    Cloud cloud = draw_cloud(random.below(60), item, random);
    for (auto& [x, y] : cloud) {
      x = std::round(x * 0x1p20) * 0x1p-20;
      y = std::round(y * 0x1p20) * 0x1p-20;
    }
    const AlphaDiagrams squared = alpha_persistence(cloud);
    for (const double scale : {0x1p-400, 0x1p-200, 0x1p+200, 0x1p+490}) {
      const AlphaDiagrams& diagrams = persistence.compute(test::scaled(cloud, scale));
      ASSERT_EQ(diagrams.h0.points, scaled(squared.h0.points, scale * scale)) << item << ' ' << scale;
      ASSERT_TRUE(test::match(diagrams.h1.points, scaled(squared.h1.points, scale * scale)))
          << item << ' ' << scale;
    }
    const AlphaDiagrams radii = alpha_persistence(cloud, {.radii = true});
    for (const double scale : {0x1p-1000, 0x1p-500, 0x1p+500, 0x1p+1000}) {
      const AlphaDiagrams& diagrams = persistence.compute(test::scaled(cloud, scale), {.radii = true});
      ASSERT_TRUE(test::match(diagrams.h0.points, scaled(radii.h0.points, scale))) << item << ' ' << scale;
      ASSERT_TRUE(test::match(diagrams.h1.points, scaled(radii.h1.points, scale))) << item << ' ' << scale;
    }
  }
}

TEST(AlphaPersistence, RefusesSquaredRadiiBeyondTheLargestNumber) {
  const Cloud cloud{{0, 0}, {1e300, 0}, {0, 1e300}};
  try {
    static_cast<void>(alpha_persistence(cloud));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    EXPECT_TRUE(std::string(error.what()).starts_with("Squared radii"));
  }
  EXPECT_EQ(alpha_persistence(cloud, {.radii = true}).h0.points, std::vector(2, Point{0, 5e299}));
}

TEST(AlphaPersistence, RefusesRadiiThatNumbersCannotHold) {
  const auto sentence = [](double unit, bool radii) {
    const Cloud cloud{{0, 0}, {3 * unit, 0}, {0, 4 * unit}};
    try {
      EXPECT_EQ(alpha_persistence(cloud, {.radii = radii}).h0.points.size(), 2U);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::user);
      return std::string(error.what());
    }
    return std::string();
  };
  for (const double unit : {1e-170, 1e-157, 1e-300})  // 0, few digits, 0
    EXPECT_EQ(sentence(unit, false),
              "Squared radii of the point cloud fall below 2.2250738585072014e-308, where numbers lose their "
              "digits; "
              "take radii (alpha:radii) or scale it up, by a smaller unit of length.");
  EXPECT_EQ(sentence(1e-150, false), "");
  for (const double unit : {1e-170, 1e-300}) EXPECT_EQ(sentence(unit, true), "");
  EXPECT_EQ(sentence(1e-308, true),
            "Radii of the point cloud fall below 2.2250738585072014e-308, where numbers lose "
            "their digits; scale it up, by a smaller unit of length.");
  // Two points that are close together are enough.
  EXPECT_THROW(static_cast<void>(alpha_persistence(Cloud{{0, 0}, {1e-170, 0}, {1, 1}})), base::Error);
  EXPECT_EQ(alpha_persistence(Cloud{{0, 0}, {0, 0}, {1, 1}}).h0.points.size(), 1U);
}

TEST(AlphaPersistence, NamesTheRowThatIsNotFinite) {
  try {
    static_cast<void>(alpha_persistence(Cloud{{0, 0}, {1, std::nan("")}, {2, 3}}));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("Row 1 "), std::string::npos) << error.what();
  }
}

/// Any finite doubles: an answer or the one refusal, never NaN.
TEST(AlphaPersistence, OfAnyDoubles) {
  AlphaPersistence persistence;
  int answers = 0;
  for (std::uint64_t item = 0; item < 3000; ++item) {
    base::RandomStream random(98, item);
    const std::size_t size = random.below(13);
    const Cloud cloud = item % 2 == 0 ? test::any_doubles(size, random) : test::extremes(size, random);
    try {
      const AlphaDiagrams& diagrams = persistence.compute(cloud, {.radii = true});
      ++answers;
      for (const auto& [birth, death] : diagrams.h0.points)
        ASSERT_TRUE(birth == 0 && death > 0 && std::isfinite(death));
      for (const auto& [birth, death] : diagrams.h1.points)
        ASSERT_TRUE(birth > 0 && death > birth && std::isfinite(death));
    } catch (const base::Error& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("Radii")) << error.what();
    }
  }
  EXPECT_GT(answers, 1000);
}

TEST(AlphaPersistence, LetsTheEssentialClassDieWhereAsked) {
  const Cloud cloud{{0, 0}, {2, 0}, {0, 0}, {10, 0}};
  const auto dropped = alpha_persistence(cloud);
  EXPECT_EQ(dropped.h0.size(), 2U);
  const auto clipped = alpha_persistence(cloud, {.essential_death = 100.0});
  ASSERT_EQ(clipped.h0.size(), 3U);
  EXPECT_EQ(clipped.h0.points.back(), (diagram::Point{0, 100}));
  EXPECT_EQ(clipped.h0_birth.back(), (CloudSimplex{0, -1, -1}));
  EXPECT_EQ(clipped.h0_death.back(), (CloudSimplex{-1, -1, -1}));
  EXPECT_EQ(alpha_persistence({}, {.essential_death = 1.0}).h0.size(), 0U);
  for (const double bad : {std::nan(""), 0.0, -1.0})
    EXPECT_THROW((void)alpha_persistence(cloud, {.essential_death = bad}), base::Error);
}

}  // namespace
}  // namespace perslay::persistence
