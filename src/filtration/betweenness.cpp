#include "snap.h"
#include "vertex_places.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

using data::Graph;
using data::Vertex;

/// Brandes' accumulation from one source after the other.
class Dependencies {
 public:
  explicit Dependencies(const Graph& graph)
      : graph_(graph),
        distance_(index(graph.vertex_count()), -1),
        paths_(distance_.size()),
        dependency_(distance_.size()) {}

  /// Adds to values[v], for every v but the source, the sum over targets of the fraction of shortest paths from
  /// the source that pass through v.
  void add(Vertex source, std::span<double> values) {
    search(source);
    for (std::size_t i = reached_.size(); i-- > 0;) {
      const Vertex w = reached_[i];
      const double share = (1 + dependency_[index(w)]) / paths_[index(w)];
      for (const Vertex v : graph_.neighbours(w))
        if (distance_[index(v)] + 1 == distance_[index(w)]) dependency_[index(v)] += paths_[index(v)] * share;
      if (w != source) values[index(w)] += dependency_[index(w)];
    }
    for (const Vertex v : reached_) distance_[index(v)] = -1;
  }

 private:
  /// Counts shortest paths in the order of distances.
  void search(Vertex source) {
    reached_.assign(1, source);
    distance_[index(source)] = 0;
    paths_[index(source)] = 1;
    dependency_[index(source)] = 0;
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const Vertex v = reached_[i];
      if (!std::isfinite(paths_[index(v)]))
        throw base::user_error(
            fmt::format("The betweenness is not computed: more than 1.8e308 shortest paths lead from vertex "
                        "{} to vertex {}.",
                        source, v));
      for (const Vertex w : graph_.neighbours(v)) {
        if (distance_[index(w)] < 0) {
          distance_[index(w)] = distance_[index(v)] + 1;
          paths_[index(w)] = 0;
          dependency_[index(w)] = 0;
          reached_.push_back(w);
        }
        if (distance_[index(w)] == distance_[index(v)] + 1) paths_[index(w)] += paths_[index(v)];
      }
    }
  }

  const Graph& graph_;
  std::vector<std::int32_t> distance_;  // -1: not reached
  std::vector<double> paths_;           // shortest ones from the source
  std::vector<double> dependency_;
  std::vector<Vertex> reached_;
};

}  // namespace

void betweenness(const Graph& graph, std::span<double> values, const base::Context& context) {
  check_size(graph, values);
  std::ranges::fill(values, 0);
  if (values.size() < 3) return;
  Dependencies dependencies(graph);
  base::ProgressMeter progress(context, "betweenness", values.size());
  for (Vertex source = 0; source < graph.vertex_count(); ++source) {
    context.stop_if_cancelled();
    progress(index(source));
    dependencies.add(source, values);
  }
  const auto n = static_cast<double>(values.size());  // ordered pairs of other vertices: (n - 1)(n - 2)
  for (double& value : values) value /= (n - 1) * (n - 2);
  Snap()(values, Snap::Gap::relative);
}

}  // namespace perslay::filtration
