#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace perslay::data {

/// Vertices of a graph are numbered 0 ... n-1.
using Vertex = std::int32_t;

/// An undirected edge as given by a user; `weight` must be positive and finite.
struct Edge {
  Vertex a = 0;
  Vertex b = 0;
  double weight = 1.0;
};

/// An immutable undirected graph without self loops and multiple edges, in compressed sparse row form. Each
/// neighbour list is sorted by id. A Graph is a handle: copies are cheap and share the arrays, which live as
/// long as any handle, so the graphs of a dataset can be slices of one packed array. Safe to read from
/// several threads.
class Graph {
 public:
  /// The empty graph.
  Graph() = default;

  /// What cleaning an edge list changed.
  struct Cleaning {
    std::int64_t self_loops_dropped = 0;
    std::int64_t duplicate_edges_merged = 0;  ///< Repetitions of a directed pair (a, b); (b, a) is not one.
  };

  /// Makes a graph from edges in any order. Self loops are dropped and repeated edges merged, both counted in
  /// `cleaning`. Edges (a,b) and (b,a) are the same edge. The graph is weighted if `weighted` is true; a
  /// repeated edge must then repeat its weight. Throws for ids outside [0, vertices), naming the edge's place
  /// in the list. O(vertices + edges) plus sorting each neighbour list.
  static Graph from_edges(Vertex vertices, std::span<const Edge> edges, bool weighted = false,
                          Cleaning* cleaning = nullptr);

  /// Wraps arrays that already are what the class promises (see build_graphs.h); not
  /// checked. `offsets` has one entry more than there are vertices; vertex v's neighbours are
  /// `neighbours[offsets[v]] ... neighbours[offsets[v+1]-1]`, so offsets need not start at 0. `owner` keeps
  /// the arrays alive.
  Graph(std::shared_ptr<const void> owner, std::span<const std::int64_t> offsets, const Vertex* neighbours,
        const double* weights)
      : owner_(std::move(owner)), offsets_(offsets), neighbours_(neighbours), weights_(weights) {}

  [[nodiscard]] Vertex vertex_count() const noexcept {
    return offsets_.empty() ? 0 : static_cast<Vertex>(offsets_.size() - 1);
  }
  [[nodiscard]] std::int64_t edge_count() const noexcept {
    return offsets_.empty() ? 0 : (offsets_.back() - offsets_.front()) / 2;
  }
  [[nodiscard]] bool weighted() const noexcept { return weights_ != nullptr; }

  [[nodiscard]] Vertex degree(Vertex v) const noexcept {
    const auto i = static_cast<std::size_t>(v);
    return static_cast<Vertex>(offsets_[i + 1] - offsets_[i]);
  }
  [[nodiscard]] std::span<const Vertex> neighbours(Vertex v) const noexcept {
    const auto i = static_cast<std::size_t>(v);
    return {neighbours_ + offsets_[i], neighbours_ + offsets_[i + 1]};
  }
  /// Weights of the edges to neighbours(v), in the same order; only for weighted graphs.
  [[nodiscard]] std::span<const double> weights(Vertex v) const noexcept {
    const auto i = static_cast<std::size_t>(v);
    return {weights_ + offsets_[i], weights_ + offsets_[i + 1]};
  }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::int64_t> offsets_;
  const Vertex* neighbours_ = nullptr;
  const double* weights_ = nullptr;
};

/// beta0: the number of connected components. O(vertices + edges).
[[nodiscard]] std::int64_t component_count(const Graph& graph);

/// beta1: the number of independent cycles, edges - vertices + components.
[[nodiscard]] std::int64_t cycle_rank(const Graph& graph);

}  // namespace perslay::data
