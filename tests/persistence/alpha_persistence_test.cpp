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
using test::PlanePoint;

// Wide enough for the squares of all doubles.
using Wide = long double;

Wide squared_distance(const PlanePoint& p, const PlanePoint& q) {
  const Wide x = static_cast<Wide>(p.x) - static_cast<Wide>(q.x);
  const Wide y = static_cast<Wide>(p.y) - static_cast<Wide>(q.y);
  return x * x + y * y;
}

/// The squared radius of the smallest circle around three points.
Wide squared_enclosing_radius(const PlanePoint& p, const PlanePoint& q, const PlanePoint& r) {
  std::array<Wide, 3> sides{squared_distance(p, q), squared_distance(q, r), squared_distance(r, p)};
  std::sort(sides.begin(), sides.end());
  const auto [a, b, c] = sides;
  if (a + b <= c) return c / 4;
  const Wide sixteen_areas_squared = 4 * a * b - (a + b - c) * (a + b - c);
  return a * b * c / sixteen_areas_squared;
}

struct Persistence {
  std::vector<Point> h0, h1;
};

/// Persistence of the Čech filtration of all points, edges and triangles by reducing the boundary matrix. By
/// the nerve theorem its diagrams are those of the alpha filtration.
Persistence cech_persistence(const Cloud& cloud) {
  struct Simplex {
    Wide value;
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
      simplices.push_back({squared_distance(at(i), at(j)) / 4, {j, i}});
      for (int k = 0; k < j; ++k)
        simplices.push_back({squared_enclosing_radius(at(i), at(j), at(k)), {k, j, i}});
    }
  }
  // An obtuse triangle and its longest edge have one value by construction, an acute one exceeds its edges by
  // rounding at least: faces come first.
  std::sort(simplices.begin(), simplices.end());
  std::map<std::vector<int>, int> place;
  for (std::size_t s = 0; s < simplices.size(); ++s) place[simplices[s].corners] = static_cast<int>(s);

  Persistence result;
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

Cloud draw_orbit(std::size_t size, base::RandomStream& random) {
  return test::orbit(test::orbit_parameters[random.below(5)], size, random);
}
Cloud draw_clusters(std::size_t size, base::RandomStream& random) {
  return test::clusters(size, 1e-9, random);
}

constexpr Cloud (*families[])(std::size_t, base::RandomStream&) = {
    test::uniform,    draw_orbit,           draw_clusters,          test::circle,    test::exact_circle,
    test::thin_orbit, test::small_integers, test::nearly_collinear, test::collinear, test::last_places};

Cloud draw_cloud(std::size_t size, std::uint64_t item, base::RandomStream& random) {
  return families[item % std::size(families)](size, random);
}

std::vector<Point> sorted(std::vector<Point> points) {
  std::sort(points.begin(), points.end());
  return points;
}

TEST(AlphaPersistence, EqualsCechPersistence) {
  AlphaPersistence persistence;
  for (std::uint64_t item = 0; item < 1000; ++item) {
    base::RandomStream random(91, item);
    const Cloud cloud = draw_cloud(random.below(11), item, random);
    const Persistence expected = cech_persistence(cloud);
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
      distance[i] = std::min(distance[i], squared_distance(cloud[last], cloud[i]));
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
  if (simplex[2] < 0) return static_cast<double>(squared_distance(at(0), at(1)) / 4);
  return static_cast<double>(squared_enclosing_radius(at(0), at(1), at(2)));
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
