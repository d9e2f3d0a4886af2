#include "persistence/cases.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <perslay/persistence/extended_persistence.h>

namespace perslay::persistence {
namespace {

using data::Graph;
using data::Vertex;
using test::at;
using test::Case;

double steps_per_edge(const Case& c) {
  ExtendedPersistence persistence;
  persistence.compute(c.graph, c.values);
  return static_cast<double>(persistence.climb_steps()) / static_cast<double>(c.graph.edge_count());
}

double bound(const Case& c) { return 3 * std::log2(static_cast<double>(c.graph.vertex_count())); }

/// Steps of the sweep if the lower of two minima always goes on top, as the plainest version of the algorithm
/// has it.
double steps_per_edge_lowest_on_top(const Case& c) {
  struct Link {
    Vertex parent;
    Vertex time;
  };
  constexpr Vertex never = std::numeric_limits<Vertex>::max();
  const std::vector<Vertex> order = test::ascending(c.values);
  const std::vector<Vertex> rank = test::ranks(c.values);
  std::vector<Link> links(order.size(), {-1, never});
  std::int64_t steps = 0;
  const auto climb = [&](Vertex v, Vertex time) {
    for (; links[at(v)].time <= time; ++steps) v = links[at(v)].parent;
    return v;
  };
  for (auto lower = static_cast<Vertex>(order.size()); lower-- > 0;) {
    for (const Vertex neighbour : c.graph.neighbours(order[at(lower)])) {
      Vertex upper = rank[at(neighbour)];
      Vertex time = upper;
      Vertex v = lower;
      while (upper > lower && time != never) {
        v = climb(v, time);
        upper = climb(upper, time);
        if (v == upper) break;
        if (v > upper) std::swap(v, upper);
        const Link displaced = links[at(upper)];
        links[at(upper)] = {v, time};
        upper = displaced.parent;
        time = displaced.time;
        if (time == never) break;
      }
    }
  }
  return static_cast<double>(steps) / static_cast<double>(c.graph.edge_count());
}

/// All families with about `n` vertices each.
std::vector<std::pair<const char*, Case>> families(Vertex n) {
  base::RandomStream random(41, at(n));
  const auto side = static_cast<Vertex>(std::sqrt(n));
  const auto ascending_values = [](Vertex size) {
    std::vector<double> values(at(size));
    std::iota(values.begin(), values.end(), 0.0);
    return values;
  };
  const auto drawn = [&](Graph graph, test::Values pattern) {
    std::vector<double> values = test::draw_values(graph.vertex_count(), pattern, random);
    return Case{std::move(graph), std::move(values)};
  };
  const auto degrees = [](const Graph& graph) {
    std::vector<double> values(at(graph.vertex_count()));
    for (Vertex v = 0; v < graph.vertex_count(); ++v) values[at(v)] = graph.degree(v);
    return Case{graph, values};
  };
  const auto distances = [&] {
    Case grid{data::grid_graph(side, side), std::vector<double>(at(side * side))};
    for (Vertex v = 0; v < side * side; ++v) grid.values[at(v)] = v % side + v / side;
    return grid;
  };
  const Graph attachment = data::preferential_attachment_graph(n, 5, random);
  const Vertex wide = std::max<Vertex>(2, side / 2);
  return {
      {"preferential attachment, random values", drawn(attachment, test::Values::distinct)},
      {"preferential attachment, order of arrival", {attachment, ascending_values(n)}},
      {"preferential attachment, degree", degrees(attachment)},
      {"grid, random values", drawn(data::grid_graph(side, side), test::Values::distinct)},
      {"grid, few values", drawn(data::grid_graph(side, side), test::Values::heavy_ties)},
      {"grid, distance from a corner", distances()},
      {"random graph, random values", drawn(data::random_graph(n, 5.0 / n, random), test::Values::distinct)},
      {"random graph, constant", drawn(data::random_graph(n, 5.0 / n, random), test::Values::constant)},
      {"path, ascending", {data::path_graph(n), ascending_values(n)}},
      {"path, random values", drawn(data::path_graph(n), test::Values::distinct)},
      {"cycle, few values", drawn(data::cycle_graph(n), test::Values::heavy_ties)},
      {"staircase, a pit per peak", test::staircase(n / 4, n / 4, n / 4, false)},
      {"staircase, one pit for all peaks", test::staircase(n / 4, n / 2, 1, true)},
      {"staircase, many pits for many peaks", test::staircase(n / 2 - wide, wide, wide, true)},
  };
}

TEST(ClimbSteps, AreLogarithmicOnEveryFamily) {
  for (const Vertex n : {1'000, 10'000, 100'000})
    for (const auto& [name, c] : families(n))
      EXPECT_LE(steps_per_edge(c), bound(c)) << name << ", " << n << " vertices";
}

TEST(ClimbSteps, AreLogarithmicOnSmallGraphs) {
  for (const Vertex n : {8, 12, 16, 24, 32, 48, 63, 64, 65, 96, 128, 256, 512})
    for (const auto& [name, c] : families(n))
      EXPECT_LE(steps_per_edge(c), bound(c)) << name << ", " << n << " vertices";
}

// The staircases are what they claim to be: the plain strategy climbs a chain as long as a part of the graph.
TEST(ClimbSteps, WouldBeLinearOnStaircasesWithTheLowestVertexOnTop) {
  for (const Vertex n : {400, 4'000}) {
    const Case single = test::staircase(n / 4, n / 4, n / 4, false);
    EXPECT_GE(steps_per_edge_lowest_on_top(single), n / 20.0);
    const Case many = test::staircase(n / 2, 30, 30, true);
    EXPECT_GE(steps_per_edge_lowest_on_top(many), n / 20.0);
  }
}

}  // namespace
}  // namespace perslay::persistence
