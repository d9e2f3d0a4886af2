#include "sentence.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>

namespace perslay::features {
namespace {

using data::Edge;
using data::Graph;
using data::GraphDataset;
using data::Vertex;
using diagram::Kind;
using test::sentence_of;

void add(GraphDataset& dataset, Graph graph) {
  dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  dataset.graphs.push_back(std::move(graph));
}

/// A path of three vertices and one of two, with labels and with two columns of attributes.
GraphDataset described() {
  GraphDataset dataset;
  add(dataset, data::path_graph(3));
  add(dataset, data::path_graph(2));
  dataset.node_labels = {7, -1, 7, 0, -1};
  dataset.attribute_count = 2;
  dataset.node_attributes = {0.5, 10, 1.5, 11, 2.5, 12, 3.5, 13, 4.5, 14};
  return dataset;
}

std::vector<filtration::Filtration> named(const std::vector<std::string>& names) {
  std::vector<filtration::Filtration> filtrations;
  for (const auto& name : names) filtrations.push_back(filtration::parse_filtration(name));
  return filtrations;
}

std::vector<double> values_of(const GraphDataset& dataset, const std::string& name) {
  return vertex_values(dataset, named({name})).front();
}

TEST(DataFunctions, AttributesAreTheirColumn) {
  EXPECT_EQ(values_of(described(), "attribute:0"), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5}));
  EXPECT_EQ(values_of(described(), "attribute:1"), (std::vector<double>{10, 11, 12, 13, 14}));
  const auto set = graph_diagrams(described(), named({"attribute:1"}), {.kinds = {Kind::ext0}});
  EXPECT_EQ(set.groups[0].filtration, "attribute:1");
  EXPECT_EQ(set.groups[0].diagrams[1][0], (diagram::Point{13, 14}));
}

TEST(DataFunctions, LabelsAreIndicators) {
  EXPECT_EQ(values_of(described(), "label:7"), (std::vector<double>{1, 0, 1, 0, 0}));
  EXPECT_EQ(values_of(described(), "label:-1"), (std::vector<double>{0, 1, 0, 0, 1}));
  EXPECT_EQ(values_of(described(), "label:9"), std::vector<double>(5, 0));
  EXPECT_EQ(values_of(described(), "label:07"), std::vector<double>(5, 0));
}

TEST(DataFunctions, WhatTheDataLackIsSaid) {
  const auto sentence = [](const GraphDataset& dataset, const std::string& name) {
    return sentence_of([&] { (void)values_of(dataset, name); });
  };
  auto dataset = described();
  EXPECT_EQ(sentence(dataset, "attribute:2"),
            "attribute:2 reads column 2 of the node attributes, and these graphs have columns 0 to 1.");
  dataset.node_attributes[6] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(sentence(dataset, "attribute:0"),
            "attribute:0 of vertex 0 of graph 1 is nan, and values of vertices must be finite.");
  dataset.attribute_count = 1;
  dataset.node_attributes.resize(5);
  EXPECT_EQ(sentence(dataset, "attribute:1"),
            "attribute:1 reads column 1 of the node attributes, and these graphs have column 0 alone.");
  dataset.attribute_count = 0;
  dataset.node_attributes.clear();
  dataset.node_labels.clear();
  EXPECT_EQ(sentence(dataset, "attribute:0"),
            "attribute:0 reads node attributes, and the vertices of these graphs have none.");
  EXPECT_EQ(sentence(dataset, "label:7"),
            "label:7 reads node labels, and the vertices of these graphs have none.");
  EXPECT_TRUE(absent_labels(dataset, named({"label:7"})).empty());
  for (const auto* name : {"attribute:3", "label:7"})
    EXPECT_TRUE(values_of(GraphDataset{}, name).empty()) << "no vertices lack nothing";
}

TEST(DataFunctions, LabelsThatNoVertexHasAreNamed) {
  auto dataset = described();
  EXPECT_EQ(absent_labels(dataset, named({"label:7", "degree", "label:8"})),
            std::vector<std::string>{"No vertex has the label of label:8; the node labels are -1, 0, 7."});
  dataset.node_labels.clear();
  add(dataset, data::path_graph(25));
  for (int v = 0; v < 30; ++v) dataset.node_labels.push_back(v);
  EXPECT_EQ(
      absent_labels(dataset, named({"label:x"})).front(),
      "No vertex has the label of label:x; the node labels are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "
      "14, 15, 16, 17, 18, 19 and 10 more.");
}

TEST(DataFunctions, OnlyItemsToPredictMayLackALabel) {
  const auto dataset = described();
  for (LoadRequest request : {LoadRequest{.filtrations = {"label:8"}},
                              LoadRequest{.filtrations = {"degree"}, .features = {"deciles:label:8"}}}) {
    EXPECT_EQ(sentence_of([&] { (void)make_items(dataset, request); }),
              "No vertex has the label of label:8; the node labels are -1, 0, 7.");
    request.to_predict = true;
    EXPECT_EQ(make_items(dataset, request).count(), 2U);
  }
}

TEST(DataFunctions, ServeFeaturesToo) {
  const auto items = make_items(described(), {.filtrations = {"degree"},
                                              .features = {"deciles:attribute:1", "deciles:label:7"},
                                              .keep_diagrams = false});
  ASSERT_EQ(items.blocks.size(), 2U);
  EXPECT_EQ(items.blocks[0].name, "deciles:attribute:1");
  EXPECT_EQ(items.blocks[0].values[0], 10);
  EXPECT_EQ(items.blocks[0].values[10], 12);
  EXPECT_EQ(items.blocks[1].values[0], 0);
  EXPECT_EQ(items.blocks[1].values[10], 1);
}

// ---- weights of edges

GraphDataset weighted(std::size_t graphs) {
  GraphDataset dataset;
  for (std::size_t g = 0; g < graphs; ++g) {
    base::RandomStream random(41, g);
    const auto n = static_cast<Vertex>(1 + random.below(25));
    const Graph plain = data::random_graph(n, random.uniform(0, 5) / n, random);
    std::vector<Edge> edges;
    for (Vertex v = 0; v < n; ++v)
      for (const Vertex w : plain.neighbours(v))
        if (v < w) edges.push_back({v, w, static_cast<double>(1 + random.below(g % 2 == 0 ? 3 : 1000))});
    add(dataset, Graph::from_edges(n, edges, true));
  }
  return dataset;
}

double weight_of(const Graph& graph, Vertex a, Vertex b) {
  const auto neighbours = graph.neighbours(a);
  const auto found = std::ranges::find(neighbours, b);
  EXPECT_NE(found, neighbours.end()) << a << ' ' << b << " is no edge";
  return graph.weights(a)[static_cast<std::size_t>(found - neighbours.begin())];
}

TEST(EdgeWeights, PointsNameTheVertexOfTheirLowerValueAlone) {
  const auto dataset = weighted(60);
  const auto set =
      graph_diagrams(dataset, named({"weight"}),
                     {.kinds = {Kind::ord0, Kind::rel1, Kind::ext0, Kind::ext1, Kind::sub0, Kind::sup0}});
  std::size_t points = 0;
  for (const auto& group : set.groups)
    for (std::size_t g = 0; g < dataset.size(); ++g) {
      const auto of_graph = group.diagrams[g];
      const auto vertices = group.diagrams.vertices(g);
      for (std::size_t i = 0; i < of_graph.size(); ++i, ++points) {
        const auto [birth, death] = of_graph[i];
        const Vertex vertex = std::max(vertices[i].birth, vertices[i].death);
        ASSERT_EQ(std::min(vertices[i].birth, vertices[i].death), -1);
        ASSERT_EQ(vertex == vertices[i].birth, birth < death || group.kind == Kind::ext0);
        ASSERT_EQ(std::ranges::min(dataset.graphs[g].weights(vertex)), std::min(birth, death));
      }
    }
  EXPECT_GT(points, 500U);
}

TEST(EdgeWeights, CyclesHaveTheVerticesOfTheGraph) {
  const auto dataset = weighted(60);
  const auto set = graph_diagrams(dataset, named({"weight"}), {.kinds = {Kind::ext1}, .cycles = true});
  const auto& group = set.groups.front();
  std::size_t cycle = 0;
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    ASSERT_EQ(static_cast<std::int64_t>(group.diagrams[g].size()), data::cycle_rank(graph));
    for (std::size_t point = 0; point < group.diagrams[g].size(); ++point) {
      const auto [birth, death] = group.diagrams[g][point];
      const auto begin = static_cast<std::size_t>(group.cycles.offsets[cycle]);
      const auto end = static_cast<std::size_t>(group.cycles.offsets[++cycle]);
      const std::vector<Vertex> vertices(group.cycles.vertices.begin() + static_cast<std::ptrdiff_t>(begin),
                                         group.cycles.vertices.begin() + static_cast<std::ptrdiff_t>(end));
      ASSERT_GE(vertices.size(), 3U);
      double largest = 0, entry = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        largest = std::max(largest, weight_of(graph, vertices[i], vertices[(i + 1) % vertices.size()]));
        entry = std::min(entry, std::ranges::min(graph.weights(vertices[i])));
        ASSERT_EQ(std::ranges::count(vertices, vertices[i]), 1);
      }
      ASSERT_EQ(largest, birth);
      ASSERT_EQ(entry, death);
      ASSERT_EQ(vertices.front(), group.diagrams.vertices(g)[point].death);
    }
  }
  EXPECT_GT(cycle, 300U);
}

TEST(EdgeWeights, StandBesideFunctionsOfVertices) {
  const auto dataset = weighted(5);
  const auto set = graph_diagrams(dataset, named({"degree", "weight", "core"}));
  const auto alone = graph_diagrams(dataset, named({"weight"}));
  ASSERT_EQ(set.groups.size(), 12U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(set.groups[4 + k].filtration, "weight");
    EXPECT_TRUE(std::ranges::equal(set.groups[4 + k].diagrams.points(), alone.groups[k].diagrams.points()));
  }
}

TEST(EdgeWeights, IsolatedVerticesAreLeftOut) {
  GraphDataset dataset;
  add(dataset, Graph::from_edges(4, std::vector<Edge>{{1, 3, 2.5}}, true));
  add(dataset, Graph::from_edges(2, {}));
  const auto set = graph_diagrams(dataset, named({"weight"}), {.kinds = {Kind::ext0, Kind::ord0}});
  ASSERT_EQ(set.groups[0].diagrams[0].size(), 1U);
  EXPECT_EQ(set.groups[0].diagrams[0][0], (diagram::Point{2.5, 2.5}));
  EXPECT_EQ(set.groups[0].diagrams.vertices(0)[0], (diagram::VertexPair{1, -1}));
  EXPECT_EQ(set.groups[0].diagrams[1].size(), 0U);
}

TEST(EdgeWeights, ThatAreNotThereAreSaid) {
  auto dataset = weighted(2);
  add(dataset, data::path_graph(3));
  EXPECT_EQ(sentence_of([&] { (void)graph_diagrams(dataset, named({"weight"})); }),
            "weight reads edge weights, and the edges of graph 2 have none.");
  EXPECT_EQ(sentence_of([&] { (void)graph_diagrams(data::shapes_dataset(2), named({"weight"})); }),
            "weight reads edge weights, and the edges of these graphs have none.");
  EXPECT_EQ(sentence_of([] { (void)parse_item_feature("deciles:weight"); }),
            "deciles needs a function of vertices, and weight is one of edges.");
}

}  // namespace
}  // namespace perslay::features
