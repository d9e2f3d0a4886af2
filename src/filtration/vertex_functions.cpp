#include <cstdint>
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

/// Sums of distances by breadth-first search, with its buffers.
class DistanceSums {
 public:
  explicit DistanceSums(const Graph& graph) : graph_(graph), distance_(index(graph.vertex_count()), -1) {}

  struct Reach {
    std::size_t vertices = 0;  ///< Reachable, the source included.
    double total_distance = 0;
  };

  Reach from(Vertex source) {
    queue_.assign(1, source);
    distance_[index(source)] = 0;
    double total = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::int32_t distance = distance_[index(queue_[i])];
      total += distance;
      for (const Vertex w : graph_.neighbours(queue_[i])) {
        if (distance_[index(w)] >= 0) continue;
        distance_[index(w)] = distance + 1;
        queue_.push_back(w);
      }
    }
    for (const Vertex v : queue_) distance_[index(v)] = -1;
    return {queue_.size(), total};
  }

 private:
  const Graph& graph_;
  std::vector<std::int32_t> distance_;  // -1: not reached
  std::vector<Vertex> queue_;
};

}  // namespace

void degree(const Graph& graph, std::span<double> values) {
  check_size(graph, values);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) values[index(v)] = graph.degree(v);
}

void closeness(const Graph& graph, std::span<double> values, const base::Context& context) {
  check_size(graph, values);
  DistanceSums distances(graph);
  base::ProgressMeter progress(context, "closeness", values.size());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    context.stop_if_cancelled();
    progress(index(v));
    const auto [reached, total] = distances.from(v);
    const double others = static_cast<double>(reached) - 1;
    values[index(v)] = reached == 1 ? 0 : others / (graph.vertex_count() - 1) * (others / total);
  }
}

}  // namespace perslay::filtration
