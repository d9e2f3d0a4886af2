#include "persistence/cases.h"
#include "persistence/coned_complex.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/persistence/extended_persistence.h>

namespace perslay::persistence {
namespace {

using diagram::Diagram;
using diagram::Kind;
using diagram::Point;
using test::at;
using test::Case;
using test::sorted;

constexpr ExtendedOptions everything{.keep_diagonal = true};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void expect_values_of_vertices(const Diagram& diagram, std::span<const double> values) {
  ASSERT_EQ(diagram.vertices.size(), diagram.points.size());
  for (std::size_t i = 0; i < diagram.size(); ++i) {
    ASSERT_TRUE(same_bits(diagram.points[i].birth, values[at(diagram.vertices[i].birth)]));
    ASSERT_TRUE(same_bits(diagram.points[i].death, values[at(diagram.vertices[i].death)]));
  }
}

void expect_right_sides_of_diagonal(const ExtendedDiagrams& diagrams) {
  for (const Point& p : diagrams.ord0.points) ASSERT_LE(p.birth, p.death);
  for (const Point& p : diagrams.ext0.points) ASSERT_LE(p.birth, p.death);
  for (const Point& p : diagrams.rel1.points) ASSERT_GE(p.birth, p.death);
  for (const Point& p : diagrams.ext1.points) ASSERT_GE(p.birth, p.death);
}

void expect_equals_coned_complex(ExtendedPersistence& persistence, const Case& c) {
  const test::ConedPairs expected = test::coned_persistence(c.graph, c.values);
  const ExtendedDiagrams& diagrams = persistence.compute(c.graph, c.values, everything);
  ASSERT_EQ(sorted(diagrams.ord0.vertices), sorted(expected.ord0));
  ASSERT_EQ(sorted(diagrams.rel1.vertices), sorted(expected.rel1));
  ASSERT_EQ(sorted(diagrams.ext0.vertices), sorted(expected.ext0));
  ASSERT_EQ(sorted(diagrams.ext1.vertices), sorted(expected.ext1));
  ASSERT_EQ(diagrams.ext1_closing.size(), diagrams.ext1.size());
  ASSERT_EQ(static_cast<std::int64_t>(diagrams.ext0.size()), data::component_count(c.graph));
  ASSERT_EQ(static_cast<std::int64_t>(diagrams.ext1.size()), data::cycle_rank(c.graph));
  for (const Kind kind : diagram::extended_kinds) expect_values_of_vertices(diagrams[kind], c.values);
  expect_right_sides_of_diagonal(diagrams);
}

std::vector<std::pair<data::Vertex, data::Vertex>> all_pairs(data::Vertex vertices) {
  return test::edges_of(data::complete_graph(vertices));
}

data::Graph graph_from_mask(data::Vertex vertices, std::uint64_t mask) {
  std::vector<std::pair<data::Vertex, data::Vertex>> edges;
  const auto pairs = all_pairs(vertices);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if ((mask >> i & 1) != 0) edges.push_back(pairs[i]);
  return test::make_graph(vertices, edges);
}

TEST(ExtendedPersistence, EqualsConedComplexOnEveryGraphAndFunctionUpToFourVertices) {
  ExtendedPersistence persistence;
  for (data::Vertex n = 0; n <= 4; ++n) {
    std::uint64_t functions = 1;
    for (data::Vertex v = 0; v < n; ++v) functions *= at(n);
    for (std::uint64_t mask = 0; mask < 1ULL << all_pairs(n).size(); ++mask) {
      Case c{graph_from_mask(n, mask), std::vector<double>(at(n))};
      for (std::uint64_t function = 0; function < functions; ++function) {
        std::uint64_t digits = function;
        for (double& value : c.values) {
          value = static_cast<double>(digits % at(n));
          digits /= at(n);
        }
        ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, c))
            << n << ' ' << mask << ' ' << function;
      }
    }
  }
}

// Up to relabelling, a function is one that does not decrease with the id: a choice of the places where it
// steps up.
TEST(ExtendedPersistence, EqualsConedComplexOnEveryGraphOfFiveVertices) {
  ExtendedPersistence persistence;
  base::RandomStream random(5);
  for (std::uint64_t mask = 0; mask < 1024; ++mask) {
    for (std::uint64_t steps = 0; steps < 16; ++steps) {
      Case c{graph_from_mask(5, mask), std::vector<double>(5)};
      for (std::size_t v = 1; v < 5; ++v)
        c.values[v] = c.values[v - 1] + static_cast<double>(steps >> (v - 1) & 1);
      ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, c)) << mask << ' ' << steps;
      const Case shuffled = test::relabelled(c, test::draw_permutation(5, random));
      ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, shuffled)) << mask << ' ' << steps;
    }
  }
}

TEST(ExtendedPersistence, EqualsConedComplexOnRandomSmallGraphs) {
  ExtendedPersistence persistence;
  for (std::uint64_t item = 0; item < 6000; ++item)
    ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, test::draw_case(item, 8))) << item;
}

// Beyond the sizes at which vertices are ranked another way.
TEST(ExtendedPersistence, EqualsConedComplexOnRandomMediumGraphs) {
  ExtendedPersistence persistence;
  base::RandomStream random(7);
  for (std::uint64_t item = 0; item < 120; ++item) {
    const auto n = static_cast<data::Vertex>(30 + random.below(item % 8 == 0 ? 400 : 100));
    const Case c{data::random_graph(n, random.uniform(0, 6) / n, random),
                 test::draw_values(n, static_cast<test::Values>(item % test::value_patterns), random)};
    ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, c)) << item;
  }
}

// Long climbs are dealt with in another way.
TEST(ExtendedPersistence, EqualsConedComplexOnStaircases) {
  ExtendedPersistence persistence;
  base::RandomStream random(8);
  for (std::uint64_t item = 0; item < 60; ++item) {
    const auto valleys = static_cast<data::Vertex>(2 + random.below(120));
    const auto peaks = static_cast<data::Vertex>(1 + random.below(60));
    const auto pits = static_cast<data::Vertex>(1 + random.below(item % 2 == 0 ? 3 : 30));
    Case c = test::staircase(valleys, peaks, pits, item % 3 != 0);
    if (item % 4 == 0)  // ties
      for (double& value : c.values) value = std::floor(value / 3);
    const Case shuffled = test::relabelled(c, test::draw_permutation(c.graph.vertex_count(), random));
    ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, c)) << item;
    ASSERT_NO_FATAL_FAILURE(expect_equals_coned_complex(persistence, shuffled)) << item;
  }
}

TEST(ExtendedPersistence, DropsOnlyOrd0AndRel1PointsOnTheDiagonal) {
  ExtendedPersistence persistence;
  const auto off_diagonal = [](const Diagram& diagram) {
    std::vector<Point> points = sorted(diagram.points);
    std::erase_if(points, [](const Point& p) { return p.birth == p.death; });
    return points;
  };
  for (std::uint64_t item = 0; item < 2000; ++item) {
    const Case c = test::draw_case(item, 40, 3);
    const ExtendedDiagrams all = persistence.compute(c.graph, c.values, everything);
    const ExtendedDiagrams& kept = persistence.compute(c.graph, c.values);
    ASSERT_EQ(sorted(kept.ord0.points), off_diagonal(all.ord0)) << item;
    ASSERT_EQ(sorted(kept.rel1.points), off_diagonal(all.rel1)) << item;
    ASSERT_EQ(sorted(kept.ext0.vertices), sorted(all.ext0.vertices)) << item;
    ASSERT_EQ(sorted(kept.ext1.vertices), sorted(all.ext1.vertices)) << item;
    for (const Kind kind : diagram::extended_kinds)
      ASSERT_NO_FATAL_FAILURE(expect_values_of_vertices(kept[kind], c.values));
  }
}

TEST(ExtendedPersistence, DoesNotDependOnTheNamesOfVertices) {
  ExtendedPersistence persistence;
  for (std::uint64_t item = 0; item < 3000; ++item) {
    const Case c = test::draw_case(item, 80, 11);
    base::RandomStream random(12, item);
    const Case other = test::relabelled(c, test::draw_permutation(c.graph.vertex_count(), random));
    const ExtendedDiagrams expected = persistence.compute(c.graph, c.values);
    const ExtendedDiagrams& diagrams = persistence.compute(other.graph, other.values);
    for (const Kind kind : diagram::extended_kinds)
      ASSERT_EQ(sorted(diagrams[kind].points), sorted(expected[kind].points)) << item;
  }
}

// Turning the function upside down exchanges branches and keeps components and loops.
TEST(ExtendedPersistence, OfTheNegatedFunctionIsTheMirrorImage) {
  ExtendedPersistence persistence;
  const auto negated = [](const Diagram& diagram) {
    std::vector<Point> points;
    for (const Point& p : diagram.points) points.push_back({-p.birth, -p.death});
    return sorted(points);
  };
  const auto negated_and_swapped = [](const Diagram& diagram) {
    std::vector<Point> points;
    for (const Point& p : diagram.points) points.push_back({-p.death, -p.birth});
    return sorted(points);
  };
  for (std::uint64_t item = 0; item < 3000; ++item) {
    Case c = test::draw_case(item, 80, 13);
    const ExtendedDiagrams up = persistence.compute(c.graph, c.values);
    for (double& value : c.values) value = -value;
    const ExtendedDiagrams& down = persistence.compute(c.graph, c.values);
    ASSERT_EQ(sorted(down.ord0.points), negated(up.rel1)) << item;
    ASSERT_EQ(sorted(down.rel1.points), negated(up.ord0)) << item;
    ASSERT_EQ(sorted(down.ext0.points), negated_and_swapped(up.ext0)) << item;
    ASSERT_EQ(sorted(down.ext1.points), negated_and_swapped(up.ext1)) << item;
  }
}

TEST(ExtendedPersistence, OfTheEmptyGraphIsEmpty) {
  const ExtendedDiagrams diagrams = extended_persistence(data::Graph(), {});
  for (const Kind kind : diagram::extended_kinds) EXPECT_EQ(diagrams[kind].size(), 0U);
}

TEST(ExtendedPersistence, OfTheCompleteGraphKeepsEveryLoop) {
  const std::vector<double> values(6, 2.5);
  const ExtendedDiagrams diagrams = extended_persistence(data::complete_graph(6), values);
  EXPECT_EQ(diagrams.ext0.points, std::vector<Point>(1, {2.5, 2.5}));
  EXPECT_EQ(diagrams.ext1.points, std::vector<Point>(10, {2.5, 2.5}));
}

TEST(ExtendedPersistence, RefusesValuesThatAreNotFiniteOrNotOnePerVertex) {
  ExtendedPersistence persistence;
  const data::Graph graph = data::cycle_graph(5);
  const std::vector<double> good{3, 1, 4, 1, 5};
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    for (std::size_t v = 0; v < good.size(); ++v) {
      std::vector<double> values = good;
      values[v] = bad;
      EXPECT_THROW(persistence.compute(graph, values), base::Error);
    }
  }
  const std::vector<double> too_many(6, 1.0);
  EXPECT_THROW(persistence.compute(graph, too_many), base::Error);
  EXPECT_THROW(persistence.compute(graph, std::span(too_many).first(4)), base::Error);
  EXPECT_THROW(persistence.compute(graph, {}), base::Error);
  EXPECT_NO_THROW(persistence.compute(graph, good));
}

// The last value alone decides, also in graphs large enough for vectorized checks and another way of sorting.
TEST(ExtendedPersistence, RefusesTheLastValueOfALargeGraph) {
  std::vector<double> values(1000, 1.0);
  values.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(static_cast<void>(extended_persistence(data::path_graph(1000), values)), base::Error);
}

TEST(ExtendedPersistence, GivesFreshResultsAfterAnError) {
  ExtendedPersistence persistence;
  base::RandomStream random(17);
  const Case c{data::random_graph(60, 0.1, random), test::draw_values(60, test::Values::many_ties, random)};
  const ExtendedDiagrams expected = persistence.compute(c.graph, c.values);
  std::vector<double> bad = c.values;
  bad.front() = std::numeric_limits<double>::infinity();
  EXPECT_THROW(persistence.compute(c.graph, bad), base::Error);
  const ExtendedDiagrams& again = persistence.compute(c.graph, c.values);
  for (const Kind kind : diagram::extended_kinds) {
    EXPECT_EQ(again[kind].points, expected[kind].points);
    EXPECT_EQ(again[kind].vertices, expected[kind].vertices);
  }
}

}  // namespace
}  // namespace perslay::persistence
