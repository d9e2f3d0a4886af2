#pragma once

#include <span>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/graph_dataset.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/filtration/filtration.h>
#include <perslay/persistence/ordinary_persistence.h>

namespace perslay::features {

/// The values of each filtration on every vertex of the dataset, packed like dataset.vertex_offsets; none for a
/// filtration whose values are on edges. All heat kernel times of a graph are computed together. A name given
/// twice is computed twice. Node attributes and node labels that are asked for must be there, and an attribute must
/// be finite; a label that no vertex has is 0 everywhere.
[[nodiscard]] std::vector<std::vector<double>> vertex_values(
    const data::GraphDataset& dataset, std::span<const filtration::Filtration> filtrations,
    const base::Context& context = {});

/// A sentence for each filtration `label:NAME` whose label no vertex of the dataset has, although its vertices have
/// labels. It says which labels there are.
[[nodiscard]] std::vector<std::string> absent_labels(const data::GraphDataset& dataset,
                                                     std::span<const filtration::Filtration> filtrations);

/// A vertex function whose values are known, one finite number per vertex of the dataset, packed like
/// dataset.vertex_offsets; `name` is the name of its groups.
struct GivenFunction {
  std::string name;
  std::span<const double> values;
  bool edge_weights = false;  ///< The graphs' edge weights instead; there are no `values` then.
};

/// The filtrations' names, each with its values, which must outlive the result.
[[nodiscard]] std::vector<GivenFunction> given_functions(std::span<const filtration::Filtration> filtrations,
                                                         std::span<const std::vector<double>> values);

struct GraphDiagramOptions {
  /// Extended and ordinary kinds, in the order of the result's groups.
  std::vector<diagram::Kind> kinds{diagram::extended_kinds.begin(), diagram::extended_kinds.end()};
  /// What happens to classes that never die, in ordinary kinds.
  persistence::EssentialPolicy essential{};
  /// Keep points of ord0, rel1 and the ordinary kinds whose birth equals their death.
  bool keep_diagonal = false;
  /// Find a representative cycle for each ext1 point.
  bool cycles = false;
};

/// Wall-clock seconds of the two stages.
struct GraphDiagramSeconds {
  double filtration = 0;
  double persistence = 0;
};

/// The diagrams of every graph of a dataset: graphs -> vertex functions -> persistence, one group per
/// filtration and kind. The result does not depend on the number of threads.
[[nodiscard]] diagram::DiagramSet graph_diagrams(const data::GraphDataset& dataset,
                                                 std::span<const filtration::Filtration> filtrations,
                                                 const GraphDiagramOptions& options = {},
                                                 const base::Context& context = {},
                                                 GraphDiagramSeconds* seconds = nullptr);

/// The diagrams of every graph for given vertex functions. Those of edge weights are the diagrams of the
/// subdivided graphs (persistence/edge_subdivision.h): a coordinate that is the weight of an edge has no vertex, so
/// -1 stands for it, and cycles have the vertices of the graph.
[[nodiscard]] diagram::DiagramSet graph_diagrams(const data::GraphDataset& dataset,
                                                 std::span<const GivenFunction> functions,
                                                 const GraphDiagramOptions& options = {},
                                                 const base::Context& context = {});

}  // namespace perslay::features
