#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/graph.h>

namespace perslay::data {

/// Graphs with class labels, and node labels and node attributes where the source has them. The vertices of
/// all graphs are packed one graph after the other: graph g's are `vertex_offsets[g] ...
/// vertex_offsets[g+1]-1`.
struct GraphDataset {
  std::string name;
  std::vector<Graph> graphs;

  /// One per graph, 0 ... classes-1; empty if the source has no labels.
  std::vector<int> labels;
  /// The classes' names in the source; readers put them in ascending order.
  std::vector<std::string> classes;
  /// Where the labels stood, such as "labels.csv"; empty if there are none, or if nobody says.
  std::string labels_from;

  std::vector<std::int64_t> vertex_offsets{0};

  /// The names of all vertices, if the source has others than numbers from 0 in each graph; else empty.
  std::vector<std::string> vertex_names;

  /// One per vertex, as in the source; empty if there are none. Sources with several label columns give the
  /// first. A label that the source writes as a word is a negative number made of the word, the same in every dataset.
  std::vector<int> node_labels;

  /// `attribute_count` numbers per vertex, vertex after vertex; empty if there are none.
  std::vector<double> node_attributes;
  std::size_t attribute_count = 0;
  /// Names of the attributes; empty if the source has none.
  std::vector<std::string> attribute_names;

  /// What cleaning changed, over all graphs.
  Graph::Cleaning cleaning;

  /// Sentences about how the source was read that a person should see once.
  std::vector<std::string> notes;

  [[nodiscard]] std::size_t size() const noexcept { return graphs.size(); }
};

/// The numbers of the paper's dataset table; averages are over graphs.
struct DatasetSummary {
  std::size_t graphs = 0;
  std::size_t classes = 0;
  std::size_t node_label_values = 0;  ///< Distinct node labels.
  double average_nodes = 0;
  double average_edges = 0;
  double average_beta0 = 0;
  double average_beta1 = 0;
  Vertex largest_graph = 0;  ///< In vertices.
  std::int64_t isolated_vertices = 0;
};

/// The place of the attribute with this name; none if no attribute has it.
[[nodiscard]] std::optional<std::size_t> attribute_called(const GraphDataset& dataset, std::string_view name);

[[nodiscard]] DatasetSummary summarize(const GraphDataset& dataset, const base::Context& context = {});

}  // namespace perslay::data
