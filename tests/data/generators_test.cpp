#include <cmath>

#include <gtest/gtest.h>

#include <perslay/data/generators.h>

namespace perslay::data {
namespace {

TEST(Generators, NamedGraphsHaveTheirCounts) {
  EXPECT_EQ(path_graph(5).edge_count(), 4);
  EXPECT_EQ(cycle_graph(5).edge_count(), 5);
  EXPECT_EQ(cycle_graph(2).edge_count(), 1);
  EXPECT_EQ(complete_graph(6).edge_count(), 15);
  EXPECT_EQ(cycle_rank(complete_graph(6)), 10);
  EXPECT_EQ(grid_graph(3, 4).edge_count(), 3 * 3 + 2 * 4);
  EXPECT_EQ(cycle_rank(grid_graph(3, 4)), 2 * 3);
  EXPECT_EQ(path_graph(0).vertex_count(), 0);
  EXPECT_EQ(path_graph(1).edge_count(), 0);
}

TEST(Generators, RandomGraphHasTheExpectedNumberOfEdges) {
  base::RandomStream random(4);
  constexpr double pairs = 200 * 199 / 2.0;
  for (const double p : {0.01, 0.3, 0.9}) {
    double edges = 0;
    for (int i = 0; i < 50; ++i) edges += static_cast<double>(random_graph(200, p, random).edge_count());
    EXPECT_NEAR(edges / 50, pairs * p, 5 * std::sqrt(pairs * p * (1 - p) / 50)) << p;
  }
  EXPECT_EQ(random_graph(10, 0, random).edge_count(), 0);
  EXPECT_EQ(random_graph(10, 1, random).edge_count(), 45);
}

TEST(Generators, PreferentialAttachmentIsConnectedAndHasHubs) {
  base::RandomStream random(4);
  const Graph graph = preferential_attachment_graph(2000, 3, random);
  EXPECT_EQ(component_count(graph), 1);
  EXPECT_LE(graph.edge_count(), 3 * 2000);
  EXPECT_GE(graph.edge_count(), 3 * 2000 * 0.95);
  Vertex largest = 0;
  for (Vertex v = 0; v < 2000; ++v) largest = std::max(largest, graph.degree(v));
  EXPECT_GT(largest, 60);  // ten times the mean; a random graph has about 17
}

TEST(Generators, ShapesDifferInShape) {
  const GraphDataset shapes = shapes_dataset(40);
  ASSERT_EQ(shapes.size(), 120U);
  EXPECT_EQ(shapes.vertex_offsets.size(), 121U);
  for (std::size_t g = 0; g < shapes.size(); ++g) {
    const Graph& graph = shapes.graphs[g];
    EXPECT_GE(graph.vertex_count(), 20);
    EXPECT_LE(graph.vertex_count(), 60);
    EXPECT_EQ(shapes.labels[g], static_cast<int>(g / 40));
    const auto loops = cycle_rank(graph);
    if (shapes.labels[g] == 0) {
      EXPECT_EQ(loops, 0);
      EXPECT_EQ(component_count(graph), 1);
    } else if (shapes.labels[g] == 1) {
      EXPECT_EQ(component_count(graph), 1);
      EXPECT_GE(loops, 1);
      EXPECT_LE(loops, 6);
    } else {
      EXPECT_GT(loops, 6);
    }
  }
}

TEST(Generators, ShapesDependOnTheSeedAloneNotOnThreads) {
  const auto edges_of = [](std::uint64_t seed, int threads) {
    base::Context context;
    context.seed = seed;
    context.threads = threads;
    std::vector<std::vector<Vertex>> lists;
    for (const Graph& graph : shapes_dataset(10, context).graphs)
      for (Vertex v = 0; v < graph.vertex_count(); ++v)
        lists.emplace_back(graph.neighbours(v).begin(), graph.neighbours(v).end());
    return lists;
  };
  EXPECT_EQ(edges_of(1, 1), edges_of(1, 3));
  EXPECT_NE(edges_of(1, 1), edges_of(2, 1));
}

}  // namespace
}  // namespace perslay::data
