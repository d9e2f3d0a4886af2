#pragma once

#include "filtration/graphs.h"
#include "filtration/laplacian_oracle.h"

#include <limits>

#include <perslay/filtration/heat_kernel_signature.h>

/// Pairs of graphs and the constants of theorems 2.2 and A.1 of the paper; docs/theorems.md derives them.
namespace perslay::filtration::testing {

/// The distinct eigenvalues of a normalized Laplacian, by the oracle, and what follows from them.
class StabilityConstants {
 public:
  explicit StabilityConstants(const LaplacianOracle& oracle) {
    for (std::size_t k = 0; k < oracle.size(); ++k)
      if (k == 0 || oracle.eigenvalue(k) - oracle.eigenvalue(k - 1) > same)
        distinct_.push_back(oracle.eigenvalue(k));
    simple_ = distinct_.size() == oracle.size();
    for (std::size_t j = 1; j < distinct_.size(); ++j) gap_ = std::min(gap_, distinct_[j] - distinct_[j - 1]);
  }

  /// Whether all eigenvalues are simple: k = n in theorem A.1.
  [[nodiscard]] bool simple() const { return simple_; }
  /// delta, the smallest distance of two distinct eigenvalues.
  [[nodiscard]] double gap() const { return gap_; }

  [[nodiscard]] static double c0(double t) { return t; }
  [[nodiscard]] double c1(double t) const { return 1 - std::exp(-t * distinct_.back()); }
  [[nodiscard]] static double c2(double t) { return t; }

  /// C(G, t) of theorem 2.2, for |W| <= delta / 2 and graphs with the same edges.
  [[nodiscard]] double c(double t) const {
    return std::min(t, 2 * c1(t) / gap_ + t * std::exp(-t * distinct_[1] / 2));
  }

 private:
  static constexpr double same = 1e-10;

  std::vector<double> distinct_;
  bool simple_ = false;
  double gap_ = std::numeric_limits<double>::infinity();
};

/// Every weight is multiplied by a factor between exp(-size) and exp(size).
inline Graph perturbed(const Graph& graph, double size, base::RandomStream& random) {
  auto edges = edges_of(graph);
  for (Edge& edge : edges) edge.weight *= std::exp(random.uniform(-size, size));
  return Graph::from_edges(graph.vertex_count(), edges, true);
}

/// `graph` and one with the same edges, whose Laplacians differ by less than `limit` in the Frobenius norm.
inline Graph perturbed_within(const Graph& graph, double limit, base::RandomStream& random) {
  double size = std::pow(10, random.uniform(-2, 0.5));
  for (;;) {
    Graph other = perturbed(graph, size, random);
    if (laplacian_difference(graph, other).frobenius < limit) return other;
    size /= 2;
  }
}

/// A graph with at least one edge: every second one is random, with random weights; the others are symmetric, and
/// most of them have repeated eigenvalues.
inline Graph draw_weighted_graph(std::uint64_t item, base::RandomStream& random) {
  const auto n = static_cast<Vertex>(3 + random.below(12));
  switch (item % 14) {
    case 1:
      return data::cycle_graph(n);
    case 3:
      return data::complete_graph(n);
    case 5:
      return star_graph(n);
    case 7:
      return hypercube_graph(3);
    case 9:
      return petersen_graph();
    case 11:
      return disjoint_union({data::cycle_graph(n), star_graph(3), data::path_graph(2)}, 1);
    case 13:
      return data::path_graph(3);
    default:
      break;
  }
  for (;;) {
    const Graph graph = data::random_graph(n, random.uniform(1, 5) / n, random);
    if (graph.edge_count() > 0) return perturbed(graph, 1, random);
  }
}

/// The exact heat kernel signature, without snapping.
inline std::vector<double> signature(const Graph& graph, double t) {
  return heat_kernel_signature(graph, std::vector{t}, {.snap = false});
}

/// The largest difference of two heat kernel signatures of graphs with the same vertices.
inline double signature_difference(const Graph& a, const Graph& b, double t) {
  const auto of_a = signature(a, t), of_b = signature(b, t);
  double largest = 0;
  for (std::size_t v = 0; v < of_a.size(); ++v) largest = std::max(largest, std::abs(of_a[v] - of_b[v]));
  return largest;
}

}  // namespace perslay::filtration::testing
