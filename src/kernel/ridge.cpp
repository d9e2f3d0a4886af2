#include <algorithm>
#include <numeric>

#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <perslay/base/blas.h>
#include <perslay/base/error.h>
#include <perslay/kernel/ridge.h>

// A symmetric matrix is the same row by row and column by column. LAPACK works column by column without a copy.
// It reads and writes the lower triangle, which is the upper one row by row.
namespace perslay::kernel {
namespace {

int size_of(std::size_t n) { return static_cast<int>(n); }

/// Replaces K by the Cholesky factor of K + lambda I, in the upper triangle (row by row).
void factorise(Matrix& gram, double lambda) {
  if (gram.rows != gram.columns) throw base::internal_error("A Gram matrix is not square.");
  for (std::size_t i = 0; i < gram.rows; ++i) gram(i, i) += lambda;
  const int n = size_of(gram.rows);
  if (n == 0) return;
  const int failed = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, gram.values.data(), n);
  if (failed != 0)
    throw base::internal_error(
        fmt::format("A Gram matrix with {} on its diagonal is not positive definite.", lambda));
}

std::size_t target_count(const Matrix& gram, std::span<const double> targets) {
  if (gram.rows == 0 || targets.size() % gram.rows != 0)
    throw base::internal_error(fmt::format("{} targets for {} items.", targets.size(), gram.rows));
  return targets.size() / gram.rows;
}

/// The product factor^-1 factor^-T columns; `columns` is [item][target] with a right-hand side per target.
std::vector<double> solve(const Matrix& factor, std::span<const double> columns, std::size_t targets) {
  std::vector<double> solution(columns.begin(), columns.end());
  const int n = size_of(factor.rows);
  if (n == 0) return solution;
  // Column by column, [item][target] has its targets in rows: X K = Y^T instead of K X = Y.
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, size_of(targets), n, 1,
              factor.values.data(), n, solution.data(), size_of(targets));
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, size_of(targets), n, 1,
              factor.values.data(), n, solution.data(), size_of(targets));
  return solution;
}

/// Replaces a Cholesky factor by its inverse.
void invert(Matrix& factor) {
  const int n = size_of(factor.rows);
  if (LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', n, factor.values.data(), n) != 0)
    throw base::internal_error("A Gram matrix has no inverse.");
}

}  // namespace

std::vector<double> ridge_coefficients(Matrix gram, double lambda, std::span<const double> targets) {
  const base::OneBlasThread one_thread;
  const std::size_t columns = target_count(gram, targets);
  factorise(gram, lambda);
  return solve(gram, targets, columns);
}

std::vector<double> left_out_scores(Matrix gram, double lambda, std::span<const double> targets) {
  const base::OneBlasThread one_thread;
  const std::size_t columns = target_count(gram, targets), n = gram.rows;
  factorise(gram, lambda);
  const auto coefficients = solve(gram, targets, columns);
  invert(gram);
  std::vector<double> scores(targets.begin(), targets.end());
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = cblas_ddot(size_of(n - i), &gram(i, i), 1, &gram(i, i), 1);  // of L^-T L^-1
    for (std::size_t c = i * columns; c < (i + 1) * columns; ++c) scores[c] -= coefficients[c] / diagonal;
  }
  return scores;
}

Centring Centring::fit(const Matrix& gram) {
  const auto n = static_cast<double>(gram.rows);
  Centring centring;
  centring.means.resize(gram.columns);
  for (std::size_t i = 0; i < gram.rows; ++i)
    for (std::size_t j = 0; j < gram.columns; ++j) centring.means[j] += gram(i, j);
  for (double& mean : centring.means) mean /= n;
  centring.mean = std::accumulate(centring.means.begin(), centring.means.end(), 0.0) / n;
  double diagonal = 0;
  for (std::size_t i = 0; i < gram.rows; ++i) diagonal += gram(i, i) - 2 * centring.means[i] + centring.mean;
  if (diagonal / n > 1e-12) centring.norm = diagonal / n;  // else all items are the same
  return centring;
}

Matrix Centring::operator()(Matrix gram) const {
  for (std::size_t i = 0; i < gram.rows; ++i)
    for (std::size_t j = 0; j < gram.columns; ++j)
      gram(i, j) = (gram(i, j) - means[i] - means[j] + mean) / norm + 1;
  return gram;
}

PlainScores without_centring(const Centring& centring, std::span<const double> coefficients) {
  const std::size_t count = centring.means.size();
  const std::size_t targets = coefficients.size() / count;
  PlainScores plain{{coefficients.begin(), coefficients.end()}, std::vector<double>(targets)};
  for (std::size_t c = 0; c < targets; ++c) {
    double sum = 0, along_means = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += coefficients[i * targets + c];
      along_means += coefficients[i * targets + c] * centring.means[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
      double& own = plain.coefficients[i * targets + c];
      own = (own - sum / static_cast<double>(count)) / centring.norm;
    }
    plain.constants[c] = (centring.mean * sum - along_means) / centring.norm + sum;
  }
  return plain;
}

}  // namespace perslay::kernel
