#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <perslay/base/context.h>
#include <perslay/base/hidden.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// The diagonals of Chebyshev polynomials T_k(M) of M = I - L, L being the normalized Laplacian: M = D^-1/2 A
/// D^-1/2 (with edge weights in A and D if the graph has them), and 1 on the diagonal for isolated vertices,
/// which have L = 0. They hold all diagonals of functions of L: the trace of T_k(M) is a spectral moment, and
/// combinations give heat kernel signatures and the return probabilities of random walks.
///
/// By recursion on the quotient of the graph by its twins, O(n m K) without an eigensolver, or by its
/// eigenvectors, O(n^3), where that is estimated to be cheaper (dense graphs). Accurate to about 1e-13.
///
/// An object holds work buffers: reuse it from graph to graph, one object per thread.
class ChebyshevDiagonals {
 public:
  ChebyshevDiagonals();

  /// Computes the diagonals for k = 0 ... degree. A graph that would take more than ten minutes or 8 GB is an
  /// error that gives the estimates.
  void compute(const data::Graph& graph, std::size_t degree, const base::Context& context = {});

  /// The number of classes: twins share their values, and so do isolated vertices.
  [[nodiscard]] std::size_t class_count() const noexcept;
  /// The class of each vertex.
  [[nodiscard]] std::span<const std::int32_t> class_of() const noexcept;
  /// T_k(M)_vv, one number per class of vertices v, for k up to the last `degree`.
  [[nodiscard]] std::span<const double> diagonal(std::size_t k) const noexcept;

 private:
  struct Work;
  base::Hidden<Work> work_;
};

}  // namespace perslay::filtration
