#pragma once

#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/hidden.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// How to compute the diagonal of exp(-tL). All methods work on the quotient of the graph by its twins.
enum class HeatKernelMethod {
  /// The cheapest method, by estimates for the graph at hand.
  automatic,
  /// Chebyshev series, all vertices at every step: O(n m sqrt(t)); small and sparse graphs, t up to 1000.
  chebyshev,
  /// Chebyshev series on the balls that its steps reach: large graphs with small balls (grids, chains).
  local_chebyshev,
  /// Dense eigendecomposition, O(n^3): dense graphs and long times.
  eigenvectors,
};

struct HeatKernelOptions {
  /// Give vertices whose values agree up to rounding the same value, so that ties, and with them the pairing
  /// of persistence, do not depend on the linear algebra in use: in sorted order, runs with consecutive gaps
  /// below 1e-11 get their smallest value. Derivatives are never snapped.
  bool snap = true;

  /// 0 for values accurate to 1e-13; otherwise the error allowed, in values and derivatives: the Chebyshev
  /// series is cut off where what it drops is certain to be smaller. Snapping comes on top.
  double tolerance = 0;

  HeatKernelMethod method = HeatKernelMethod::automatic;

  /// The longest time to spend on a graph. A graph with a higher estimate, or with an estimate above 8 GB of
  /// memory, is an error that gives the estimates.
  double max_seconds = 600;
};

/// The heat kernel signature of the paper (section 2.2): hks_t(v) = sum_k exp(-t lambda_k) psi_k(v)^2, the
/// diagonal of exp(-tL), where L = I - D^-1/2 A D^-1/2 is the normalized Laplacian (with edge weights in A
/// and D if the graph has them). Isolated vertices have L = 0 and therefore the value 1.
///
/// An object holds work buffers: reuse it from graph to graph, one object per thread.
class HeatKernelSignature {
 public:
  explicit HeatKernelSignature(HeatKernelOptions options = {});

  /// values[i * n + v] = hks at times[i] of vertex v; `values` has times.size() * n places. If `derivatives`
  /// is not empty, it has the same shape and receives d hks / dt. Times are finite and not negative; t = 0
  /// gives 1 everywhere.
  void compute(const data::Graph& graph, std::span<const double> times, std::span<double> values,
               std::span<double> derivatives = {}, const base::Context& context = {});

 private:
  struct Work;
  HeatKernelOptions options_;
  base::Hidden<Work> work_;
};

/// The heat kernel signature of a single graph: times.size() rows of n values.
[[nodiscard]] std::vector<double> heat_kernel_signature(const data::Graph& graph,
                                                        std::span<const double> times,
                                                        const HeatKernelOptions& options = {});

/// The eigenvalues of the normalized Laplacian in ascending order, each within [0, 2], and exactly 0 once
/// per component. O(q^3) time and q^2 doubles of memory for q classes of twins; refused above 8 GB.
[[nodiscard]] std::vector<double> laplacian_eigenvalues(const data::Graph& graph);

}  // namespace perslay::filtration
