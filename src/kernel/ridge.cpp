#include <algorithm>
#include <numeric>

#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <perslay/base/blas.h>
#include <perslay/base/error.h>
#include <perslay/kernel/ridge.h>

// Symmetric matrices are the same row by row and column by column; LAPACK is told the latter, which it
// handles without a copy, and reads and writes their lower triangle, which is the upper one row by row.
namespace perslay::kernel {
namespace {

int size_of(std::size_t n) { return static_cast<int>(n); }

/// In place of K + lambda I, in the upper triangle (row by row), its Cholesky factor.
void factorise(Matrix& gram, double lambda) {
  if (gram.rows != gram.columns) throw base::internal_error("A Gram matrix is not square.");
  base::use_one_blas_thread();
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

/// factor^-1 factor^-T columns, the columns [item][target] being those of one right-hand side each.
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

/// [row][column] of a and b: a b.
std::vector<double> product(const Matrix& a, std::span<const double> b, std::size_t columns) {
  std::vector<double> result(a.rows * columns);
  if (result.empty()) return result;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, size_of(a.rows), size_of(columns),
              size_of(a.columns), 1, a.values.data(), size_of(a.columns), b.data(), size_of(columns), 0,
              result.data(), size_of(columns));
  return result;
}

std::vector<std::size_t> others(std::size_t count, std::span<const std::size_t> fold) {
  std::vector<bool> is_in(count);
  for (const std::size_t item : fold) is_in[item] = true;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_in[i]) rest.push_back(i);
  return rest;
}

/// y - a / diagonal, for items whose row of the inverse has this diagonal.
std::vector<double> left_out(std::span<const double> targets, std::span<const double> coefficients,
                             std::span<const double> diagonal) {
  const std::size_t columns = targets.size() / std::max(diagonal.size(), std::size_t{1});
  std::vector<double> scores(targets.size());
  for (std::size_t p = 0; p < scores.size(); ++p)
    scores[p] = targets[p] - coefficients[p] / diagonal[p / columns];
  return scores;
}

/// In place of a Cholesky factor its inverse.
void invert(Matrix& factor) {
  const int n = size_of(factor.rows);
  if (LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', n, factor.values.data(), n) != 0)
    throw base::internal_error("A Gram matrix has no inverse.");
}

/// Rows of `all`, which has `columns` numbers in each.
std::vector<double> rows_of(std::span<const double> all, std::span<const std::size_t> rows,
                            std::size_t columns) {
  std::vector<double> result;
  result.reserve(rows.size() * columns);
  for (const std::size_t row : rows)
    result.insert(result.end(), &all[row * columns], &all[row * columns] + columns);
  return result;
}

}  // namespace

std::vector<double> ridge_coefficients(Matrix gram, double lambda, std::span<const double> targets) {
  const std::size_t columns = target_count(gram, targets);
  factorise(gram, lambda);
  return solve(gram, targets, columns);
}

std::vector<double> left_out_scores(Matrix gram, double lambda, std::span<const double> targets) {
  const std::size_t columns = target_count(gram, targets), n = gram.rows;
  factorise(gram, lambda);
  const auto coefficients = solve(gram, targets, columns);
  invert(gram);
  std::vector<double> diagonal(n);  // G = L^-T L^-1
  for (std::size_t i = 0; i < n; ++i)
    diagonal[i] = cblas_ddot(size_of(n - i), &gram(i, i), 1, &gram(i, i), 1);
  return left_out(targets, coefficients, diagonal);
}

Matrix ridge_inverse(Matrix gram, double lambda) {
  factorise(gram, lambda);
  const int n = size_of(gram.rows);
  if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, gram.values.data(), n) != 0)
    throw base::internal_error("A Gram matrix has no inverse.");
  for (std::size_t i = 0; i < gram.rows; ++i)
    for (std::size_t j = 0; j < i; ++j) gram(i, j) = gram(j, i);
  return gram;
}

WithoutFold without_fold(const Matrix& inverse, double lambda, std::span<const double> targets,
                         std::span<const std::size_t> fold) {
  const std::size_t columns = target_count(inverse, targets);
  base::use_one_blas_thread();
  std::vector<double> known(targets.begin(), targets.end());
  for (const std::size_t item : fold) std::fill_n(&known[item * columns], columns, 0.0);
  const auto along = product(inverse, known, columns);  // G_ST y_T for the fold, G_TT y_T for the others
  const auto rest = others(inverse.rows, fold);

  Matrix own = block(inverse, fold, fold);
  factorise(own, 0);
  WithoutFold result;
  result.fold = solve(own, rows_of(along, fold, columns), columns);
  for (double& score : result.fold) score = -score;

  // With G_SS = L L^T and Z = L^-1 G_ST, the inverse of the others is G_TT - Z^T Z.
  Matrix crossing = block(inverse, fold, rest);
  if (!fold.empty() && !rest.empty())
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, size_of(rest.size()),
                size_of(fold.size()), 1, own.values.data(), size_of(fold.size()), crossing.values.data(),
                size_of(rest.size()));
  std::vector<double> diagonal;
  diagonal.reserve(rest.size());
  for (const std::size_t item : rest) diagonal.push_back(inverse(item, item));
  for (std::size_t s = 0; s < fold.size(); ++s)
    for (std::size_t t = 0; t < rest.size(); ++t) diagonal[t] -= crossing(s, t) * crossing(s, t);
  // Their coefficients: (G_TT - G_TS (G_SS)^-1 G_ST) y_T = G_TT y_T + G_TS scores of the fold.
  std::vector<double> fold_alone(known.size());
  for (std::size_t s = 0; s < fold.size(); ++s)
    std::copy_n(&result.fold[s * columns], columns, &fold_alone[fold[s] * columns]);
  auto coefficients = product(inverse, fold_alone, columns);
  for (std::size_t p = 0; p < coefficients.size(); ++p) coefficients[p] += along[p];
  coefficients = rows_of(coefficients, rest, columns);

  const auto rest_targets = rows_of(targets, rest, columns);
  result.rest_left_out = left_out(rest_targets, coefficients, diagonal);
  result.rest = rest_targets;  // K a = y - lambda a
  for (std::size_t p = 0; p < result.rest.size(); ++p) result.rest[p] -= lambda * coefficients[p];
  return result;
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
