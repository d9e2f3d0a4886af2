#include "filtration/graphs.h"
#include "sentence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>
#include <perslay/features/pairs.h>

namespace perslay::features {
namespace {

using namespace filtration::testing;

data::GraphDataset dataset_of(std::vector<Graph> graphs, std::vector<int> labels = {}) {
  data::GraphDataset dataset;
  dataset.graphs = std::move(graphs);
  for (const Graph& graph : dataset.graphs)
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  dataset.node_labels = std::move(labels);
  return dataset;
}

/// Graphs of all kinds; node labels from a few, negative ones among them.
data::GraphDataset labelled_graphs(std::uint64_t seed = 1) {
  std::vector<Graph> graphs;
  for (const auto& [name, graph] : small_graphs()) graphs.push_back(graph);
  auto dataset = dataset_of(std::move(graphs));
  base::RandomStream random(seed);
  for (std::int64_t v = 0; v < dataset.vertex_offsets.back(); ++v)
    dataset.node_labels.push_back(static_cast<int>(random.below(4)) - 1);
  return dataset;
}

std::span<const int> labels_of(const data::GraphDataset& dataset, std::size_t g) {
  return std::span(dataset.node_labels)
      .subspan(static_cast<std::size_t>(dataset.vertex_offsets[g]),
               static_cast<std::size_t>(dataset.graphs[g].vertex_count()));
}

KeyedBlock block_of(const data::GraphDataset& dataset, const std::string& name, int threads = 1) {
  base::Context context;
  context.threads = threads;
  return keyed_blocks(dataset, std::vector{parse_item_feature(name)}, context).front();
}

/// The same graphs with their vertices in another order.
data::GraphDataset shuffled(const data::GraphDataset& dataset, std::uint64_t seed) {
  auto result = dataset;
  base::RandomStream random(seed);
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const auto permutation = random_permutation(dataset.graphs[g].vertex_count(), random);
    result.graphs[g] = relabel(dataset.graphs[g], permutation);
    for (std::size_t v = 0; v < permutation.size() && !dataset.node_labels.empty(); ++v)
      result.node_labels[static_cast<std::size_t>(dataset.vertex_offsets[g] + permutation[v])] =
          labels_of(dataset, g)[v];
  }
  return result;
}

// ---- colours

/// Colour refinement as textbooks have it: a dictionary that gives every new pair of colour and sorted list
/// of neighbours' colours the next number.
class Dictionary {
 public:
  std::map<std::pair<std::size_t, int>, double> histogram(const Graph& graph, std::size_t levels,
                                                          std::span<const int> labels) {
    std::map<std::pair<std::size_t, int>, double> counts;
    std::vector<int> colours(static_cast<std::size_t>(graph.vertex_count()), 0);
    if (!labels.empty()) colours.assign(labels.begin(), labels.end());
    for (std::size_t level = 0;; ++level) {
      for (const int colour : colours) ++counts[{level, colour}];
      if (level == levels) return counts;
      std::vector<int> next;
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        std::vector<int> around;
        for (const Vertex w : graph.neighbours(v)) around.push_back(colours[static_cast<std::size_t>(w)]);
        std::ranges::sort(around);
        const auto key = std::tuple(level, colours[static_cast<std::size_t>(v)], around);
        next.push_back(numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second);
      }
      colours = std::move(next);
    }
  }

 private:
  std::map<std::tuple<std::size_t, int, std::vector<int>>, int> numbers_;
};

void expect_optimal_assignment(const data::GraphDataset& dataset, const std::string& name, std::size_t levels,
                               bool with_labels) {
  Dictionary dictionary;
  std::vector<std::map<std::pair<std::size_t, int>, double>> histograms;
  for (std::size_t g = 0; g < dataset.size(); ++g)
    histograms.push_back(dictionary.histogram(dataset.graphs[g], levels,
                                              with_labels ? labels_of(dataset, g) : std::span<const int>{}));
  const auto block = block_of(dataset, name);
  const std::size_t n = dataset.size();
  std::vector<double> found(n * n);
  KeyedPairs(block).intersections(block, {0, n, n}, found);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      double expected = 0;
      for (const auto& [key, count] : histograms[a])
        if (const auto other = histograms[b].find(key); other != histograms[b].end())
          expected += std::min(count, other->second);
      ASSERT_EQ(found[a * n + b], expected) << name << " " << a << " " << b;
    }
}

TEST(Colours, IntersectAsThoseOfADictionary) {
  const auto dataset = labelled_graphs();
  for (const std::size_t levels : {1U, 4U}) {
    expect_optimal_assignment(dataset, "wl:" + std::to_string(levels), levels, false);
    expect_optimal_assignment(dataset, "wl-labels:" + std::to_string(levels), levels, true);
  }
}

TEST(Colours, TellApartWhatRefinementDoes) {
  const Graph hexagon = data::cycle_graph(6);
  const Graph triangles = disjoint_union({data::cycle_graph(3), data::cycle_graph(3)}, 0);
  const auto row = [](const Graph& graph, std::vector<int> labels = {}) {
    const auto dataset = dataset_of({graph}, labels);
    const auto block = block_of(dataset, labels.empty() ? "wl:4" : "wl-labels:4");
    return std::pair(block.keys, block.values);
  };
  EXPECT_EQ(row(hexagon), row(triangles));
  // One vertex of another label is enough.
  EXPECT_NE(row(hexagon, {1, 0, 0, 0, 0, 0}), row(triangles, {1, 0, 0, 0, 0, 0}));
  EXPECT_NE(row(hexagon), row(data::path_graph(6)));
  // Two trees with the same degrees: the branches of length 2 of the first are at different places.
  const std::vector<Edge> near{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {1, 6}};
  const std::vector<Edge> far{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {2, 6}};
  EXPECT_NE(row(Graph::from_edges(7, near)), row(Graph::from_edges(7, far)));
}

TEST(Colours, OfLevelsAddUp) {
  const auto dataset = labelled_graphs();
  const auto block = block_of(dataset, "wl:3");
  EXPECT_EQ(block.width, 1U);
  ASSERT_EQ(block.offsets.size(), dataset.size() + 1);
  const auto sums = with_itself(block, 0, dataset.size(), true);
  for (std::size_t g = 0; g < dataset.size(); ++g) EXPECT_EQ(sums[g], 4 * dataset.graphs[g].vertex_count());
  for (std::size_t g = 0; g < dataset.size(); ++g)
    for (auto i = block.offsets[g] + 1; i < block.offsets[g + 1]; ++i)
      EXPECT_LT(block.keys[static_cast<std::size_t>(i - 1)], block.keys[static_cast<std::size_t>(i)]);
}

// ---- all keyed features

const std::vector<std::string> keyed_names{"wl:4", "wl-labels:3", "labels", "label-returns:32@0.1"};

TEST(KeyedFeatures, DependNeitherOnTheOrderOfVerticesNorOnOtherGraphs) {
  const auto dataset = labelled_graphs();
  const auto other = shuffled(dataset, 9);
  for (const auto& name : keyed_names) {
    const auto whole = block_of(dataset, name), of_other = block_of(other, name);
    EXPECT_EQ(whole.name, name);
    ASSERT_EQ(whole.keys, of_other.keys) << name;
    ASSERT_EQ(whole.values.size(), whole.keys.size() * whole.width);
    for (std::size_t i = 0; i < whole.values.size(); ++i)
      EXPECT_NEAR(whole.values[i], of_other.values[i], name.starts_with("label-r") ? 1e-6 : 0) << name;
    for (const std::size_t g : {5U, 20U, 60U}) {
      const auto alone =
          dataset_of({dataset.graphs[g]}, {labels_of(dataset, g).begin(), labels_of(dataset, g).end()});
      EXPECT_EQ(block_of(alone, name), rows_of(whole, std::vector{g})) << name;
    }
  }
}

TEST(KeyedFeatures, TheNumberOfThreadsLeavesNoTrace) {
  const auto dataset = labelled_graphs();
  for (const auto& name : keyed_names) EXPECT_EQ(block_of(dataset, name, 1), block_of(dataset, name, 3));
}

TEST(KeyedFeatures, NeedNodeLabels) {
  auto dataset = data::shapes_dataset(2);
  dataset.name = "SHAPES";
  for (const std::string name : {"wl-labels:3", "labels", "label-returns:32@0.1"})
    EXPECT_EQ(test::sentence_of([&] { (void)block_of(dataset, name); }),
              name + " reads node labels, and the graphs of SHAPES have none.");
  dataset.name.clear();
  LoadRequest request;
  request.features = {"ext1/label-pairs"};
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(dataset, request); }),
            "ext1/label-pairs reads node labels, and the graphs have none.");
  EXPECT_EQ(block_of(data::GraphDataset{}, "labels").offsets.size(), 1U);
  EXPECT_EQ(block_of(dataset_of({Graph()}), "labels").keys.size(), 0U);
}

/// All values of a row, whatever their keys.
std::vector<double> sorted_values(const KeyedBlock& block, std::size_t row) {
  std::vector<double> values(block.values.begin() + block.offsets[row],
                             block.values.begin() + block.offsets[row + 1]);
  std::ranges::sort(values);
  return values;
}

TEST(Labels, AreCountedAloneOnEdgesAndWithDegrees) {
  // A path 7 - 7 - 8: labels 7 (2), 8; edges 77, 78; with degrees 7 of 1, 7 of 2, 8 of 1.
  const auto block = block_of(dataset_of({data::path_graph(3)}, {7, 7, 8}), "labels");
  EXPECT_EQ(sorted_values(block, 0), (std::vector<double>{1, 1, 1, 1, 1, 1, 2}));
}

TEST(Labels, HaveTheInnerProductsOfTheirHistograms) {
  const auto dataset = labelled_graphs();
  using Histogram = std::map<std::tuple<char, int, int>, double>;
  std::vector<Histogram> histograms;
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const auto labels = labels_of(dataset, g);
    Histogram counts;
    for (Vertex v = 0; v < dataset.graphs[g].vertex_count(); ++v) {
      const int label = labels[static_cast<std::size_t>(v)];
      ++counts[{'v', label, 0}];
      ++counts[{'d', label, dataset.graphs[g].degree(v)}];
    }
    for (const Edge& edge : edges_of(dataset.graphs[g])) {
      const int a = labels[static_cast<std::size_t>(edge.a)], b = labels[static_cast<std::size_t>(edge.b)];
      ++counts[{'e', std::min(a, b), std::max(a, b)}];
    }
    histograms.push_back(std::move(counts));
  }
  const auto block = block_of(dataset, "labels");
  const std::size_t n = dataset.size();
  std::vector<double> found(n * n);
  KeyedPairs(block).inner_products(block, {0, n, n}, found);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      double expected = 0;
      for (const auto& [key, count] : histograms[a])
        if (const auto other = histograms[b].find(key); other != histograms[b].end())
          expected += count * other->second;
      ASSERT_NEAR(found[a * n + b], expected, 1e-9 * (1 + expected)) << a << " " << b;
    }
}

TEST(LabelReturns, AddUpToReturns) {
  const auto dataset = labelled_graphs();
  const auto block = block_of(dataset, "label-returns:64@0.2");
  ASSERT_EQ(block.width, 64U);
  const auto whole = graph_blocks(dataset, std::vector{parse_item_feature("returns:64@0.2")}, {}).front();
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const auto labels = labels_of(dataset, g);
    EXPECT_EQ(static_cast<std::size_t>(block.offsets[g + 1] - block.offsets[g]),
              std::set<int>(labels.begin(), labels.end()).size());
    for (std::size_t c = 0; c < 64; ++c) {
      double sum = 0;
      for (auto i = block.offsets[g]; i < block.offsets[g + 1]; ++i)
        sum += block.values[static_cast<std::size_t>(i) * 64 + c];
      EXPECT_NEAR(sum, whole.values[g * 64 + c], 1e-6) << g;
    }
  }
}

TEST(LabelReturns, OfOneLabelAreReturns) {
  auto dataset = labelled_graphs();
  std::ranges::fill(dataset.node_labels, 5);
  const auto block = block_of(dataset, "label-returns:64@0.2");
  const auto whole = graph_blocks(dataset, std::vector{parse_item_feature("returns:64@0.2")}, {}).front();
  for (std::size_t g = 0, row = 0; g < dataset.size(); ++g) {
    if (dataset.graphs[g].vertex_count() == 0) continue;
    for (std::size_t c = 0; c < 64; ++c)
      EXPECT_NEAR(block.values[row * 64 + c], whole.values[g * 64 + c], 1e-6);
    ++row;
  }
}

TEST(LabelPairs, AreThoseOfTheVerticesOfPoints) {
  const auto dataset = labelled_graphs();
  LoadRequest request;
  request.filtrations = {"degree", "hks:1"};
  request.features = {"label-pairs", "ext1/label-pairs"};
  request.transforms = {"prom:1"};  // counts are of all points
  const Items items = make_items(dataset, request);
  ASSERT_EQ(items.keyed.size(), 2U);
  EXPECT_EQ(items.keyed[1].name, "ext1/label-pairs");
  std::vector<filtration::Filtration> filtrations;
  for (const auto& name : request.filtrations) filtrations.push_back(filtration::parse_filtration(name));
  const auto set = graph_diagrams(dataset, filtrations);

  using Histogram = std::map<std::tuple<std::size_t, int, int>, double>;
  const auto expect = [&](const KeyedBlock& block, auto&& counted) {
    std::vector<Histogram> histograms(dataset.size());
    for (std::size_t g = 0; g < dataset.size(); ++g)
      for (std::size_t group = 0; group < set.groups.size(); ++group)
        for (const auto& [birth, death] : set.groups[group].diagrams.vertices(g))
          if (counted(set.groups[group].kind))
            ++histograms[g][{group, labels_of(dataset, g)[static_cast<std::size_t>(birth)],
                             labels_of(dataset, g)[static_cast<std::size_t>(death)]}];
    const std::size_t n = dataset.size();
    std::vector<double> found(n * n);
    KeyedPairs(block).intersections(block, {0, n, n}, found);
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        double expected = 0;
        for (const auto& [key, count] : histograms[a])
          if (const auto other = histograms[b].find(key); other != histograms[b].end())
            expected += std::min(count, other->second);
        ASSERT_EQ(found[a * n + b], expected) << a << " " << b;
      }
  };
  expect(items.keyed[0], [](diagram::Kind) { return true; });
  expect(items.keyed[1], [](diagram::Kind kind) { return kind == diagram::Kind::ext1; });
}

TEST(KeyedFeatures, AreNotMadeOfClouds) {
  LoadRequest request;
  request.features = {"label-pairs"};
  EXPECT_EQ(test::sentence_of([&] { (void)make_items(data::PointCloudDataset{}, request); }),
            "label-pairs is computed from graphs, not from point clouds.");
}

}  // namespace
}  // namespace perslay::features
