#pragma once

#include <span>
#include <vector>

#include <torch/torch.h>

#include <perslay/data/graph.h>
#include <perslay/nn/ragged_batch.h>
#include <perslay/persistence/vertex_diagrams.h>

namespace perslay::nn {

/// With a resolution, vertices whose values agree up to rounding are tied in the pairing. Points still carry the
/// values themselves.
using ExtendedPersistenceOptions = persistence::VertexDiagramOptions;

/// Diagrams of one kind. Point i is (values[vertices[i][0]], values[vertices[i][1]]). The lower value comes first.
struct VertexDiagrams {
  RaggedBatch diagrams;
  torch::Tensor vertices;  ///< [N, 2], int64.
};

/// Extended persistence as a step of a network. `values` [V] holds one value for each vertex of all graphs. Diagrams
/// of each kind come out, one diagram per graph.
///
/// The coordinates of a diagram are values of vertices. Its points are thus a selection of `values`, and gradients go
/// back to the selected vertices. Where no two values of a graph are equal, the selection is locally constant, and
/// the gradient is the derivative. Where values are tied, the order by (value, vertex) selects. The gradient is then
/// the derivative in a direction that moves tied vertices apart in the order of their numbers.
///
/// Values have any floating type, on the CPU. Any number of threads gives the same bytes. 0 stands for one thread per
/// processor.
[[nodiscard]] std::vector<VertexDiagrams> extended_persistence(const torch::Tensor& values,
                                                               std::span<const data::Graph> graphs,
                                                               const ExtendedPersistenceOptions& options = {},
                                                               int threads = 1);

}  // namespace perslay::nn
