#include <vector>

#include <gtest/gtest.h>

#include <perslay/data/part_of.h>

namespace perslay::data {
namespace {

using Items = std::vector<std::size_t>;

/// A path of one, two and three vertices; vertex v of all has the node label 10 + v and the attributes v, -v.
GraphDataset paths() {
  GraphDataset all;
  all.name = "PATHS";
  all.labels = {2, 0, 1};
  all.classes = {"a", "b", "c"};
  all.attribute_count = 2;
  for (Vertex n = 1; n <= 3; ++n) {
    std::vector<Edge> edges;
    for (Vertex v = 1; v < n; ++v) edges.push_back({v - 1, v});
    all.graphs.push_back(Graph::from_edges(n, edges));
    all.vertex_offsets.push_back(all.vertex_offsets.back() + n);
  }
  for (int v = 0; v < 6; ++v) {
    all.node_labels.push_back(10 + v);
    all.vertex_names.push_back(std::string(1, static_cast<char>('p' + v)));
    all.node_attributes.push_back(v);
    all.node_attributes.push_back(-v);
  }
  return all;
}

TEST(PartOfGraphs, HasWhatBelongsToItsGraphsInTheOrderGiven) {
  const auto part = part_of(paths(), Items{2, 0, 2});
  EXPECT_EQ(part.name, "PATHS");
  EXPECT_EQ(part.classes.size(), 3U);
  EXPECT_EQ(part.labels, (std::vector{1, 2, 1}));
  ASSERT_EQ(part.size(), 3U);
  EXPECT_EQ(part.graphs[0].edge_count(), 2);
  EXPECT_EQ(part.graphs[1].vertex_count(), 1);
  EXPECT_EQ(part.vertex_offsets, (std::vector<std::int64_t>{0, 3, 4, 7}));
  EXPECT_EQ(part.node_labels, (std::vector{13, 14, 15, 10, 13, 14, 15}));
  EXPECT_EQ(part.vertex_names, (std::vector<std::string>{"s", "t", "u", "p", "s", "t", "u"}));
  EXPECT_EQ(part.node_attributes, (std::vector<double>{3, -3, 4, -4, 5, -5, 0, -0.0, 3, -3, 4, -4, 5, -5}));
}

TEST(PartOfGraphs, MayBeEmptyAndHasNothingThatTheWholeHasNot) {
  EXPECT_EQ(part_of(paths(), Items{}).vertex_offsets, (std::vector<std::int64_t>{0}));
  auto bare = paths();
  bare.labels.clear();
  bare.node_labels.clear();
  bare.node_attributes.clear();
  const auto part = part_of(bare, Items{1});
  EXPECT_EQ(part.size(), 1U);
  EXPECT_TRUE(part.labels.empty() && part.node_labels.empty() && part.node_attributes.empty());
}

TEST(PartOfClouds, HasTheirPointsAndLabels) {
  PointCloudDataset all;
  all.points = {{0, 0}, {1, 0}, {1, 1}};
  all.offsets = {0, 1, 1, 3};
  all.labels = {0, 1, 1};
  const auto part = part_of(all, Items{2, 1});
  EXPECT_EQ(part.points, (std::vector<PlanePoint>{{1, 0}, {1, 1}}));
  EXPECT_EQ(part.offsets, (std::vector<std::int64_t>{0, 2, 2}));
  EXPECT_EQ(part.labels, (std::vector{1, 1}));
}

}  // namespace
}  // namespace perslay::data
