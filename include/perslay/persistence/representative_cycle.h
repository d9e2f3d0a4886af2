#pragma once

#include <span>
#include <vector>

#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>

namespace perslay::persistence {

/// A loop of the graph behind an Ext1 point: a simple cycle whose highest and lowest vertices are the point's
/// two vertices. It runs through the edge that closed the loop and otherwise along a shortest path of edges
/// swept before. The cycles of all Ext1 points of a graph form a basis of its cycle space. `values` are those
/// the diagram was computed from; `point` and `closing` come from ExtendedDiagrams::ext1.vertices and
/// ext1_closing. The cycle starts at the lowest vertex. O(n + m) per cycle.
[[nodiscard]] std::vector<data::Vertex> representative_cycle(const data::Graph& graph,
                                                             std::span<const double> values,
                                                             diagram::VertexPair point, data::Vertex closing);

}  // namespace perslay::persistence
