#pragma once

#include <span>
#include <vector>

#include <torch/torch.h>

#include <perslay/data/graph.h>
#include <perslay/nn/ragged_batch.h>
#include <perslay/persistence/vertex_diagrams.h>

namespace perslay::nn {

/// With a resolution, vertices whose values agree up to rounding are tied in the pairing; points still carry
/// the values themselves.
using ExtendedPersistenceOptions = persistence::VertexDiagramOptions;

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
/// In any floating type, on the CPU. The same bytes for any number of threads (0: one per processor).
[[nodiscard]] std::vector<VertexDiagrams> extended_persistence(const torch::Tensor& values,
                                                               std::span<const data::Graph> graphs,
                                                               const ExtendedPersistenceOptions& options = {},
                                                               int threads = 1);

}  // namespace perslay::nn
