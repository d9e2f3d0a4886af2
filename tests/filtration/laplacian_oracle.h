#pragma once

#include <vector>

#include <perslay/data/graph.h>

namespace perslay::filtration::testing {

/// The normalized Laplacian and everything that follows from its definition, dense and in extended precision.
class LaplacianOracle {
 public:
  explicit LaplacianOracle(const data::Graph& graph);

  [[nodiscard]] std::size_t size() const noexcept { return eigenvalues_.size(); }
  [[nodiscard]] double eigenvalue(std::size_t k) const { return static_cast<double>(eigenvalues_[k]); }
  [[nodiscard]] double heat_kernel(data::Vertex v, double t) const;
  [[nodiscard]] double heat_kernel_derivative(data::Vertex v, double t) const;

 private:
  template <class Function>
  [[nodiscard]] double sum(data::Vertex v, Function function) const;

  std::vector<long double> eigenvalues_;   // ascending
  std::vector<long double> eigenvectors_;  // one after the other
};

/// Norms of W = L(b) - L(a), the difference of the normalized Laplacians of two graphs of the same size.
struct LaplacianDifference {
  double frobenius = 0;
  double spectral = 0;
};

[[nodiscard]] LaplacianDifference laplacian_difference(const data::Graph& a, const data::Graph& b);

}  // namespace perslay::filtration::testing
