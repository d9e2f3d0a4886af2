#include "../sentence.h"
#include "persistence/cases.h"
#include "persistence/coned_complex.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include <perslay/persistence/edge_subdivision.h>
#include <perslay/persistence/extended_persistence.h>

namespace perslay::persistence {
namespace {

using data::Edge;
using data::Graph;
using data::Vertex;
using diagram::Point;
using test::at;
using test::sorted;

/// A graph with weights, for even items many of them equal; most have isolated vertices.
struct Weighted {
  std::vector<Edge> edges;
  Graph graph;
};

Weighted draw(std::uint64_t item, Vertex most) {
  base::RandomStream random(31, item);
  const auto n = static_cast<Vertex>(1 + random.below(static_cast<std::uint64_t>(most)));
  const Graph plain = data::random_graph(n, random.uniform(0, 4) / n, random);
  Weighted drawn;
  for (const auto& [a, b] : test::edges_of(plain))
    drawn.edges.push_back({a, b, 1 + static_cast<double>(random.below(item % 2 == 0 ? 4 : 1000)) / 8});
  drawn.graph = Graph::from_edges(n, drawn.edges, true);
  return drawn;
}

ExtendedDiagrams diagrams_of(const Graph& graph, bool keep_diagonal = false) {
  const auto subdivided = subdivide_by_weight(graph);
  return extended_persistence(subdivided.graph, subdivided.values, {.keep_diagonal = keep_diagonal});
}

/// The smallest weight of each vertex's edges; vertices without edges are not in the map.
std::map<Vertex, double> entries(const std::vector<Edge>& edges) {
  std::map<Vertex, double> entry;
  for (const auto& [a, b, weight] : edges)
    for (const Vertex end : {a, b}) {
      const auto [place, is_new] = entry.emplace(end, weight);
      place->second = std::min(place->second, weight);
    }
  return entry;
}

TEST(EdgeSubdivision, PersistenceEqualsTheReductionOfTheConedComplex) {
  for (std::uint64_t item = 0; item < 1500; ++item) {
    const auto [edges, graph] = draw(item, 9);
    // Vertices 0 ... n-1, then a vertex for each edge, in another order than the function's; the rest is left out.
    std::vector<Edge> halves;
    std::vector<double> values;
    std::map<Vertex, Vertex> place;
    for (const auto& [v, value] : entries(edges)) {
      place[v] = static_cast<Vertex>(values.size());
      values.push_back(value);
    }
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
      for (const Vertex end : {edge->a, edge->b})
        halves.push_back({place.at(end), static_cast<Vertex>(values.size())});
      values.push_back(edge->weight);
    }
    const Graph by_hand = Graph::from_edges(static_cast<Vertex>(values.size()), halves);
    const auto expected = test::coned_persistence(by_hand, values);
    const auto points = [&](const test::VertexPairs& pairs) {
      std::vector<Point> result;
      for (const auto& [birth, death] : pairs) result.push_back({values[at(birth)], values[at(death)]});
      return sorted(result);
    };
    const auto found = diagrams_of(graph, true);
    ASSERT_EQ(sorted(found.ord0.points), points(expected.ord0)) << item;
    ASSERT_EQ(sorted(found.rel1.points), points(expected.rel1)) << item;
    ASSERT_EQ(sorted(found.ext0.points), points(expected.ext0)) << item;
    ASSERT_EQ(sorted(found.ext1.points), points(expected.ext1)) << item;
  }
}

/// What Kruskal's algorithm says: components merge at the edges of a minimum spanning forest, the one that began
/// later ends; every other edge closes a loop.
struct Kruskal {
  std::vector<Point> ord0;          // off the diagonal
  std::vector<Point> ext0;          // smallest and largest weight of each component
  std::vector<double> loop_births;  // weights of the edges outside the forest

  explicit Kruskal(std::vector<Edge> edges) {
    struct Component {
      std::set<Vertex> vertices;
      double begin, end;
    };
    std::vector<Component> components;
    for (const auto& [v, value] : entries(edges)) components.push_back({{v}, value, value});
    std::ranges::stable_sort(edges, {}, &Edge::weight);
    for (const auto& [a, b, weight] : edges) {
      const auto with = [&](Vertex v) {
        return std::ranges::find_if(components, [v](const auto& c) { return c.vertices.contains(v); });
      };
      auto keep = with(a), lose = with(b);
      if (keep == lose) {
        loop_births.push_back(weight);
        keep->end = weight;
        continue;
      }
      if (lose->begin < keep->begin) std::swap(keep, lose);
      if (lose->begin < weight) ord0.push_back({lose->begin, weight});
      keep->vertices.merge(lose->vertices);
      keep->end = weight;
      components.erase(lose);
    }
    for (const auto& component : components) ext0.push_back({component.begin, component.end});
  }
};

TEST(EdgeSubdivision, ComponentsAndLoopsAreThoseOfMinimumSpanningForests) {
  for (std::uint64_t item = 0; item < 1000; ++item) {
    const auto [edges, graph] = draw(item, 60);
    const Kruskal expected(edges);
    const auto found = diagrams_of(graph);
    ASSERT_EQ(sorted(found.ord0.points), sorted(expected.ord0)) << item;
    ASSERT_EQ(sorted(found.ext0.points), sorted(expected.ext0)) << item;
    std::vector<double> births;
    for (const Point& point : found.ext1.points) births.push_back(point.birth);
    ASSERT_EQ(sorted(births), sorted(expected.loop_births)) << item;
  }
}

TEST(EdgeSubdivision, KnowsWhichVerticesItsVerticesWere) {
  // A triangle 1 3 4 with a tail 4 2; the vertices 0 and 5 are alone.
  const std::vector<Edge> edges{{1, 3, 2}, {3, 4, 5}, {1, 4, 3}, {2, 4, 0.5}};
  const auto [graph, values, vertex_of] = subdivide_by_weight(Graph::from_edges(6, edges, true));
  EXPECT_EQ(vertex_of, (std::vector<Vertex>{1, 2, 3, 4, -1, -1, -1, -1}));
  EXPECT_EQ(values, (std::vector<double>{2, 0.5, 2, 0.5, 2, 3, 0.5, 5}));
  EXPECT_EQ(graph.edge_count(), 8);
  const auto ends = graph.neighbours(5);  // the middle of 1 4
  EXPECT_EQ(std::vector<Vertex>(ends.begin(), ends.end()), (std::vector<Vertex>{0, 3}));
}

TEST(EdgeSubdivision, OfGraphsWithoutEdgesIsEmpty) {
  EXPECT_EQ(subdivide_by_weight(Graph()).graph.vertex_count(), 0);
  EXPECT_EQ(subdivide_by_weight(Graph::from_edges(3, {})).graph.vertex_count(), 0);
}

TEST(EdgeSubdivision, RefusesEdgesWithoutWeights) {
  EXPECT_EQ(test::sentence_of([] { (void)subdivide_by_weight(data::path_graph(3)); }),
            "The filtration weight reads edge weights, and the edges of this graph have none.");
}

}  // namespace
}  // namespace perslay::persistence
