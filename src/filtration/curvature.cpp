#include "snap.h"
#include "transport.h"
#include "vertex_places.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

using data::Graph;
using data::Vertex;

/// The curvature of edges, one after the other.
class OllivierRicci {
 public:
  OllivierRicci(const Graph& graph, double laziness)
      : graph_(graph), laziness_(laziness), marks_(index(graph.vertex_count()), -1) {}

  /// Masses are counted in units of 1 / (d(u) d(v)): then they are whole numbers, or halves, if the laziness is
  /// 1/2. What lies at the same vertex in both measures stays there.
  double operator()(Vertex u, Vertex v) {
    u_ = u;
    v_ = v;
    collect();
    costs_.clear();
    for (const Vertex source : sources_) {
      mark_neighbours(source);
      for (const Vertex sink : sinks_) costs_.push_back(distance_to(sink));
    }
    const double units = static_cast<double>(graph_.degree(u)) * graph_.degree(v);
    return 1 - transport_(supplies_, demands_, costs_) / units;
  }

 private:
  /// Where the measure at u has more mass than that at v, and where it has less.
  void collect() {
    sources_.clear();
    sinks_.clear();
    supplies_.clear();
    demands_.clear();
    const auto of_u = graph_.neighbours(u_), of_v = graph_.neighbours(v_);
    auto at_u = of_u.begin(), at_v = of_v.begin();
    while (at_u != of_u.end() || at_v != of_v.end()) {
      const bool from_u = at_v == of_v.end() || (at_u != of_u.end() && *at_u <= *at_v);
      const Vertex x = from_u ? *at_u : *at_v;
      const bool near_u = at_u != of_u.end() && *at_u == x, near_v = at_v != of_v.end() && *at_v == x;
      add(x, near_u, near_v);
      if (near_u) ++at_u;
      if (near_v) ++at_v;
    }
  }

  void add(Vertex x, bool near_u, bool near_v) {
    const double degree_u = graph_.degree(u_), degree_v = graph_.degree(v_);
    const double stays = laziness_ * degree_u * degree_v, leaves = 1 - laziness_;
    const double at_u = x == u_ ? stays : near_u ? leaves * degree_v : 0;
    const double at_v = x == v_ ? stays : near_v ? leaves * degree_u : 0;
    if (at_u > at_v) {
      sources_.push_back(x);
      supplies_.push_back(at_u - at_v);
    } else if (at_v > at_u) {
      sinks_.push_back(x);
      demands_.push_back(at_v - at_u);
    }
  }

  void mark_neighbours(Vertex source) {
    ++mark_;
    for (const Vertex x : graph_.neighbours(source)) marks_[index(x)] = mark_;
  }

  /// From the source whose neighbours are marked; at most 3, as sources are at u or next to it, and sinks at v or next
  /// to it.
  [[nodiscard]] std::uint8_t distance_to(Vertex sink) const {
    const auto marked = [&](Vertex x) { return marks_[index(x)] == mark_; };
    if (marked(sink)) return 1;
    return std::ranges::any_of(graph_.neighbours(sink), marked) ? 2 : 3;
  }

  const Graph& graph_;
  double laziness_;
  Vertex u_ = 0, v_ = 0;
  std::vector<Vertex> sources_, sinks_;
  std::vector<double> supplies_, demands_;
  std::vector<std::uint8_t> costs_;  // [source][sink]
  std::vector<std::int64_t> marks_;  // the number of the source that marked a vertex last
  std::int64_t mark_ = 0;
  Transport transport_;
};

}  // namespace

/// The sum of 4 - d(u) - d(v) + 3 t over v's edges, where each triangle at v is one of two of them.
void forman(const Graph& graph, std::span<double> values, const base::Context& context) {
  triangles(graph, values, context);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const double degree = graph.degree(v);
    double sum = degree * (4 - degree) + 6 * values[index(v)];
    for (const Vertex u : graph.neighbours(v)) sum -= graph.degree(u);
    values[index(v)] = degree == 0 ? 0 : sum / degree;
  }
}

void ollivier(const Graph& graph, double laziness, std::span<double> values, const base::Context& context) {
  check_size(graph, values);
  std::ranges::fill(values, 0);
  OllivierRicci curvature(graph, laziness);
  base::ProgressMeter progress(context, "ollivier", values.size());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    progress(index(u));
    for (const Vertex v : graph.neighbours(u)) {
      if (v < u) continue;
      context.stop_if_cancelled();
      const double of_edge = curvature(u, v);
      values[index(u)] += of_edge / graph.degree(u);
      values[index(v)] += of_edge / graph.degree(v);
    }
  }
  Snap()(values);
}

}  // namespace perslay::filtration
