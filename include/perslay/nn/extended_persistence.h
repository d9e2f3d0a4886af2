#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <torch/torch.h>

#include <perslay/data/graph.h>
#include <perslay/diagram/kind.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

struct ExtendedPersistenceOptions {
  /// Extended kinds, in the order in which batches are wanted.
  std::vector<diagram::Kind> kinds{diagram::extended_kinds.begin(), diagram::extended_kinds.end()};
  /// false: points of ext0 and ext1 on the diagonal are dropped, as those of ord0 and rel1 always are.
  bool keep_diagonal = true;
  /// Of each diagram only so many points, those farthest from the diagonal.
  std::optional<std::size_t> prominent{};
  /// For the pairing, values are rounded to multiples of this: vertices whose values agree up to rounding
  /// errors are then tied. Points still carry the values themselves. 0: not at all.
  double resolution = 0;
  int threads = 1;  ///< 0 means one per processor.
};

/// Diagrams of one kind. Point i is (values[vertices[i][0]], values[vertices[i][1]]), its lower value first.
struct VertexDiagrams {
  RaggedBatch diagrams;
  torch::Tensor vertices;  ///< [N, 2], int64.
};

/// Extended persistence as a step of a network: one value for each vertex of all graphs in, [V], the diagrams
/// of each kind out, each with one diagram per graph.
///
/// A diagram's coordinates are values of vertices, so its points are a selection of `values`, and gradients
/// go back to the vertices selected. Where no two values of a graph are equal, the selection is locally
/// constant and this is the derivative. Where values are tied it is one of several: that of the selection
/// which the order by (value, vertex) makes, the derivative in a direction that moves tied vertices apart in
/// the order of their numbers.
///
/// In any floating type, on the CPU. The same bytes for any number of threads.
[[nodiscard]] std::vector<VertexDiagrams> extended_persistence(
    const torch::Tensor& values, std::span<const data::Graph> graphs,
    const ExtendedPersistenceOptions& options = {});

/// The vertices behind the lowest and the highest coordinate of some diagrams; -1 if these are empty.
struct ExtremeVertices {
  std::int64_t low = -1, high = -1;

  /// Takes one more vertex into account; the first of equal ones stays.
  void meet(std::int64_t vertex, std::span<const double> values);
};

/// Those of each kind, over the diagrams of all graphs. Cheaper than the diagrams.
[[nodiscard]] std::vector<ExtremeVertices> extreme_vertices(const torch::Tensor& values,
                                                            std::span<const data::Graph> graphs,
                                                            const ExtendedPersistenceOptions& options = {});

}  // namespace perslay::nn
