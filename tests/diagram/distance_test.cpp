#include "distance_cases.h"
#include "sentence.h"

#include <atomic>
#include <tuple>

#include <gtest/gtest.h>

namespace perslay::diagram {
namespace {

using test::by_all_matchings;
using test::by_hungarian_method;
using test::by_thresholds;
using test::families;
using test::infinity;
using test::Points;
using test::sentence_of;

const std::vector<std::string> all_metrics{"bottleneck",      "wasserstein:1",      "wasserstein:2",
                                           "wasserstein:1:2", "wasserstein:2:2",    "wasserstein:1.5",
                                           "wasserstein:7:2", "wasserstein:3.3:inf"};

double value(const Points& a, const Points& b, std::string_view metric) {
  const Distance found = distance(a, b, parse_metric(metric));
  EXPECT_TRUE(found.exact());
  EXPECT_TRUE(found.matching.empty());
  return found.value;
}

/// Every point is matched once, the pairs' distances are right, and together they are the distance.
void expect_right_matching(const Points& a, const Points& b, const Metric& metric) {
  const Distance found = distance(a, b, metric, {.matching = true});
  EXPECT_EQ(found.value, distance(a, b, metric).value);
  std::vector<int> seen_a(a.size()), seen_b(b.size());
  std::vector<double> distances;
  for (const auto& [i, j, apart] : found.matching) {
    const auto at = [](const Points& points, std::int32_t id) {
      return points.at(static_cast<std::size_t>(id));
    };
    if (i >= 0) ++seen_a.at(static_cast<std::size_t>(i));
    if (j >= 0) ++seen_b.at(static_cast<std::size_t>(j));
    ASSERT_TRUE(i >= 0 || j >= 0);
    distances.push_back(apart);
    const double expected = i < 0   ? test::to_diagonal(metric, at(b, j))
                            : j < 0 ? test::to_diagonal(metric, at(a, i))
                                    : test::length(metric, at(a, i), at(b, j));
    EXPECT_NEAR(apart, expected, 1e-15 * expected);
  }
  EXPECT_EQ(seen_a, std::vector<int>(a.size(), 1));
  EXPECT_EQ(seen_b, std::vector<int>(b.size(), 1));
  EXPECT_NEAR(test::total(metric, distances), found.value, 1e-13 * found.value);
  EXPECT_TRUE(std::ranges::is_sorted(
      found.matching, {}, [](const MatchedPair& pair) { return std::tuple(pair.a < 0, pair.a, pair.b); }));
}

TEST(Distance, OfAFewPointsIsTheBestOfAllMatchings) {
  int different = 0;
  for (std::uint64_t item = 0; item < 2'000; ++item) {
    base::RandomStream random(1, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(6), random);
    const Points b = family.make(random.below(6), random);
    for (const auto& name : all_metrics) {
      const Metric metric = parse_metric(name);
      const double expected = by_all_matchings(a, b, metric);
      ASSERT_NEAR(value(a, b, name), expected, 1e-12 * expected)
          << family.name << ", item " << item << ", " << name;
      different += expected > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(different, 14'000);
}

TEST(Distance, BottleneckIsALengthToTheLastBit) {
  for (std::uint64_t item = 0; item < 300; ++item) {
    base::RandomStream random(2, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(item % 25 == 0 ? 100 : 25), random);
    const Points b = family.make(random.below(item % 25 == 0 ? 100 : 25), random);
    ASSERT_EQ(value(a, b, "bottleneck"), by_thresholds(a, b)) << family.name << ", item " << item;
  }
}

TEST(Distance, WassersteinIsTheAssignmentOfAnotherSolver) {
  for (std::uint64_t item = 0; item < 18; ++item) {
    base::RandomStream random(3, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(20 + random.below(80), random);
    const Points b = family.make(20 + random.below(80), random);
    for (const std::string name :
         {"wasserstein:1", "wasserstein:2", "wasserstein:1:2", "wasserstein:2:2", "wasserstein:4"}) {
      const double expected = by_hungarian_method(a, b, parse_metric(name));
      ASSERT_NEAR(value(a, b, name), expected, 1e-11 * expected)
          << family.name << ", item " << item << ", " << name;
    }
  }
}

TEST(Distance, MatchingsAreWorthTheirDistance) {
  for (std::uint64_t item = 0; item < 120; ++item) {
    base::RandomStream random(4, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(80), random);
    const Points b = family.make(random.below(80), random);
    for (const auto& name : all_metrics) {
      SCOPED_TRACE(family.name + ", item " + std::to_string(item) + ", " + name);
      expect_right_matching(a, b, parse_metric(name));
    }
  }
}

// A matching cannot be better than what a dual solution allows; the other solvers are too slow for that many
// points.
TEST(Distance, LargeDiagramsStayBetweenTheirBounds) {
  base::RandomStream random(5);
  for (const auto& family : families()) {
    const Points a = family.make(600, random);
    const Points b = family.make(500, random);
    const double widest = value(a, b, "bottleneck");
    const double first = value(a, b, "wasserstein:1");
    EXPECT_LE(widest, first * (1 + 1e-12)) << family.name;
    EXPECT_LE(first, 1100 * widest) << family.name;
    for (const std::string name : {"wasserstein:1~0.05", "wasserstein:1~0.001"}) {
      const Metric metric = parse_metric(name);
      const Distance near = distance(a, b, metric);
      EXPECT_LE(near.relative_error, metric.tolerance);
      EXPECT_GE(near.value, first * (1 - 1e-12)) << family.name;
      EXPECT_LE(near.value, first * (1 + near.relative_error) * (1 + 1e-12)) << family.name;
    }
  }
}

// What is far from the best pair costs more than it is counted for, as long as it is not in the matching.
TEST(Distance, ApproximateMatchingsAreWorthTheirDistance) {
  for (std::uint64_t item = 0; item < 60; ++item) {
    base::RandomStream random(15, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(20 + random.below(100), random);
    const Points b = family.make(20 + random.below(100), random);
    for (const std::string name : {"wasserstein:1~0.5", "wasserstein:20~0.3", "wasserstein:100:2~0.5"}) {
      SCOPED_TRACE(family.name + ", item " + std::to_string(item) + ", " + name);
      expect_right_matching(a, b, parse_metric(name));
    }
  }
}

TEST(Distance, IsAMetric) {
  for (std::uint64_t item = 0; item < 120; ++item) {
    base::RandomStream random(6, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(60), random);
    const Points b = family.make(random.below(60), random);
    const Points c = family.make(random.below(60), random);
    for (const auto& name : all_metrics) {
      const double ab = value(a, b, name);
      const double bc = value(b, c, name);
      const double ac = value(a, c, name);
      ASSERT_NEAR(value(b, a, name), ab, 1e-12 * ab);
      ASSERT_LE(ac, (ab + bc) * (1 + 1e-12)) << name << ", item " << item;
      Points shuffled = a;
      for (std::size_t i = shuffled.size(); i > 1; --i) std::swap(shuffled[i - 1], shuffled[random.below(i)]);
      ASSERT_EQ(value(a, shuffled, name), 0) << name << ", item " << item;
    }
    ASSERT_EQ(value(b, a, "bottleneck"), value(a, b, "bottleneck"));
  }
}

TEST(Distance, TheDiagonalSaysNothing) {
  for (std::uint64_t item = 0; item < 100; ++item) {
    base::RandomStream random(7, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(40), random);
    const Points b = family.make(random.below(40), random);
    Points more = a;
    for (std::uint64_t i = 0; i < 1 + random.below(30); ++i) {
      const double x = random.uniform(-1, 6);
      more.insert(more.begin() + static_cast<std::ptrdiff_t>(random.below(more.size() + 1)), {x, x});
    }
    more.push_back({infinity, infinity});
    more.push_back({-infinity, -infinity});
    EXPECT_EQ(value(more, b, "bottleneck"), value(a, b, "bottleneck"));
    for (const std::string name : {"wasserstein:1", "wasserstein:2:2"}) {
      const double expected = value(a, b, name);
      ASSERT_NEAR(value(more, b, name), expected, 1e-12 * expected);
      ASSERT_EQ(value(a, more, name), 0);
    }
  }
}

// (sum of s-th powers)^(1/s) falls with s, and so does its least value; the limit is the bottleneck distance.
TEST(Distance, FallsWithTheOrderToTheBottleneck) {
  for (std::uint64_t item = 0; item < 100; ++item) {
    base::RandomStream random(8, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(60), random);
    const Points b = family.make(random.below(60), random);
    double last = infinity;
    for (const std::string order : {"1", "1.5", "2", "3", "10", "100", "1000", "1e6", "1e300"}) {
      const double next = value(a, b, "wasserstein:" + order);
      ASSERT_LE(next, last * (1 + 1e-12)) << family.name << " " << order;
      last = next;
    }
    const double limit = value(a, b, "bottleneck");
    ASSERT_NEAR(last, limit, 1e-12 * limit);
    const double thousand = value(a, b, "wasserstein:1000");
    ASSERT_LE(thousand, limit * std::pow(static_cast<double>(a.size() + b.size() + 1), 1e-3));
    ASSERT_GE(thousand, limit * (1 - 1e-12));
  }
}

TEST(Distance, NormsDifferByTheSquareRootOfTwoAtMost) {
  for (std::uint64_t item = 0; item < 100; ++item) {
    base::RandomStream random(9, item);
    const auto& family = families()[item % families().size()];
    const Points a = family.make(random.below(60), random);
    const Points b = family.make(random.below(60), random);
    for (const std::string name : {"wasserstein:1", "wasserstein:2.5"}) {
      const double smaller = value(a, b, name);
      const double larger = value(a, b, name + ":2");
      ASSERT_LE(smaller, larger * (1 + 1e-12));
      ASSERT_LE(larger, smaller * std::sqrt(2.0) * (1 + 1e-12));
    }
  }
}

TEST(Distance, SidesOfTheDiagonalAreDifferent) {
  const Points above{{0, 4}};
  const Points below{{4, 0}};
  EXPECT_EQ(value(above, below, "bottleneck"), 2);
  EXPECT_EQ(value(above, below, "wasserstein:1"), 4);
  EXPECT_EQ(value(below, {{4, 1}}, "bottleneck"), 1);
  for (std::uint64_t item = 0; item < 50; ++item) {
    base::RandomStream random(10, item);
    const Points a = test::uniform_points(random.below(40), random);
    const Points b = test::uniform_points(random.below(40), random);
    const auto mirrored = [](Points points) {
      for (Point& p : points) std::swap(p.birth, p.death);
      return points;
    };
    for (const auto& name : all_metrics) {
      const double expected = value(a, b, name);
      ASSERT_NEAR(value(mirrored(a), mirrored(b), name), expected, 1e-12 * expected);
    }
  }
}

TEST(Distance, OfEmptyDiagrams) {
  const Points none;
  for (const auto& name : all_metrics) {
    EXPECT_EQ(value(none, none, name), 0);
    expect_right_matching(none, none, parse_metric(name));
    expect_right_matching({{1, 4}, {2, 2}}, none, parse_metric(name));
  }
  EXPECT_EQ(value({{1, 4}, {3, 7}}, none, "bottleneck"), 2);
  EXPECT_EQ(value(none, {{1, 4}, {3, 7}}, "wasserstein:1"), 3.5);
  EXPECT_EQ(value(none, {{1, 4}, {3, 7}}, "wasserstein:2"), 2.5);
  EXPECT_NEAR(value(none, {{1, 4}, {3, 7}}, "wasserstein:1:2"), 7 / std::sqrt(2.0), 1e-15);
}

// ---- infinite points

TEST(Distance, InfinitePointsAreMatchedByTheirFiniteCoordinate) {
  const Points a{{3, infinity}, {1, infinity}, {0, 2}};
  const Points b{{0, 2}, {1.5, infinity}, {5, infinity}};
  EXPECT_EQ(value(a, b, "bottleneck"), 2);
  EXPECT_EQ(value(a, b, "wasserstein:1"), 2.5);
  EXPECT_EQ(value(a, b, "wasserstein:2"), std::sqrt(4.25));
  EXPECT_EQ(distance(a, b, parse_metric("wasserstein:2"), {.matching = true}).matching,
            (std::vector<MatchedPair>{{0, 2, 2}, {1, 1, 0.5}, {2, 0, 0}}));
  // The finite part counts too.
  EXPECT_EQ(value({{1, infinity}, {0, 8}}, {{4, infinity}}, "bottleneck"), 4);
  EXPECT_EQ(value({{1, infinity}, {0, 8}}, {{4, infinity}}, "wasserstein:2"), 5);
}

TEST(Distance, EachInfinityIsItsOwn) {
  const Points points{{1, infinity},  {1, -infinity},        {infinity, 1},
                      {-infinity, 1}, {-infinity, infinity}, {infinity, -infinity}};
  for (const auto& name : all_metrics) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < points.size(); ++j)
        EXPECT_EQ(value({points[i]}, {points[j]}, name), i == j ? 0 : infinity);
      EXPECT_EQ(value({points[i]}, {}, name), infinity);
      EXPECT_EQ(value({points[i]}, {points[i], points[i]}, name), infinity);
      EXPECT_EQ(value({points[i]}, {{0, 1}}, name), infinity);
    }
    Points moved = points;
    for (Point& p : moved) p = {p.birth + 0.25, p.death + 0.25};
    EXPECT_NEAR(value(points, moved, name),
                name == "bottleneck" ? 0.25 : 0.25 * std::pow(4, 1 / parse_metric(name).order), 1e-15);
    EXPECT_TRUE(distance(points, {}, parse_metric(name), {.matching = true}).matching.empty());
  }
}

/// Infinite points in any number, on any place: never NaN.
TEST(Distance, IsNeverNaN) {
  const double coordinates[] = {0,      1,       2.5,      infinity, -infinity, 1e300,
                                -1e300, 1.7e308, -1.7e308, 1e-300,   5e-324,    -0.0};
  int infinite = 0;
  for (std::uint64_t item = 0; item < 4'000; ++item) {
    base::RandomStream random(11, item);
    const auto draw = [&] {
      Points points(random.below(5));
      for (Point& p : points)
        p = {coordinates[random.below(std::size(coordinates))],
             coordinates[random.below(std::size(coordinates))]};
      return points;
    };
    const Points a = draw();
    const Points b = item % 3 == 0 ? a : draw();
    for (const auto& name : all_metrics) {
      const Distance found = distance(a, b, parse_metric(name), {.matching = true});
      ASSERT_GE(found.value, 0) << name << ", item " << item;
      ASSERT_GE(found.relative_error, 0);
      if (item % 3 == 0) {
        ASSERT_EQ(found.value, 0) << name << ", item " << item;
      }
      infinite += std::isinf(found.value) ? 1 : 0;
    }
  }
  EXPECT_GT(infinite, 1'000);
  EXPECT_LT(infinite, 31'000);
}

// ---- hostile numbers

TEST(Distance, IsAsScaledAsItsDiagrams) {
  for (const double scale : {0x1p-1000, 0x1p-400, 0x1p300, 0x1p900, 0x1p1015}) {
    for (std::uint64_t item = 0; item < 30; ++item) {
      base::RandomStream random(12, item);
      const Points a = test::uniform_points(random.below(40), random);
      const Points b = test::uniform_points(random.below(40), random);
      const auto scaled = [scale](Points points) {
        for (Point& p : points) p = {p.birth * scale, p.death * scale};
        return points;
      };
      EXPECT_EQ(value(scaled(a), scaled(b), "bottleneck"), scale * value(a, b, "bottleneck"));
      for (const std::string name : {"wasserstein:1", "wasserstein:2:2", "wasserstein:20"}) {
        const double expected = scale * value(a, b, name);
        EXPECT_NEAR(value(scaled(a), scaled(b), name), expected, 1e-12 * expected) << scale;
      }
    }
  }
}

TEST(Distance, OfNumbersOfAllSizes) {
  EXPECT_EQ(value({{0, 1e300}, {0, 1e-300}}, {{0, 1e300}}, "bottleneck"), 5e-301);
  EXPECT_EQ(value({{0, 1e300}, {0, 1e-300}}, {{0, 1e300}}, "wasserstein:2"), 5e-301);
  EXPECT_EQ(value({{-1.7e308, 1.7e308}}, {}, "bottleneck"), 1.7e308);
  EXPECT_EQ(value({{-1.7e308, 1.7e308}}, {}, "wasserstein:3"), 1.7e308);
  EXPECT_EQ(value({{-1.7e308, 1.7e308}}, {{1.7e308, -1.7e308}}, "bottleneck"), 1.7e308);
  EXPECT_EQ(value({{-1.7e308, 1.7e308}}, {{1.7e308, -1.7e308}}, "wasserstein:1"), infinity);
  EXPECT_EQ(value({{0, 5e-324}}, {{0, 1e-323}}, "bottleneck"), 5e-324);
  // Persistence does not matter where points have equals: what is measured is their small difference.
  Points a, b;
  for (int i = 0; i < 50; ++i) {
    a.push_back({0.0 + i, 1e6 + i});
    b.push_back({1e-4 + i, 1e6 + i});
  }
  const double small = b[0].birth;
  EXPECT_NEAR(value(a, b, "wasserstein:8"), small * std::pow(50.0, 1.0 / 8), 1e-9 * small);
  EXPECT_NEAR(value(a, b, "wasserstein:200"), small * std::pow(50.0, 1.0 / 200), 1e-9 * small);
}

TEST(Distance, OfManyEqualPoints) {
  const Points a(1500, {0, 10});
  Points b(1200, {1, 10.5});
  EXPECT_EQ(value(a, b, "bottleneck"), 5);
  EXPECT_NEAR(value(a, b, "wasserstein:1"), 1200 + 300 * 5, 1e-9);
  b.resize(1500, {1, 10.5});
  EXPECT_EQ(value(a, b, "bottleneck"), 1);
  EXPECT_NEAR(value(a, b, "wasserstein:2"), std::sqrt(1500.0), 1e-9);
  EXPECT_NEAR(value(a, b, "wasserstein:1:2"), 1500 * std::hypot(1, 0.5), 1e-8);
}

// ---- matrices

TEST(DistanceMatrix, HoldsAllPairsForAnyNumberOfThreads) {
  base::RandomStream random(13);
  for (const std::size_t items : {0UL, 1UL, 2UL, 3UL, 6UL, 7UL}) {
    std::vector<Diagram> first(items), second(4);
    for (auto& diagram : first) diagram.points = test::uniform_points(random.below(30), random);
    for (auto& diagram : second) diagram.points = test::uniform_points(random.below(30), random);
    const DiagramBatch a(first), b(second);
    const Metric metric = parse_metric("wasserstein:2~0.1");
    base::Context one, two;
    one.threads = 1;
    two.threads = 2;
    const DistanceMatrix cross = distance_matrix(a, b, metric, one);
    const DistanceMatrix own = distance_matrix(a, metric, one);
    EXPECT_EQ(cross.values, distance_matrix(a, b, metric, two).values);
    EXPECT_EQ(own.values, distance_matrix(a, metric, two).values);
    ASSERT_EQ(cross.rows, items);
    ASSERT_EQ(cross.columns, 4U);
    ASSERT_EQ(own.rows, items);
    ASSERT_EQ(own.columns, items);
    double error = 0;
    for (std::size_t i = 0; i < items; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const Distance found = distance(a[i], b[j], metric);
        EXPECT_EQ(cross.values[i * 4 + j], found.value);
        error = std::max(error, found.relative_error);
      }
      for (std::size_t j = 0; j < items; ++j) {
        EXPECT_EQ(own.values[i * items + j], distance(a[std::min(i, j)], a[std::max(i, j)], metric).value);
      }
    }
    EXPECT_EQ(cross.relative_error, error);
  }
}

TEST(DistanceMatrix, ReportsProgressAndStops) {
  base::RandomStream random(14);
  std::vector<Diagram> diagrams(40);
  for (auto& diagram : diagrams) diagram.points = test::uniform_points(20, random);
  std::atomic<bool> cancel{true};
  base::Context context;
  context.cancel = &cancel;
  try {
    (void)distance_matrix(DiagramBatch(diagrams), Metric{}, context);
    ADD_FAILURE() << "not stopped";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::cancelled);
  }
}

// ---- names

TEST(Metric, HasAName) {
  const Metric bottleneck = parse_metric("bottleneck");
  EXPECT_EQ(bottleneck.type, Metric::Type::bottleneck);
  EXPECT_EQ(bottleneck.name, "bottleneck");
  EXPECT_EQ(bottleneck.tolerance, 0);
  for (const auto* name : {"wasserstein:inf", "wasserstein:inf:inf"}) {
    EXPECT_EQ(parse_metric(name).type, Metric::Type::bottleneck);
    EXPECT_EQ(parse_metric(name).name, "bottleneck");
  }
  EXPECT_EQ(parse_metric("wasserstein:inf~0.1").name, "bottleneck~0.1");
  const Metric plain = parse_metric("wasserstein:1:inf");
  EXPECT_EQ(plain.type, Metric::Type::wasserstein);
  EXPECT_EQ(plain.name, "wasserstein:1");
  EXPECT_EQ(plain.order, 1);
  EXPECT_EQ(plain.norm, GroundNorm::infinity);
  const Metric full = parse_metric("wasserstein:2.50:2~1e-02");
  EXPECT_EQ(full.name, "wasserstein:2.5:2~0.01");
  EXPECT_EQ(full.order, 2.5);
  EXPECT_EQ(full.norm, GroundNorm::euclidean);
  EXPECT_EQ(full.tolerance, 0.01);
  EXPECT_EQ(parse_metric("bottleneck~0.01").tolerance, 0.01);
  for (const auto& name : all_metrics)
    EXPECT_EQ(parse_metric(parse_metric(name).name).name, parse_metric(name).name);
}

TEST(Metric, MistakesAreSentences) {
  const auto said = [](const char* name) { return sentence_of([&] { (void)parse_metric(name); }); };
  const std::string order = "wasserstein needs an order of at least 1, such as wasserstein:2, not '";
  EXPECT_EQ(said("euclid"),
            "There is no metric called 'euclid'; the known ones are bottleneck, wasserstein:S[:2|inf].");
  EXPECT_EQ(said("bottleneck:2"), "bottleneck stands alone, without ':2'.");
  EXPECT_EQ(said("wasserstein"), order + "'.");
  EXPECT_EQ(said("wasserstein:0.5"), order + "0.5'.");
  EXPECT_EQ(said("wasserstein:inf:2"),
            "wasserstein:inf is the bottleneck distance, which has the norm inf, not '2'.");
  EXPECT_EQ(said("wasserstein:inf:3"),
            "wasserstein:inf is the bottleneck distance, which has the norm inf, not '3'.");
  EXPECT_EQ(said("wasserstein:nan"), order + "nan'.");
  EXPECT_EQ(said("wasserstein:2:1"), "The norm of wasserstein is 2 or inf, as in wasserstein:1:2, not '1'.");
  const std::string error =
      "A metric needs a relative error between 0 and 1 after '~', such as wasserstein:2~0.01, not '";
  EXPECT_EQ(said("wasserstein:2~"), error + "'.");
  EXPECT_EQ(said("wasserstein:2~0"), error + "0'.");
  EXPECT_EQ(said("bottleneck~1"), error + "1'.");
}

}  // namespace
}  // namespace perslay::diagram
