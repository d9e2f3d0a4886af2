#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/data/graph.h>

namespace perslay::data {
namespace {

struct Arrays {
  std::vector<std::int64_t> offsets;
  std::vector<Vertex> neighbours;
  std::vector<double> weights;
};

void check(std::size_t place, const Edge& edge, Vertex vertices, bool weighted) {
  if (edge.a < 0 || edge.b < 0 || edge.a >= vertices || edge.b >= vertices)
    throw base::user_error(
        fmt::format("Edge {} joins vertices {} and {}, but the graph has only the vertices 0 to {}.", place,
                    edge.a, edge.b, vertices - 1));
  if (weighted && !(edge.weight > 0 && std::isfinite(edge.weight)))
    throw base::user_error(
        fmt::format("Edge {} from {} to {} has weight {}; weights must be positive and finite.", place,
                    edge.a, edge.b, edge.weight));
}

}  // namespace

Graph Graph::from_edges(Vertex vertices, std::span<const Edge> edges, bool weighted, Cleaning* cleaning) {
  struct Arc {
    Vertex to;
    bool given;  // as opposed to the reverse of a given edge
    double weight;
  };
  const auto n = static_cast<std::size_t>(std::max(vertices, 0));
  Cleaning counts;

  std::vector<std::size_t> begin(n + 1, 0);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    check(i, e, vertices, weighted);
    if (e.a == e.b) {
      ++counts.self_loops_dropped;
      continue;
    }
    ++begin[static_cast<std::size_t>(e.a) + 1];
    ++begin[static_cast<std::size_t>(e.b) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());

  std::vector<Arc> arcs(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const Edge& e : edges) {
    if (e.a == e.b) continue;
    arcs[next[static_cast<std::size_t>(e.a)]++] = {e.b, true, e.weight};
    arcs[next[static_cast<std::size_t>(e.b)]++] = {e.a, false, e.weight};
  }

  auto arrays = std::make_shared<Arrays>();
  arrays->offsets.reserve(n + 1);
  arrays->offsets.push_back(0);
  for (std::size_t v = 0; v < n; ++v) {
    const auto first = arcs.begin() + static_cast<std::ptrdiff_t>(begin[v]);
    const auto last = arcs.begin() + static_cast<std::ptrdiff_t>(begin[v + 1]);
    std::sort(first, last, [](const Arc& x, const Arc& y) { return x.to < y.to; });
    for (auto run = first; run != last;) {
      const auto run_end = std::find_if(run, last, [&](const Arc& arc) { return arc.to != run->to; });
      const auto differs =
          std::find_if(run, run_end, [&](const Arc& arc) { return arc.weight != run->weight; });
      if (weighted && differs != run_end)
        throw base::user_error(fmt::format("The edge between {} and {} is given with the weights {} and {}.",
                                           v, run->to, run->weight, differs->weight));
      const auto given = std::count_if(run, run_end, [](const Arc& arc) { return arc.given; });
      counts.duplicate_edges_merged += std::max<std::int64_t>(given - 1, 0);
      arrays->neighbours.push_back(run->to);
      if (weighted) arrays->weights.push_back(run->weight);
      run = run_end;
    }
    arrays->offsets.push_back(static_cast<std::int64_t>(arrays->neighbours.size()));
  }

  if (cleaning != nullptr) *cleaning = counts;
  const std::span<const std::int64_t> offsets = arrays->offsets;
  const Vertex* neighbours = arrays->neighbours.data();
  const double* weights = weighted ? arrays->weights.data() : nullptr;
  return {std::move(arrays), offsets, neighbours, weights};
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
