#include "persistence/clouds.h"

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <perslay/base/error.h>
#include <perslay/persistence/delaunay.h>

namespace perslay::persistence {
namespace {

using test::Cloud;
using test::PlanePoint;
using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

struct IntegerPoint {
  Integer x, y;
};

/// The points in units in which all coordinates are integers.
std::vector<IntegerPoint> integer_points(std::span<const PlanePoint> points) {
  Integer unit = 1;
  for (const auto& [x, y] : points)
    for (const double coordinate : {x, y}) unit = std::max(unit, Integer(denominator(Rational(coordinate))));
  std::vector<IntegerPoint> result;
  for (const auto& [x, y] : points)
    result.push_back({numerator(Rational(x) * unit), numerator(Rational(y) * unit)});
  return result;
}

/// Twice the area of a triangle, positive if its corners are in counter-clockwise order.
Integer area(const IntegerPoint& a, const IntegerPoint& b, const IntegerPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Positive if d is inside the circle: the determinant of rows (x, y, x^2 + y^2) relative to d.
Integer circle_power(const IntegerPoint& a, const IntegerPoint& b, const IntegerPoint& c,
                     const IntegerPoint& d) {
  const auto row = [&](const IntegerPoint& p) {
    const Integer x = p.x - d.x;
    const Integer y = p.y - d.y;
    return std::array<Integer, 3>{x, y, x * x + y * y};
  };
  const auto p = row(a), q = row(b), r = row(c);
  return p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) +
         p[2] * (q[0] * r[1] - q[1] * r[0]);
}

/// Twice the area of the convex hull.
Integer hull_area(std::vector<IntegerPoint> points) {
  std::sort(points.begin(), points.end(),
            [](const auto& p, const auto& q) { return std::tie(p.x, p.y) < std::tie(q.x, q.y); });
  Integer sum = 0;
  for (int half = 0; half < 2; ++half) {  // the lower hull, then the upper one
    std::vector<IntegerPoint> hull;
    for (const IntegerPoint& p : points) {
      while (hull.size() >= 2 && area(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    for (std::size_t i = 1; i < hull.size(); ++i)
      sum += hull[i - 1].x * hull[i].y - hull[i - 1].y * hull[i].x;
    std::reverse(points.begin(), points.end());
  }
  return sum;
}

void expect_distinct_points(const Delaunay& delaunay, const Cloud& cloud) {
  std::vector<std::int32_t> firsts;
  for (std::size_t row = 0; row < cloud.size(); ++row) {
    const auto first = std::find(cloud.begin(), cloud.end(), cloud[row]) - cloud.begin();
    ASSERT_EQ(delaunay.first_equal()[row], first);
    if (static_cast<std::size_t>(first) == row) firsts.push_back(static_cast<std::int32_t>(row));
  }
  std::vector<std::int32_t> vertices(delaunay.vertices().begin(), delaunay.vertices().end());
  ASSERT_EQ(delaunay.coordinates().size(), vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v)
    ASSERT_EQ(delaunay.coordinates()[v], cloud[static_cast<std::size_t>(vertices[v])]);
  std::sort(vertices.begin(), vertices.end());
  ASSERT_EQ(vertices, firsts);
}

/// Every edge belongs to the triangle on its left, and the neighbour across is the one that has it reversed.
void expect_neighbours_share_edges(const Delaunay& delaunay) {
  std::map<std::pair<int, int>, int> left_of;
  const auto triangles = delaunay.triangles();
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::pair edge(triangles[t].corner[(i + 1) % 3], triangles[t].corner[(i + 2) % 3]);
      ASSERT_TRUE(left_of.emplace(edge, static_cast<int>(t)).second);
    }
  for (const auto& triangle : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto across = left_of.find({triangle.corner[(i + 2) % 3], triangle.corner[(i + 1) % 3]});
      ASSERT_EQ(triangle.neighbour[i], across == left_of.end() ? -1 : across->second);
    }
}

/// V - E + F = 2, with the outer face.
void expect_euler(const Delaunay& delaunay) {
  std::size_t halves = 0;
  std::set<int> used;
  for (const auto& triangle : delaunay.triangles())
    for (std::size_t i = 0; i < 3; ++i) {
      halves += triangle.neighbour[i] < 0 ? 2U : 1U;
      used.insert(triangle.corner[i]);
    }
  ASSERT_EQ(used.size(), delaunay.vertices().size());
  ASSERT_EQ(used.size() + delaunay.triangles().size() + 1, halves / 2 + 2);
}

void expect_chain(const Delaunay& delaunay, const std::vector<IntegerPoint>& points) {
  const auto chain = delaunay.chain();
  ASSERT_EQ(std::set<int>(chain.begin(), chain.end()).size(), points.size());
  ASSERT_EQ(chain.size(), points.size());
  const auto at = [&](std::size_t i) -> const IntegerPoint& {
    return points[static_cast<std::size_t>(chain[i])];
  };
  for (std::size_t i = 2; i < chain.size(); ++i) {
    ASSERT_EQ(area(at(i - 2), at(i - 1), at(i)), 0);
    ASSERT_GT((at(i - 1).x - at(i - 2).x) * (at(i).x - at(i - 1).x) +
                  (at(i - 1).y - at(i - 2).y) * (at(i).y - at(i - 1).y),
              0);
  }
}

/// All that makes a Delaunay triangulation, in exact arithmetic: counter-clockwise triangles whose areas add
/// up to that of the convex hull, glued along edges, and no vertex inside a circumscribed circle.
void expect_valid(const Delaunay& delaunay, const Cloud& cloud) {
  ASSERT_NO_FATAL_FAILURE(expect_distinct_points(delaunay, cloud));
  const std::vector<IntegerPoint> points = integer_points(delaunay.coordinates());
  Integer covered = 0;
  for (const auto& triangle : delaunay.triangles()) {
    const auto corner = [&](std::size_t i) -> const IntegerPoint& {
      return points[static_cast<std::size_t>(triangle.corner[i])];
    };
    const Integer size = area(corner(0), corner(1), corner(2));
    ASSERT_GT(size, 0);
    covered += size;
    for (const IntegerPoint& p : points) ASSERT_LE(circle_power(corner(0), corner(1), corner(2), p), 0);
  }
  ASSERT_EQ(covered, hull_area(points));
  if (covered == 0) {
    ASSERT_NO_FATAL_FAILURE(expect_chain(delaunay, points));
    return;
  }
  ASSERT_TRUE(delaunay.chain().empty());
  ASSERT_NO_FATAL_FAILURE(expect_neighbours_share_edges(delaunay));
  ASSERT_NO_FATAL_FAILURE(expect_euler(delaunay));
}

struct Family {
  const char* name;
  Cloud (*draw)(std::size_t size, base::RandomStream& random);
  std::size_t most_points;
  std::uint64_t clouds;
};

class DelaunayOn : public testing::TestWithParam<Family> {};

TEST_P(DelaunayOn, IsValid) {
  Delaunay delaunay;
  for (std::uint64_t item = 0; item < GetParam().clouds; ++item) {
    base::RandomStream random(71, item);
    const Cloud cloud = GetParam().draw(random.below(GetParam().most_points + 1), random);
    delaunay.compute(cloud);
    ASSERT_NO_FATAL_FAILURE(expect_valid(delaunay, cloud)) << "cloud " << item;
  }
}

Cloud draw_orbit(std::size_t size, base::RandomStream& random) {
  return test::orbit(test::orbit_parameters[random.below(5)], size, random);
}
Cloud draw_lattice(std::size_t size, base::RandomStream& random) {
  const auto columns = static_cast<int>(1 + random.below(6));
  const double steps[] = {1, 0.1, 1e-9, 1.0 / 3};
  return test::lattice(columns, static_cast<int>(size) / columns, steps[random.below(4)]);
}
Cloud draw_clusters(std::size_t size, base::RandomStream& random) {
  return test::clusters(size, 1e-9, random);
}
/// Any family, with its coordinates moved by powers of two to where products overflow or underflow.
Cloud draw_far_scaled(std::size_t size, base::RandomStream& random) {
  const Cloud cloud = random.below(2) == 0 ? test::small_integers(size, random) : draw_orbit(size, random);
  return test::scaled(cloud, std::ldexp(1.0, static_cast<int>(random.below(2040)) - 1030));
}
/// Random bits in which only the exponent is tamed, so that points of very different scales meet.
Cloud draw_mixed_scales(std::size_t size, base::RandomStream& random) {
  Cloud cloud(size);
  const auto coordinate = [&] {
    return std::ldexp(random.uniform(-1, 1), -static_cast<int>(random.below(80))) *
           (random.below(4) == 0 ? 0 : 1);
  };
  for (PlanePoint& p : cloud) p = {coordinate(), coordinate()};
  return cloud;
}

INSTANTIATE_TEST_SUITE_P(Families, DelaunayOn,
                         testing::Values(Family{"uniform", test::uniform, 40, 200},
                                         Family{"orbits", draw_orbit, 40, 200},
                                         Family{"lattices", draw_lattice, 40, 400},
                                         Family{"circles", test::circle, 30, 200},
                                         Family{"exact_circles", test::exact_circle, 30, 400},
                                         Family{"clusters", draw_clusters, 30, 400},
                                         Family{"thin_orbits", test::thin_orbit, 30, 400},
                                         Family{"nearly_collinear", test::nearly_collinear, 30, 400},
                                         Family{"collinear", test::collinear, 30, 300},
                                         Family{"small_integers", test::small_integers, 30, 1000},
                                         Family{"last_places", test::last_places, 30, 500},
                                         Family{"far_scaled", draw_far_scaled, 12, 1500},
                                         Family{"mixed_scales", draw_mixed_scales, 16, 1000},
                                         Family{"any_doubles", test::any_doubles, 12, 1500},
                                         Family{"extremes", test::extremes, 12, 3000}),
                         [](const auto& family) { return std::string(family.param.name); });

/// Any finite double by its bits; few different small integers, for ties; numbers one rounding apart; a fine
/// grid.
rc::Gen<double> any_coordinate() {
  const auto bits = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t pattern) {
    const auto value = std::bit_cast<double>(pattern);
    return std::isfinite(value) ? value : 0.0;
  });
  const auto scaled = [](int low, int high, double origin, double step) {
    return rc::gen::map(rc::gen::inRange(low, high), [=](int i) { return origin + i * step; });
  };
  return rc::gen::oneOf(bits, scaled(-3, 4, 0, 1), scaled(-4, 5, 1, 0x1p-52), scaled(0, 1001, 0, 1e-3));
}

// Clouds that fail are shrunk to small ones and printed with their seed.
TEST(Delaunay, OfAnyCloudIsValid) {
  EXPECT_TRUE(rc::check("the triangulation of any cloud is valid", [] {
    const auto point = rc::gen::construct<PlanePoint>(any_coordinate(), any_coordinate());
    const auto cloud = *rc::gen::resize(14, rc::gen::container<Cloud>(point));
    Delaunay delaunay;
    delaunay.compute(cloud);
    // Failures while shrinking are no failures of the test: they are caught here.
    testing::TestPartResultArray failures;
    {
      const testing::ScopedFakeTestPartResultReporter reporter(&failures);
      expect_valid(delaunay, cloud);
    }
    RC_ASSERT(failures.size() == 0);
  }));
}

TEST(Delaunay, OfNoOneAndTwoPoints) {
  Delaunay delaunay;
  delaunay.compute({});
  EXPECT_TRUE(delaunay.vertices().empty() && delaunay.triangles().empty() && delaunay.chain().empty());
  delaunay.compute(Cloud{{3, 4}, {3, 4}});
  EXPECT_EQ(delaunay.vertices().size(), 1U);
  EXPECT_EQ(delaunay.coordinates()[0], (PlanePoint{3, 4}));
  EXPECT_EQ(delaunay.chain().size(), 1U);
  delaunay.compute(Cloud{{3, 4}, {-3, 4}, {3, 4}});
  EXPECT_EQ(delaunay.vertices().size(), 2U);
  EXPECT_EQ(delaunay.chain().size(), 2U);
  EXPECT_EQ(delaunay.first_equal()[2], 0);
}

TEST(Delaunay, TakesZeroAndMinusZeroForOne) {
  Delaunay delaunay;
  delaunay.compute(Cloud{{0.0, 1}, {-0.0, 1}, {1, 0.0}, {1, -0.0}, {-1, -1}});
  EXPECT_EQ(delaunay.vertices().size(), 3U);
  EXPECT_EQ(delaunay.triangles().size(), 1U);
}

using Triangles = std::set<std::set<std::pair<double, double>>>;

Triangles triangles_of(const Delaunay& delaunay) {
  Triangles result;
  for (const auto& triangle : delaunay.triangles()) {
    std::set<std::pair<double, double>> corners;
    for (const auto v : triangle.corner) {
      const PlanePoint& p = delaunay.coordinates()[static_cast<std::size_t>(v)];
      corners.emplace(p.x, p.y);
    }
    result.insert(corners);
  }
  return result;
}

TEST(Delaunay, DependsNeitherOnTheOrderOfRowsNorOnEarlierClouds) {
  Delaunay reused;
  for (std::uint64_t item = 0; item < 200; ++item) {
    base::RandomStream random(72, item);
    Cloud cloud = test::small_integers(random.below(60), random);
    Delaunay fresh;
    fresh.compute(cloud);
    std::shuffle(cloud.begin(), cloud.end(), random);
    reused.compute(cloud);
    ASSERT_EQ(triangles_of(reused), triangles_of(fresh)) << item;
  }
}

TEST(Delaunay, OfLargeClouds) {
  Delaunay delaunay;
  base::RandomStream random(73);
  for (const Cloud& cloud :
       {test::uniform(100'000, random), test::lattice(200, 150), test::lattice(150, 100, 0.1),
        test::clusters(20'000, 1e-9, random), test::circle(20'000, random)}) {
    delaunay.compute(cloud);
    ASSERT_NO_FATAL_FAILURE(expect_neighbours_share_edges(delaunay));
    ASSERT_NO_FATAL_FAILURE(expect_euler(delaunay));
  }
}

TEST(Delaunay, NamesTheRowThatIsNotFinite) {
  Delaunay delaunay;
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (const PlanePoint& p : {PlanePoint{bad, 0}, PlanePoint{0, bad}}) {
      try {
        delaunay.compute(Cloud{{0, 0}, {1, 1}, p, {2, 3}});
        FAIL() << "accepted " << bad;
      } catch (const base::Error& error) {
        EXPECT_EQ(error.fault(), base::Fault::user);
        EXPECT_NE(std::string(error.what()).find("Row 2 "), std::string::npos) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace perslay::persistence
