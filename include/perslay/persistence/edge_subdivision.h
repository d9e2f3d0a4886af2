#pragma once

#include <vector>

#include <perslay/data/graph.h>

namespace perslay::persistence {

/// A graph whose edges have values, as a graph whose vertices have: a vertex stands in the middle of each edge.
struct SubdividedGraph {
  data::Graph graph;
  std::vector<double> values;  ///< One per vertex of `graph`.
  /// For each vertex of `graph`, the vertex that it was, ascending; -1 in the middle of an edge. Those come last,
  /// by the edges' ends in ascending order.
  std::vector<data::Vertex> vertex_of;
};

/// The function of a graph's edge weights on the subdivided graph: an edge has its weight, and a vertex the smallest
/// weight of its edges, with which it enters. So the sublevel graphs of the result are those of the edges up to a
/// weight, and its persistence, extended or ordinary, is that of the weights, exactly. A vertex without edges never
/// enters and is left out. Values are the weights, bit for bit; at equal values vertices come before edges, both
/// by number.
///
/// An unweighted graph with edges is the user's mistake. O(n + m); the result has 2m edges.
[[nodiscard]] SubdividedGraph subdivide_by_weight(const data::Graph& graph);

}  // namespace perslay::persistence
