#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/base/hidden.h>
#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>
#include <perslay/diagram/kind.h>

namespace perslay::persistence {

/// The extended persistence diagrams of one graph. Points are in no particular order.
struct ExtendedDiagrams {
  diagram::Diagram ord0, rel1, ext0, ext1;

  /// For each ext1 point, the vertex x such that the edge from the point's lowest vertex (vertices[i].death) to
  /// x closed the loop. RepresentativeCycles starts from it.
  std::vector<data::Vertex> ext1_closing;

  /// The diagram of one of the four extended kinds.
  [[nodiscard]] const diagram::Diagram& operator[](diagram::Kind kind) const;
};

struct ExtendedOptions {
  /// Keep Ord0 and Rel1 points on the diagonal. Ext0 and Ext1 points are always kept: there are exactly beta0
  /// and beta1 of them.
  bool keep_diagonal = false;
};

/// Extended persistence of a graph with a function on its vertices (the paper, section 2.1; Cohen-Steiner,
/// Edelsbrunner and Harer 2009), in one sweep over the vertices.
///
/// Vertices are totally ordered by (value, id); coordinates are values of `values`, bit for bit.
///
/// Cost: O(n log n + m log n) expected, O(n + m) memory. The object holds work buffers: reuse it from graph
/// to graph, one object per thread; then there is no allocation once the largest graph has been seen.
class ExtendedPersistence {
 public:
  ExtendedPersistence();

  /// `values` holds one finite number per vertex. The result lives until the next call.
  const ExtendedDiagrams& compute(const data::Graph& graph, std::span<const double> values,
                                  const ExtendedOptions& options = {});

  /// Steps climbed in the forest during the last call: a measure of its work besides sorting.
  [[nodiscard]] std::uint64_t climb_steps() const noexcept;

 private:
  struct Work;
  base::Hidden<Work> work_;
};

/// The extended persistence of a single graph.
[[nodiscard]] ExtendedDiagrams extended_persistence(const data::Graph& graph, std::span<const double> values,
                                                    const ExtendedOptions& options = {});

}  // namespace perslay::persistence
