#include "chebyshev_moments.h"
#include "dense_eigen.h"
#include "heat_kernel_cost.h"
#include "twin_quotient.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/chebyshev_diagonals.h>

namespace perslay::filtration {

namespace {

/// Calls `use(k, T_k(x))` for k = 0 ... degree.
template <class Use>
void for_polynomials(double x, std::size_t degree, Use&& use) {
  double current = 1, next = x;
  for (std::size_t k = 0; k <= degree; ++k) {
    use(k, current);
    const double after = 2 * x * next - current;
    current = next;
    next = after;
  }
}

}  // namespace

struct ChebyshevDiagonals::Work {
  TwinQuotient quotient;
  ChebyshevMoments moments;
  DenseEigen eigen;
  std::vector<std::int32_t> columns;
  std::vector<double> squares;
  std::vector<double> diagonals;  // row k holds T_k of every class
  std::size_t classes = 0;        // that of isolated vertices, the last, among them

  [[nodiscard]] double* row(std::size_t k) noexcept { return diagonals.data() + k * classes; }

  void by_recursion(std::size_t degree, const base::Context& context) {
    const SparseOperator matrix = quotient.reduced();
    const std::size_t width = ChebyshevMoments::block_width(matrix.rows());
    columns.resize(matrix.rows());
    std::iota(columns.begin(), columns.end(), 0);
    for (std::size_t begin = 0; begin < columns.size(); begin += width) {
      context.stop_if_cancelled();
      const std::size_t count = std::min(width, columns.size() - begin);
      moments.compute(matrix, std::span(columns).subspan(begin, count), degree + degree % 2);
      for (std::size_t k = 0; k <= degree; ++k)
        for (std::size_t j = 0; j < count; ++j) row(k)[begin + j] = moments.moment(k, j);
    }
  }

  void by_eigenvectors(std::size_t degree) {
    eigen.decompose(quotient.reduced(), DenseEigen::Want::eigenvectors);
    squares.resize(quotient.class_count());
    for (std::size_t j = 0; j < eigen.eigenvalues().size(); ++j) {
      std::ranges::transform(eigen.eigenvector(j), squares.begin(), [](double x) { return x * x; });
      for_polynomials(std::clamp(eigen.eigenvalues()[j], -1.0, 1.0), degree,
                      [&](std::size_t k, double value) {
                        for (std::size_t c = 0; c < squares.size(); ++c) row(k)[c] += value * squares[c];
                      });
    }
  }

  /// T_k(M)_vv = (1/s) T_k(B)_cc + (1 - 1/s) T_k(nu) for a vertex of class c with s members and twin eigenvalue
  /// nu.
  void lift(std::size_t degree) {
    for (std::size_t c = 0; c < quotient.class_count(); ++c) {
      if (quotient.sizes()[c] == 1) continue;
      const double share = 1.0 / quotient.sizes()[c];
      for_polynomials(quotient.twin_eigenvalues()[c], degree, [&](std::size_t k, double of_twins) {
        row(k)[c] = share * row(k)[c] + (1 - share) * of_twins;
      });
    }
    if (quotient.isolated_count() > 0)
      for (std::size_t k = 0; k <= degree; ++k) row(k)[classes - 1] = 1;
  }
};

ChebyshevDiagonals::ChebyshevDiagonals() : work_(base::make_hidden<Work>()) {}

void ChebyshevDiagonals::compute(const data::Graph& graph, std::size_t degree, const base::Context& context) {
  Work& work = *work_;
  work.quotient.build(graph);
  work.classes = work.quotient.class_count() + (work.quotient.isolated_count() > 0 ? 1 : 0);
  const SparseOperator matrix = work.quotient.reduced();
  const auto cost = cheaper(chebyshev_cost(matrix, degree), eigenvectors_cost(matrix));
  constexpr double most_seconds = 600;
  if (cost.seconds > most_seconds || cost.bytes > heat_kernel_memory_limit)
    throw base::user_error(fmt::format(
        "The walks on a graph with {} vertices and {} edges would take about {:.2g} seconds and {:.2g} MB of "
        "memory, and the limits are {:g} seconds and {:g} MB.",
        graph.vertex_count(), graph.edge_count(), cost.seconds, cost.bytes / 1e6, most_seconds,
        heat_kernel_memory_limit / 1e6));
  work.diagonals.assign((degree + 1) * work.classes, 0.0);
  if (cost.method == HeatKernelMethod::eigenvectors)
    work.by_eigenvectors(degree);
  else
    work.by_recursion(degree, context);
  work.lift(degree);
}

std::size_t ChebyshevDiagonals::class_count() const noexcept { return work_->classes; }

std::span<const std::int32_t> ChebyshevDiagonals::class_of() const noexcept {
  return work_->quotient.class_of();
}

std::span<const double> ChebyshevDiagonals::diagonal(std::size_t k) const noexcept {
  return std::span(work_->diagonals).subspan(k * work_->classes, work_->classes);
}

}  // namespace perslay::filtration
