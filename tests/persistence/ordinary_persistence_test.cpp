#include "persistence/cases.h"

#include <limits>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/persistence/extended_persistence.h>
#include <perslay/persistence/ordinary_persistence.h>

namespace perslay::persistence {
namespace {

using data::Graph;
using data::Vertex;
using diagram::Diagram;
using diagram::Point;
using diagram::VertexPair;
using test::at;
using test::Case;
using test::sorted;

using Action = EssentialPolicy::Action;

/// The oldest vertex of each vertex's component in the graph on the vertices whose `age` is at most `newest`;
/// -1 for the others. Flooding starts from the oldest vertices.
std::vector<Vertex> oldest_of_component(const Graph& graph, std::span<const Vertex> by_age,
                                        std::size_t newest) {
  std::vector<bool> present(by_age.size(), false);
  for (std::size_t i = 0; i <= newest; ++i) present[at(by_age[i])] = true;
  std::vector<Vertex> oldest(by_age.size(), -1);
  for (std::size_t i = 0; i <= newest; ++i) {
    std::vector<Vertex> stack{by_age[i]};
    if (oldest[at(by_age[i])] != -1) continue;
    oldest[at(by_age[i])] = by_age[i];
    while (!stack.empty()) {
      const Vertex v = stack.back();
      stack.pop_back();
      for (const Vertex u : graph.neighbours(v)) {
        if (!present[at(u)] || oldest[at(u)] != -1) continue;
        oldest[at(u)] = by_age[i];
        stack.push_back(u);
      }
    }
  }
  return oldest;
}

struct Classes {
  std::vector<VertexPair> components;        // every vertex that is not the oldest of its whole component
  std::vector<Vertex> essential_components;  // their oldest vertices
  std::vector<Vertex> loops;                 // the vertex at which each is born
};

/// By definition, looking at the components of the graph on the i oldest vertices for every i. A vertex that
/// joins an older component at once dies at itself.
Classes classes_by_definition(const Graph& graph, std::span<const Vertex> by_age) {
  Classes classes;
  std::vector<Vertex> alive;
  std::int64_t edges = 0;
  std::int64_t loops = 0;
  for (std::size_t i = 0; i < by_age.size(); ++i) {
    const std::vector<Vertex> oldest = oldest_of_component(graph, by_age, i);
    alive.push_back(by_age[i]);
    std::vector<Vertex> still_alive;
    for (const Vertex v : alive) {
      if (oldest[at(v)] == v)
        still_alive.push_back(v);
      else
        classes.components.push_back({v, by_age[i]});
    }
    alive = still_alive;

    for (const Vertex u : graph.neighbours(by_age[i])) edges += oldest[at(u)] != -1 ? 1 : 0;
    const std::int64_t loops_now =
        edges - static_cast<std::int64_t>(i + 1) + static_cast<std::int64_t>(alive.size());
    for (; loops < loops_now; ++loops) classes.loops.push_back(by_age[i]);
  }
  classes.essential_components = alive;
  return classes;
}

std::vector<Point> expected_points(std::span<const VertexPair> finite, std::span<const Vertex> essential,
                                   const EssentialPolicy& policy, double extreme, bool keep_diagonal,
                                   std::span<const double> values) {
  std::vector<Point> points;
  for (const VertexPair& pair : finite) points.push_back({values[at(pair.birth)], values[at(pair.death)]});
  if (policy.action != Action::drop)
    for (const Vertex v : essential)
      points.push_back({values[at(v)], policy.action == Action::clip_to_value ? policy.value : extreme});
  if (!keep_diagonal) std::erase_if(points, [](const Point& p) { return p.birth == p.death; });
  return sorted(points);
}

void expect_values_of_vertices(const Diagram& diagram, const EssentialPolicy& policy,
                               std::span<const double> values) {
  ASSERT_EQ(diagram.vertices.size(), diagram.points.size());
  for (std::size_t i = 0; i < diagram.size(); ++i) {
    const auto [birth, death] = diagram.vertices[i];
    ASSERT_EQ(diagram.points[i].birth, values[at(birth)]);
    if (death != -1)
      ASSERT_EQ(diagram.points[i].death, values[at(death)]);
    else
      ASSERT_TRUE(policy.action == Action::clip_to_value && diagram.points[i].death == policy.value);
  }
}

TEST(OrdinaryPersistence, FollowsTheComponentsAndLoopsOfEverySublevelAndSuperlevelGraph) {
  for (std::uint64_t item = 0; item < 1500; ++item) {
    const Case c = test::draw_case(item, item % 50 == 0 ? 90 : 25, 21);
    const std::vector<Vertex> up = test::ascending(c.values);
    const std::vector<Vertex> down(up.rbegin(), up.rend());
    const Classes sub = classes_by_definition(c.graph, up);
    const Classes sup = classes_by_definition(c.graph, down);
    const double lowest = up.empty() ? 0 : c.values[at(up.front())];
    const double highest = up.empty() ? 0 : c.values[at(up.back())];

    for (const EssentialPolicy policy : {EssentialPolicy{}, EssentialPolicy{Action::clip_to_extreme, 0},
                                         EssentialPolicy{Action::clip_to_value, 0.75}}) {
      for (const bool keep_diagonal : {false, true}) {
        const OrdinaryDiagrams diagrams = ordinary_persistence(c.graph, c.values, {policy, keep_diagonal});
        ASSERT_EQ(sorted(diagrams.sub0.points), expected_points(sub.components, sub.essential_components,
                                                                policy, highest, keep_diagonal, c.values))
            << item;
        ASSERT_EQ(sorted(diagrams.sup0.points), expected_points(sup.components, sup.essential_components,
                                                                policy, lowest, keep_diagonal, c.values))
            << item;
        ASSERT_EQ(sorted(diagrams.sub1.points),
                  expected_points({}, sub.loops, policy, highest, keep_diagonal, c.values))
            << item;
        for (const Diagram* diagram : {&diagrams.sub0, &diagrams.sup0, &diagrams.sub1})
          ASSERT_NO_FATAL_FAILURE(expect_values_of_vertices(*diagram, policy, c.values)) << item;
      }
    }
  }
}

// What dies in ordinary persistence are the ordinary and relative classes of extended persistence; loops are
// born at the same vertices in both.
TEST(OrdinaryPersistence, AgreesWithExtendedPersistence) {
  const auto births = [](const Diagram& diagram) {
    std::vector<Vertex> vertices;
    for (const VertexPair& pair : diagram.vertices) vertices.push_back(pair.birth);
    return sorted(vertices);
  };
  for (std::uint64_t item = 0; item < 1500; ++item) {
    const Case c = test::draw_case(item, 150, 22);
    for (const bool keep_diagonal : {false, true}) {
      const ExtendedDiagrams extended = extended_persistence(c.graph, c.values, {keep_diagonal});
      const OrdinaryDiagrams ordinary = ordinary_persistence(c.graph, c.values, {{}, keep_diagonal});
      ASSERT_EQ(sorted(ordinary.sub0.vertices), sorted(extended.ord0.vertices)) << item;
      ASSERT_EQ(sorted(ordinary.sup0.vertices), sorted(extended.rel1.vertices)) << item;
      ASSERT_EQ(ordinary.sub1.size(), 0U);
    }
    const OrdinaryOptions clipped{{Action::clip_to_extreme, 0}, true};
    const OrdinaryDiagrams ordinary = ordinary_persistence(c.graph, c.values, clipped);
    const ExtendedDiagrams extended = extended_persistence(c.graph, c.values);
    ASSERT_EQ(static_cast<std::int64_t>(ordinary.sub1.size()), data::cycle_rank(c.graph)) << item;
    ASSERT_EQ(births(ordinary.sub1), births(extended.ext1)) << item;
  }
}

TEST(OrdinaryPersistence, RefusesValuesThatAreNotFiniteOrNotOnePerVertex) {
  const Graph graph = data::path_graph(4);
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {inf, -inf, std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<double> values{1, 2, bad, 3};
    EXPECT_THROW(static_cast<void>(ordinary_persistence(graph, values)), base::Error);
  }
  const std::vector<double> too_many(5, 1.0);
  EXPECT_THROW(static_cast<void>(ordinary_persistence(graph, too_many)), base::Error);
  EXPECT_THROW(static_cast<void>(ordinary_persistence(graph, std::span(too_many).first(3))), base::Error);
}

}  // namespace
}  // namespace perslay::persistence
