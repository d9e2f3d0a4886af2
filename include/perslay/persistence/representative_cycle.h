#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>

namespace perslay::persistence {

/// Finds loops of a graph behind its Ext1 points: simple cycles whose highest and lowest vertices are the
/// point's two vertices. A cycle runs through the edge that closed the loop and otherwise along a shortest
/// path of edges swept before. The cycles of all Ext1 points together form a basis of the graph's cycle
/// space.
///
/// `values` are those the diagram was computed from; they and the graph must outlive the object.
class RepresentativeCycles {
 public:
  RepresentativeCycles(const data::Graph& graph, std::span<const double> values);

  /// `point` and `closing` come from ExtendedDiagrams::ext1.vertices and ext1_closing. The cycle starts at
  /// the lowest vertex. At most O(n + m), and no more than the part of the graph between the point's values
  /// near its lowest vertex.
  [[nodiscard]] std::vector<data::Vertex> find(diagram::VertexPair point, data::Vertex closing);

 private:
  [[nodiscard]] bool below(data::Vertex a, data::Vertex b) const;
  [[nodiscard]] bool seen(data::Vertex v) const { return seen_[static_cast<std::size_t>(v)] == search_; }
  void visit(data::Vertex v, data::Vertex from);

  const data::Graph& graph_;
  std::span<const double> values_;
  std::vector<data::Vertex> came_from_;
  std::vector<std::int64_t> seen_;  // the number of the search that saw a vertex last
  std::int64_t search_ = 0;
  std::vector<data::Vertex> queue_;
};

}  // namespace perslay::persistence
