#include "sentence.h"

#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/data/concatenate.h>
#include <perslay/data/generators.h>
#include <perslay/data/part_of.h>

namespace perslay::data {
namespace {

using test::sentence_of;

/// Labelled graphs with a node label and two attributes for each vertex.
GraphDataset some_graphs(std::size_t count, base::RandomStream& random) {
  GraphDataset set;
  set.name = "SOME";
  set.classes = {"a", "b", "c"};
  set.attribute_count = 2;
  set.attribute_names = {"height", "mass"};
  for (std::size_t g = 0; g < count; ++g) {
    const auto vertices = static_cast<Vertex>(random.below(8));
    set.graphs.push_back(random_graph(vertices, 0.4, random));
    set.vertex_offsets.push_back(set.vertex_offsets.back() + vertices);
    set.labels.push_back(static_cast<int>(random.below(3)));
    for (Vertex v = 0; v < vertices; ++v) {
      set.node_labels.push_back(static_cast<int>(random.below(9)));
      set.vertex_names.push_back(std::to_string(random.below(1000)).append("v"));
      set.node_attributes.insert(set.node_attributes.end(), {random.uniform(), random.uniform()});
    }
  }
  return set;
}

template <class Dataset>
Dataset joined(const Dataset& a, const Dataset& b) {
  return concatenate(std::vector<const Dataset*>{&a, &b});
}

std::vector<std::size_t> places(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> all;
  for (std::size_t i = begin; i < end; ++i) all.push_back(i);
  return all;
}

void expect_equal(const GraphDataset& a, const GraphDataset& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t g = 0; g < a.size(); ++g) {
    EXPECT_EQ(a.graphs[g].vertex_count(), b.graphs[g].vertex_count());
    EXPECT_EQ(a.graphs[g].edge_count(), b.graphs[g].edge_count());
  }
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.vertex_offsets, b.vertex_offsets);
  EXPECT_EQ(a.node_labels, b.node_labels);
  EXPECT_EQ(a.node_attributes, b.node_attributes);
  EXPECT_EQ(a.attribute_count, b.attribute_count);
  EXPECT_EQ(a.attribute_names, b.attribute_names);
  EXPECT_EQ(a.vertex_names, b.vertex_names);
}

TEST(ConcatenateGraphs, ThePartsOfTheWholeAreTheParts) {
  base::RandomStream random(3);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const auto a = some_graphs(random.below(6), random), b = some_graphs(random.below(6), random);
    const auto all = joined(a, b);
    expect_equal(part_of(all, places(0, a.size())), a);
    expect_equal(part_of(all, places(a.size(), all.size())), b);
  }
}

TEST(ConcatenateGraphs, ClassesAreJoinedByName) {
  base::RandomStream random(4);
  auto a = some_graphs(2, random), b = some_graphs(3, random);
  a.classes = {"x", "y"};
  a.labels = {1, 0};
  b.classes = {"w", "y", "z"};
  b.labels = {2, 1, 0};
  const auto all = joined(a, b);
  EXPECT_EQ(all.classes, (std::vector<std::string>{"x", "y", "w", "z"}));
  EXPECT_EQ(all.labels, (std::vector{1, 0, 3, 1, 2}));
}

TEST(ConcatenateGraphs, WhatDoesNotFitIsASentence) {
  base::RandomStream random(5);
  const auto a = some_graphs(4, random);
  auto b = some_graphs(4, random);
  const auto mistake = [&] { return sentence_of([&] { (void)joined(a, b); }); };
  b.labels.clear();
  EXPECT_EQ(mistake(), "Part 1 has no labels, but part 0 has labels.");
  b.labels.assign(4, 3);
  EXPECT_EQ(mistake(), "Part 1 has the label 3, but 3 classes.");
  b.labels.assign(4, 0);
  b.node_labels.clear();
  EXPECT_EQ(mistake(), "Part 1 has 0 node labels for each vertex, but part 0 has 1.");
  b.node_labels.assign(static_cast<std::size_t>(b.vertex_offsets.back()), 1);
  b.node_attributes.clear();
  b.attribute_count = 0;
  EXPECT_EQ(mistake(), "Part 1 has 0 node attributes for each vertex, but part 0 has 2.");
}

TEST(ConcatenateGraphs, NamesOfAttributesAreTheSame) {
  base::RandomStream random(7);
  const auto a = some_graphs(4, random);
  auto b = some_graphs(4, random);
  b.attribute_names = {"mass", "height"};
  EXPECT_EQ(sentence_of([&] { (void)joined(a, b); }),
            "Part 1 has the node attributes mass, height, but another part has height, mass.");
  b.attribute_names.clear();
  EXPECT_EQ(joined(a, b).attribute_names, a.attribute_names);
  EXPECT_EQ(attribute_called(a, "mass"), 1U);
  EXPECT_FALSE(attribute_called(a, "charge").has_value());
}

TEST(ConcatenateGraphs, VerticesWithoutNamesAreCalledByTheirNumbers) {
  GraphDataset a, b;
  for (auto* const set : {&a, &b}) {
    set->graphs = {path_graph(2)};
    set->vertex_offsets = {0, 2};
  }
  a.vertex_names = {"x", "y"};
  EXPECT_EQ(joined(b, a).vertex_names, (std::vector<std::string>{"0", "1", "x", "y"}));
  EXPECT_TRUE(joined(b, b).vertex_names.empty());
}

TEST(ConcatenateGraphs, PartsWithoutItemsFitToAll) {
  base::RandomStream random(6);
  const auto a = some_graphs(4, random);
  const GraphDataset none;
  EXPECT_EQ(concatenate(std::span<const GraphDataset* const>()).size(), 0U);
  auto all = joined(joined(none, a), none);
  all.name = a.name;
  expect_equal(all, a);
}

TEST(ConcatenateClouds, ThePartsOfTheWholeAreTheParts) {
  PointCloudDataset a, b;
  a.name = b.name = "CLOUDS";
  a.points = {{0, 0}, {1, 0}, {1, 1}};
  a.offsets = {0, 1, 1, 3};
  b.points = {{2, 2}};
  b.offsets = {0, 0, 1};
  a.labels = {0, 1, 1};
  b.labels = {1, 0};
  a.classes = b.classes = {"a", "b"};
  const auto all = joined(a, b);
  for (const auto& [part, begin] : {std::pair(&a, std::size_t{0}), {&b, a.size()}}) {
    const auto found = part_of(all, places(begin, begin + part->size()));
    EXPECT_EQ(found.name, part->name);
    EXPECT_EQ(found.points, part->points);
    EXPECT_EQ(found.offsets, part->offsets);
    EXPECT_EQ(found.labels, part->labels);
    EXPECT_EQ(found.classes, part->classes);
  }
}

}  // namespace
}  // namespace perslay::data
