#include "filtration/laplacian_oracle.h"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace perslay::filtration::testing {

namespace {

using data::Graph;
using data::Vertex;
using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

Matrix normalized_laplacian(const Graph& graph) {
  const Vertex n = graph.vertex_count();
  Matrix adjacency = Matrix::Zero(n, n);
  for (Vertex v = 0; v < n; ++v)
    for (std::size_t i = 0; i < graph.neighbours(v).size(); ++i)
      adjacency(v, graph.neighbours(v)[i]) = graph.weighted() ? graph.weights(v)[i] : 1.0;

  Matrix laplacian = Matrix::Zero(n, n);
  for (Vertex v = 0; v < n; ++v)
    for (Vertex w = 0; w < n; ++w) {
      if (v == w && graph.degree(v) > 0) laplacian(v, w) = 1;
      if (adjacency(v, w) > 0)
        laplacian(v, w) = -adjacency(v, w) / std::sqrt(adjacency.row(v).sum() * adjacency.row(w).sum());
    }
  return laplacian;
}

}  // namespace

LaplacianOracle::LaplacianOracle(const Graph& graph) {
  if (graph.vertex_count() == 0) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(normalized_laplacian(graph));
  const auto& values = solver.eigenvalues();
  const auto& vectors = solver.eigenvectors();
  eigenvalues_.assign(values.data(), values.data() + values.size());
  eigenvectors_.assign(vectors.data(), vectors.data() + vectors.size());
}

double LaplacianOracle::heat_kernel(Vertex v, double t) const {
  return sum(v, [&](long double lambda) { return std::exp(-t * lambda); });
}

double LaplacianOracle::heat_kernel_derivative(Vertex v, double t) const {
  return sum(v, [&](long double lambda) { return -lambda * std::exp(-t * lambda); });
}

template <class Function>
double LaplacianOracle::sum(Vertex v, Function function) const {
  const std::size_t n = eigenvalues_.size();
  long double total = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const long double coordinate = eigenvectors_[k * n + static_cast<std::size_t>(v)];
    total += function(eigenvalues_[k]) * coordinate * coordinate;
  }
  return static_cast<double>(total);
}

LaplacianDifference laplacian_difference(const Graph& a, const Graph& b) {
  const Matrix difference = normalized_laplacian(b) - normalized_laplacian(a);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(difference, Eigen::EigenvaluesOnly);
  return {.frobenius = static_cast<double>(difference.norm()),
          .spectral = static_cast<double>(solver.eigenvalues().cwiseAbs().maxCoeff())};
}

}  // namespace perslay::filtration::testing
