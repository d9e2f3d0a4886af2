#include "twin_quotient.h"
#include "vertex_places.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {

namespace {

using data::Graph;
using data::Vertex;

/// Distances by breadth-first search on the quotient of the graph by its twins, which are at the same
/// distance from everything else. Against a search from every vertex, it makes closeness, eccentricity and
/// path lengths of REDDIT-MULTI-12K three times as fast.
class Distances {
 public:
  explicit Distances(const Graph& graph) {
    quotient_.build(graph);
    distance_.assign(quotient_.class_count(), -1);
    component_size_.assign(quotient_.class_count(), 0);
  }

  /// Classes of vertices with the same distances; the last may be that of isolated vertices.
  [[nodiscard]] std::size_t class_count() const noexcept {
    return quotient_.class_count() + (quotient_.isolated_count() > 0 ? 1 : 0);
  }
  [[nodiscard]] std::span<const std::int32_t> class_of() const noexcept { return quotient_.class_of(); }

  /// Calls `seen(distance, vertices)` until all are counted that can be reached from a vertex of the class,
  /// itself excepted.
  template <class Seen>
  void visit(std::size_t source, Seen&& seen) {
    if (source == quotient_.class_count()) return;
    const auto sizes = quotient_.sizes();
    search(source);
    if (sizes[source] > 1) seen(quotient_.twin_eigenvalues()[source] < 0 ? 1 : 2, sizes[source] - 1);
    for (const std::int32_t c : queue_) {
      const std::int32_t distance = std::exchange(distance_[index(c)], -1);
      if (distance > 0) seen(distance, sizes[index(c)]);
      component_size_[index(c)] = queue_.size();
    }
  }

 private:
  /// Ends as soon as the whole component is found, if its size is known from before: in dense graphs most
  /// edges lead back. It makes closeness of COLLAB's graphs seven times as fast.
  void search(std::size_t source) {
    const SparseOperator links = quotient_.reduced();
    queue_.assign(1, static_cast<std::int32_t>(source));
    distance_[source] = 0;
    for (std::size_t i = 0; i < queue_.size() && queue_.size() != component_size_[source]; ++i) {
      for (const std::int32_t c : links.row_columns(index(queue_[i]))) {
        if (distance_[index(c)] >= 0) continue;
        distance_[index(c)] = distance_[index(queue_[i])] + 1;
        queue_.push_back(c);
      }
    }
  }

  TwinQuotient quotient_;
  std::vector<std::int32_t> distance_;       // -1: not reached
  std::vector<std::size_t> component_size_;  // in classes; 0: not known yet
  std::vector<std::int32_t> queue_;
};

/// Calls `visit(c)` for every class of vertices, with progress.
template <class Visit>
void for_every_class(const Distances& distances, const base::Context& context, std::string_view stage,
                     Visit&& visit) {
  base::ProgressMeter progress(context, stage, distances.class_count());
  for (std::size_t c = 0; c < distances.class_count(); ++c) {
    context.stop_if_cancelled();
    progress(c);
    visit(c);
  }
}

/// The vertices reachable from a vertex.
struct Reach {
  double others = 0;
  double total_distance = 0;
  double largest_distance = 0;
};

/// Computes value(reach) for each vertex.
template <class Value>
void from_every_vertex(const Graph& graph, std::span<double> values, const base::Context& context,
                       std::string_view stage, Value&& value) {
  check_size(graph, values);
  Distances distances(graph);
  std::vector<double> of_class(distances.class_count());
  for_every_class(distances, context, stage, [&](std::size_t c) {
    Reach reach;
    distances.visit(c, [&](std::int32_t distance, std::int32_t vertices) {
      reach.others += vertices;
      reach.total_distance += static_cast<double>(distance) * vertices;
      reach.largest_distance = std::max<double>(reach.largest_distance, distance);
    });
    of_class[c] = value(reach);
  });
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = of_class[index(distances.class_of()[v])];
}

/// Neighbours of larger (degree, id), ascending by id; no vertex has more than sqrt(2m) of them.
std::vector<std::vector<Vertex>> upper_neighbours(const Graph& graph) {
  std::vector<std::vector<Vertex>> upper(index(graph.vertex_count()));
  for (Vertex v = 0; v < graph.vertex_count(); ++v)
    for (const Vertex w : graph.neighbours(v))
      if (std::pair(graph.degree(v), v) < std::pair(graph.degree(w), w)) upper[index(v)].push_back(w);
  return upper;
}

}  // namespace

void degree(const Graph& graph, std::span<double> values, const base::Context& /*context*/) {
  check_size(graph, values);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) values[index(v)] = graph.degree(v);
}

void closeness(const Graph& graph, std::span<double> values, const base::Context& context) {
  from_every_vertex(graph, values, context, "closeness", [&](const Reach& reach) {
    if (reach.others == 0) return 0.0;
    return reach.others / (graph.vertex_count() - 1) * (reach.others / reach.total_distance);
  });
}

void eccentricity(const Graph& graph, std::span<double> values, const base::Context& context) {
  from_every_vertex(graph, values, context, "eccentricity",
                    [](const Reach& reach) { return reach.largest_distance; });
}

void triangles(const Graph& graph, std::span<double> values, const base::Context& context) {
  check_size(graph, values);
  std::ranges::fill(values, 0);
  const auto upper = upper_neighbours(graph);
  std::vector<Vertex> common;
  for (std::size_t v = 0; v < upper.size(); ++v) {
    context.stop_if_cancelled();
    for (const Vertex w : upper[v]) {
      common.clear();
      std::ranges::set_intersection(upper[v], upper[index(w)], std::back_inserter(common));
      for (const Vertex u : common) ++values[index(u)];
      values[v] += static_cast<double>(common.size());
      values[index(w)] += static_cast<double>(common.size());
    }
  }
}

void clustering(const Graph& graph, std::span<double> values, const base::Context& context) {
  triangles(graph, values, context);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const double degree = graph.degree(v);
    values[index(v)] = degree < 2 ? 0 : 2 * values[index(v)] / (degree * (degree - 1));
  }
}

void core_numbers(const Graph& graph, std::span<double> values, const base::Context& /*context*/) {
  check_size(graph, values);
  const std::size_t n = values.size();
  // Vertices in the order of the degree that is left to them; starts[k] is where those of degree k begin.
  std::vector<std::size_t> left(n), place(n), starts(n + 2);
  std::vector<Vertex> order(n);
  for (std::size_t v = 0; v < n; ++v) {
    left[v] = index(graph.degree(static_cast<Vertex>(v)));
    ++starts[left[v] + 1];
  }
  for (std::size_t k = 0; k <= n; ++k) starts[k + 1] += starts[k];
  auto next = starts;
  for (std::size_t v = 0; v < n; ++v) {
    place[v] = next[left[v]]++;
    order[place[v]] = static_cast<Vertex>(v);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t v = index(order[i]);
    values[v] = static_cast<double>(left[v]);
    for (const Vertex neighbour : graph.neighbours(order[i])) {
      const std::size_t w = index(neighbour);
      if (left[w] <= left[v]) continue;
      // w changes places with the first of its degree, and that degree begins one place later.
      const std::size_t first = starts[left[w]]++, other = index(order[first]);
      std::swap(order[place[w]], order[first]);
      place[other] = std::exchange(place[w], first);
      --left[w];
    }
  }
}

void jaccard(const Graph& graph, std::span<double> values, const base::Context& context) {
  check_size(graph, values);
  std::ranges::fill(values, 0);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    context.stop_if_cancelled();
    for (const Vertex u : graph.neighbours(v)) {
      auto few = graph.neighbours(u), many = graph.neighbours(v);
      if (few.size() > many.size()) std::swap(few, many);
      const auto shared = static_cast<double>(
          std::ranges::count_if(few, [&](Vertex w) { return std::ranges::binary_search(many, w); }));
      values[index(v)] += shared / (graph.degree(u) + graph.degree(v) - shared) / graph.degree(v);
    }
  }
}

void path_lengths(const Graph& graph, std::span<double> counts, const base::Context& context) {
  std::ranges::fill(counts, 0);
  if (counts.empty()) return;
  Distances distances(graph);
  std::vector<double> sizes(distances.class_count());
  for (const std::int32_t c : distances.class_of()) ++sizes[index(c)];
  for_every_class(distances, context, "path lengths", [&](std::size_t c) {
    distances.visit(c, [&](std::int32_t distance, std::int32_t vertices) {
      counts[std::min(index(distance), counts.size()) - 1] += sizes[c] * vertices;
    });
  });
}

// ---- the table of names

std::span<const VertexFunction> vertex_functions() {
  static constexpr VertexFunction functions[] = {
      {"degree", "Number of neighbours.", degree},
      {"closeness", "Closeness centrality (Wasserman and Faust); 0 for isolated vertices.", closeness},
      {"clustering", "Local clustering coefficient: the fraction of pairs of neighbours that are edges.",
       clustering},
      {"eccentricity", "Largest distance to a vertex of the same component.", eccentricity},
      {"core", "Core number: the largest k such that the vertex is in a subgraph of degrees >= k.",
       core_numbers},
      {"jaccard", "Mean Jaccard index of the edges: common neighbours over all neighbours of the two ends.",
       jaccard},
      {"forman",
       "Mean Forman curvature of the edges: 4 - both degrees + 3 for each triangle; 0 without edges.",
       forman},
      {"betweenness", "Betweenness centrality: the fraction of shortest paths that pass through the vertex.",
       betweenness},
  };
  return functions;
}

}  // namespace perslay::filtration
