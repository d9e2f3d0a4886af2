#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/data/build_graphs.h>
#include <perslay/data/graph.h>

namespace perslay::data {
Graph Graph::from_edges(Vertex vertices, std::span<const Edge> edges, bool weighted, Cleaning* cleaning) {
  GraphDataset alone;
  alone.vertex_offsets = {0, std::max(vertices, 0)};
  std::vector<Arc> arcs;
  std::vector<double> weights;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto& [a, b, weight] = edges[i];
    if (a < 0 || b < 0 || a >= vertices || b >= vertices)
      throw base::user_error(
          fmt::format("Edge {} joins vertices {} and {}, but the graph has only the vertices 0 to {}.", i, a,
                      b, vertices - 1));
    if (weighted && !(weight > 0 && std::isfinite(weight)))
      throw base::user_error(fmt::format(
          "Edge {} from {} to {} has weight {}; weights must be positive and finite.", i, a, b, weight));
    arcs.push_back({a, b});
    if (weighted) weights.push_back(weight);
  }
  const auto conflict = [&](std::size_t first, double first_weight, std::size_t, double second_weight) {
    const auto [low, high] = std::minmax(edges[first].a, edges[first].b);
    throw base::user_error(fmt::format("The edge between {} and {} is given with the weights {} and {}.", low,
                                       high, first_weight, second_weight));
  };
  build_graphs(alone, std::move(arcs), std::move(weights), conflict);
  if (cleaning != nullptr) *cleaning = alone.cleaning;
  return std::move(alone.graphs.front());
}

std::int64_t component_count(const Graph& graph) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()), false);
  std::vector<Vertex> stack;
  std::int64_t components = 0;
  for (Vertex start = 0; start < graph.vertex_count(); ++start) {
    if (seen[static_cast<std::size_t>(start)]) continue;
    ++components;
    seen[static_cast<std::size_t>(start)] = true;
    stack.push_back(start);
    while (!stack.empty()) {
      const Vertex v = stack.back();
      stack.pop_back();
      for (const Vertex u : graph.neighbours(v)) {
        if (seen[static_cast<std::size_t>(u)]) continue;
        seen[static_cast<std::size_t>(u)] = true;
        stack.push_back(u);
      }
    }
  }
  return components;
}

std::int64_t cycle_rank(const Graph& graph) {
  return graph.edge_count() - graph.vertex_count() + component_count(graph);
}

}  // namespace perslay::data
