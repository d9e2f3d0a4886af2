#include <algorithm>
#include <cstddef>
#include <limits>

#include <perslay/base/error.h>
#include <perslay/persistence/edge_subdivision.h>

namespace perslay::persistence {

using data::Edge;
using data::Graph;
using data::Vertex;

SubdividedGraph subdivide_by_weight(const Graph& graph) {
  if (graph.edge_count() == 0) return {};
  if (!graph.weighted())
    throw base::user_error(
        "The filtration weight reads edge weights, and the edges of this graph have none.");
  if (graph.edge_count() + graph.vertex_count() > std::numeric_limits<Vertex>::max())
    throw base::user_error(
        "The filtration weight takes graphs of at most 2147483647 vertices and edges together.");

  SubdividedGraph result;
  std::vector<Vertex> place(static_cast<std::size_t>(graph.vertex_count()), -1);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (graph.degree(v) == 0) continue;
    place[static_cast<std::size_t>(v)] = static_cast<Vertex>(result.vertex_of.size());
    result.vertex_of.push_back(v);
    result.values.push_back(std::ranges::min(graph.weights(v)));
  }
  std::vector<Edge> halves;
  halves.reserve(2 * static_cast<std::size_t>(graph.edge_count()));
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const auto neighbours = graph.neighbours(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i] < v) continue;
      const auto middle = static_cast<Vertex>(result.values.size());
      result.values.push_back(graph.weights(v)[i]);
      for (const Vertex end : {v, neighbours[i]})
        halves.push_back({place[static_cast<std::size_t>(end)], middle});
    }
  }
  result.vertex_of.resize(result.values.size(), -1);
  result.graph = Graph::from_edges(static_cast<Vertex>(result.values.size()), halves);
  return result;
}

}  // namespace perslay::persistence
