#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {

namespace {

using data::Graph;
using data::Vertex;

std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

void check_size(const Graph& graph, std::span<const double> values) {
  if (values.size() != index(graph.vertex_count()))
    throw base::user_error(fmt::format("A vertex function of {} vertices fills as many places, not {}.",
                                       graph.vertex_count(), values.size()));
}

/// Distances by breadth-first search, with its buffers.
class Distances {
 public:
  explicit Distances(const Graph& graph)
      : graph_(graph),
        distance_(index(graph.vertex_count()), -1),
        component_size_(index(graph.vertex_count()), 0) {}

  struct Reach {
    std::size_t vertices = 0;  ///< Reachable, the source included.
    double total_distance = 0;
    double largest_distance = 0;
  };

  Reach from(Vertex source) {
    search(source);
    const double largest = distance_[index(queue_.back())];
    double total = 0;
    for (const Vertex v : queue_) {
      total += distance_[index(v)];
      distance_[index(v)] = -1;
      component_size_[index(v)] = queue_.size();
    }
    return {queue_.size(), total, largest};
  }

 private:
  /// Ends as soon as the whole component is found, if its size is known from before: in dense graphs most
  /// edges lead back. It makes closeness of COLLAB's graphs seven times as fast.
  void search(Vertex source) {
    queue_.assign(1, source);
    distance_[index(source)] = 0;
    for (std::size_t i = 0; i < queue_.size() && queue_.size() != component_size_[index(source)]; ++i) {
      for (const Vertex w : graph_.neighbours(queue_[i])) {
        if (distance_[index(w)] >= 0) continue;
        distance_[index(w)] = distance_[index(queue_[i])] + 1;
        queue_.push_back(w);
      }
    }
  }

  const Graph& graph_;
  std::vector<std::int32_t> distance_;       // -1: not reached
  std::vector<std::size_t> component_size_;  // 0: not known yet
  std::vector<Vertex> queue_;
};

/// For each vertex what `value(reach)` makes of the vertices around it.
template <class Value>
void from_every_vertex(const Graph& graph, std::span<double> values, const base::Context& context,
                       std::string_view stage, Value&& value) {
  check_size(graph, values);
  Distances distances(graph);
  base::ProgressMeter progress(context, stage, values.size());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    context.stop_if_cancelled();
    progress(index(v));
    values[index(v)] = value(distances.from(v));
  }
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

void degree(const Graph& graph, std::span<double> values) {
  check_size(graph, values);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) values[index(v)] = graph.degree(v);
}

void closeness(const Graph& graph, std::span<double> values, const base::Context& context) {
  from_every_vertex(graph, values, context, "closeness", [&](const Distances::Reach& reach) {
    const double others = static_cast<double>(reach.vertices) - 1;
    return others == 0 ? 0 : others / (graph.vertex_count() - 1) * (others / reach.total_distance);
  });
}

void eccentricity(const Graph& graph, std::span<double> values, const base::Context& context) {
  from_every_vertex(graph, values, context, "eccentricity",
                    [](const Distances::Reach& reach) { return reach.largest_distance; });
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

}  // namespace perslay::filtration
