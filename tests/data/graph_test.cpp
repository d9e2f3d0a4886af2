#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/data/graph.h>

namespace perslay::data {
namespace {

std::string message_of(Vertex vertices, std::vector<Edge> edges, bool weighted = false) {
  try {
    (void)Graph::from_edges(vertices, edges, weighted);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Graph, TheEmptyGraphHasNothing) {
  const Graph graph;
  EXPECT_EQ(graph.vertex_count(), 0);
  EXPECT_EQ(graph.edge_count(), 0);
  EXPECT_EQ(component_count(graph), 0);
  EXPECT_EQ(Graph::from_edges(0, {}).vertex_count(), 0);
}

TEST(Graph, CleansAndCounts) {
  Graph::Cleaning cleaning;
  const std::vector<Edge> edges{{0, 1}, {1, 0}, {0, 1}, {2, 2}, {3, 1}};
  const Graph graph = Graph::from_edges(5, edges, false, &cleaning);
  EXPECT_EQ(graph.edge_count(), 2);
  EXPECT_EQ(cleaning.self_loops_dropped, 1);
  EXPECT_EQ(cleaning.duplicate_edges_merged, 1);  // (0,1) twice; (1,0) is the same edge from its other end
  EXPECT_EQ(graph.degree(2), 0);
  EXPECT_EQ(graph.degree(4), 0);
  EXPECT_EQ(component_count(graph), 3);
  EXPECT_EQ(cycle_rank(graph), 0);
}

TEST(Graph, MatchesASetOfPairs) {
  base::RandomStream random(5);
  for (int repetition = 0; repetition < 200; ++repetition) {
    const bool weighted = repetition % 2 == 1;
    const auto n = static_cast<Vertex>(1 + random.below(20));
    const auto draw = [&] { return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n))); };
    std::vector<Edge> edges(random.below(60));
    std::set<std::pair<Vertex, Vertex>> pairs, directed;
    Graph::Cleaning expected, cleaning;
    for (Edge& edge : edges) {
      edge = {draw(), draw()};
      edge.weight = 1 + edge.a + edge.b;
      if (edge.a == edge.b) {
        ++expected.self_loops_dropped;
        continue;
      }
      pairs.insert(std::minmax(edge.a, edge.b));
      if (!directed.insert({edge.a, edge.b}).second) ++expected.duplicate_edges_merged;
    }
    const Graph graph = Graph::from_edges(n, edges, weighted, &cleaning);
    EXPECT_EQ(cleaning.self_loops_dropped, expected.self_loops_dropped);
    EXPECT_EQ(cleaning.duplicate_edges_merged, expected.duplicate_edges_merged);
    EXPECT_EQ(graph.weighted(), weighted && !pairs.empty());
    std::set<std::pair<Vertex, Vertex>> found;
    for (Vertex v = 0; v < n; ++v) {
      const auto neighbours = graph.neighbours(v);
      EXPECT_TRUE(std::is_sorted(neighbours.begin(), neighbours.end()));
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        found.insert(std::minmax(neighbours[i], v));
        if (graph.weighted()) {
          EXPECT_EQ(graph.weights(v)[i], 1 + v + neighbours[i]);
        }
      }
    }
    EXPECT_EQ(found, pairs);
    EXPECT_EQ(graph.edge_count(), static_cast<std::int64_t>(pairs.size()));
  }
}

TEST(Graph, KeepsWeights) {
  const std::vector<Edge> edges{{0, 1, 2.5}, {2, 1, 0.5}, {1, 0, 2.5}};
  const Graph graph = Graph::from_edges(3, edges, true);
  ASSERT_TRUE(graph.weighted());
  EXPECT_EQ(graph.weights(1)[0], 2.5);
  EXPECT_EQ(graph.weights(1)[1], 0.5);
  EXPECT_EQ(graph.weights(0)[0], 2.5);
  EXPECT_FALSE(Graph::from_edges(3, edges, false).weighted());
}

TEST(Graph, RefusesWhatIsNoGraph) {
  EXPECT_EQ(message_of(3, {{0, 1}, {1, 3}}),
            "Edge 1 joins vertices 1 and 3, but the graph has only the vertices 0 to 2.");
  EXPECT_EQ(message_of(3, {{-1, 1}}),
            "Edge 0 joins vertices -1 and 1, but the graph has only the vertices 0 to 2.");
  EXPECT_EQ(message_of(2, {{0, 1, 0}}, true),
            "Edge 0 from 0 to 1 has weight 0; weights must be positive and finite.");
  EXPECT_NE(message_of(2, {{0, 1, std::numeric_limits<double>::quiet_NaN()}}, true), "no error");
  EXPECT_EQ(message_of(2, {{0, 1, 1}, {1, 0, 2}}, true),
            "The edge between 0 and 1 is given with the weights 1 and 2.");
}

TEST(Graph, CopiesOutliveTheOriginal) {
  Graph copy;
  {
    const std::vector<Edge> edges{{0, 1}};
    const Graph original = Graph::from_edges(2, edges);
    copy = original;
  }
  EXPECT_EQ(copy.neighbours(0)[0], 1);
}

}  // namespace
}  // namespace perslay::data
