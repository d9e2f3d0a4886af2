#include <algorithm>
#include <cmath>
#include <numeric>

#include <cblas.h>
#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/kernel/ridge.h>

namespace perslay::kernel {
namespace {

constexpr std::size_t targets = 3;

struct Problem {
  Matrix gram;
  std::vector<double> y;  // [item][target]

  Problem(std::size_t count, std::uint64_t seed) : gram(count, count), y(count * targets) {
    base::RandomStream random(seed);
    std::vector<double> x(2 * count);
    for (double& value : x) value = random.normal();
    for (double& value : y) value = random.uniform() < 0.5 ? -1 : 1;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        gram(i, j) = std::exp(-std::pow(x[2 * i] - x[2 * j], 2) - std::pow(x[2 * i + 1] - x[2 * j + 1], 2));
  }
};

/// Solves (K + lambda I) a = y for the items `rows` by Gaussian elimination.
std::vector<double> brute_force(const Problem& problem, const std::vector<std::size_t>& rows, double lambda,
                                std::size_t target) {
  const std::size_t n = rows.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = problem.gram(rows[i], rows[j]) + (i == j ? lambda : 0);
    a[i][n] = problem.y[rows[i] * targets + target];
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = a[i][n] / a[i][i];
  return x;
}

std::vector<std::size_t> all_but(std::size_t count, const std::vector<std::size_t>& out) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i)
    if (std::ranges::find(out, i) == out.end()) rows.push_back(i);
  return rows;
}

double score(const Problem& problem, const std::vector<std::size_t>& rows, const std::vector<double>& a,
             std::size_t item) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) sum += a[i] * problem.gram(item, rows[i]);
  return sum;
}

TEST(Ridge, CoefficientsSolveTheEquations) {
  const Problem problem(40, 1);
  const auto a = ridge_coefficients(problem.gram, 0.3, problem.y);
  for (std::size_t c = 0; c < targets; ++c) {
    const auto expected = brute_force(problem, all_but(40, {}), 0.3, c);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(a[i * targets + c], expected[i], 1e-10);
  }
}

TEST(Ridge, LeavingOneOutEqualsARegressionWithoutIt) {
  const Problem problem(30, 2);
  for (const double lambda : {0.03, 3.0}) {
    const auto scores = left_out_scores(problem.gram, lambda, problem.y);
    for (std::size_t i = 0; i < 30; ++i)
      for (std::size_t c = 0; c < targets; ++c) {
        const auto rows = all_but(30, {i});
        EXPECT_NEAR(scores[i * targets + c], score(problem, rows, brute_force(problem, rows, lambda, c), i),
                    1e-8);
      }
  }
}

TEST(Ridge, CentringIsThatOfFeatures) {
  // Features themselves: the Gram matrix of centred features, divided by their mean square, plus 1.
  base::RandomStream random(5);
  constexpr std::size_t count = 12, width = 4;
  std::vector<std::vector<double>> x(count, std::vector<double>(width));
  for (auto& row : x)
    for (double& value : row) value = 3 + random.normal();
  const auto dot = [](const auto& a, const auto& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  Matrix gram(count, count), expected(count, count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) gram(i, j) = dot(x[i], x[j]);
  auto centred = x;
  double square = 0;
  for (std::size_t k = 0; k < width; ++k) {
    double mean = 0;
    for (const auto& row : x) mean += row[k] / count;
    for (auto& row : centred) row[k] -= mean;
  }
  for (const auto& row : centred) square += dot(row, row) / count;
  const auto centring = Centring::fit(gram);
  const auto found = centring(gram);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      EXPECT_NEAR(found(i, j), dot(centred[i], centred[j]) / square + 1, 1e-12);

  std::vector<double> a(count * targets);
  for (double& value : a) value = random.normal();
  const auto plain = without_centring(centring, a);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < targets; ++c) {
      double direct = 0, indirect = plain.constants[c];
      for (std::size_t j = 0; j < count; ++j) {
        direct += found(i, j) * a[j * targets + c];
        indirect += gram(i, j) * plain.coefficients[j * targets + c];
      }
      EXPECT_NEAR(direct, indirect, 1e-10);
    }
}

TEST(Ridge, ItemsThatAreAllTheSameAreNoDivisionByZero) {
  Matrix gram(5, 5);
  std::ranges::fill(gram.values, 0.7);
  const auto centred = Centring::fit(gram)(gram);
  for (const double value : centred.values) EXPECT_NEAR(value, 1, 1e-12);
}

/// Large enough for OpenBLAS to use the host's threads if it may.
TEST(Ridge, TheHostsBlasThreadsChangeNothing) {
  const Problem problem(700, 5);
  const auto results = [&](int threads) {
    openblas_set_num_threads(threads);
    const std::vector found{ridge_coefficients(problem.gram, 1, problem.y),
                            left_out_scores(problem.gram, 1, problem.y)};
    EXPECT_EQ(openblas_get_num_threads(), threads);
    return found;
  };
  const int before = openblas_get_num_threads();
  EXPECT_EQ(results(1), results(4));
  openblas_set_num_threads(before);
}

}  // namespace
}  // namespace perslay::kernel
