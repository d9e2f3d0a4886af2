#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/kernel/support_vectors.h>

namespace perslay::kernel {
namespace {

/// Points of the plane around one centre per class, and their Gaussian kernel.
struct Problem {
  std::vector<double> x, y;
  std::vector<int> labels;
  Matrix gram;

  Problem(std::size_t count, int classes, double spread, std::uint64_t seed) : gram(count, count) {
    base::RandomStream random(seed);
    for (std::size_t i = 0; i < count; ++i) {
      labels.push_back(static_cast<int>(i) % classes);
      const double angle = 2 * M_PI * labels.back() / classes;
      x.push_back(std::cos(angle) + spread * random.normal());
      y.push_back(std::sin(angle) + spread * random.normal());
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j)
        gram(i, j) = std::exp(-std::pow(x[i] - x[j], 2) - std::pow(y[i] - y[j], 2));
  }

  [[nodiscard]] std::vector<std::size_t> every(std::size_t step) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < labels.size(); i += step) rows.push_back(i);
    return rows;
  }

  [[nodiscard]] std::vector<double> values(const SupportVectors& machines, std::span<const std::size_t> rows,
                                           std::size_t item) const {
    std::vector<double> result;
    for (const std::size_t place : machines.support) result.push_back(gram(item, rows[place]));
    return result;
  }
};

/// Conditions of Karush, Kuhn and Tucker: they hold at the optimum of the convex problem and nowhere else.
TEST(SupportVectors, TwoClassesAreSeparatedOptimally) {
  const Problem problem(80, 2, 0.7, 3);
  const auto rows = problem.every(1);
  const double cost = 2;
  const auto machines = TrainingGram(problem.gram).train(rows, problem.labels, cost);
  ASSERT_EQ(machines.classes.size(), 2);
  std::vector<double> signed_alpha(rows.size());
  for (std::size_t s = 0; s < machines.support.size(); ++s)
    signed_alpha[machines.support[s]] = machines.coefficients[s];
  EXPECT_NEAR(std::accumulate(signed_alpha.begin(), signed_alpha.end(), 0.0), 0, 1e-9);
  std::size_t free = 0;
  for (const std::size_t i : rows) {
    const double sign = problem.labels[i] == machines.classes[0] ? 1 : -1;
    const double alpha = sign * signed_alpha[i];
    double f = -machines.offsets[0];
    for (const std::size_t j : rows) f += signed_alpha[j] * problem.gram(i, j);
    EXPECT_NEAR(decisions(machines, problem.values(machines, rows, i))[0], f, 1e-12);
    EXPECT_GE(alpha, 0);
    EXPECT_LE(alpha, cost);
    EXPECT_TRUE(alpha == cost || sign * f >= 1 - 2e-3) << i;
    EXPECT_TRUE(alpha == 0 || sign * f <= 1 + 2e-3) << i;
    if (alpha > 0 && alpha < cost) ++free;
  }
  EXPECT_GT(free, 0);
}

TEST(SupportVectors, ThreeClassesAreThreeMachines) {
  const Problem problem(90, 3, 0.4, 5);
  const auto rows = problem.every(1);
  const TrainingGram gram(problem.gram);
  const auto all = gram.train(rows, problem.labels, 1);
  ASSERT_EQ(all.classes, (std::vector<int>{0, 1, 2}));
  ASSERT_EQ(all.offsets.size(), 3);
  std::size_t right = 0;
  for (std::size_t i = 0; i < 90; ++i) {
    const auto decided = decisions(all, problem.values(all, rows, i));
    std::size_t pair = 0;
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 3; ++b, ++pair) {
        std::vector<std::size_t> two;
        std::ranges::copy_if(rows, std::back_inserter(two),
                             [&](std::size_t r) { return problem.labels[r] == a || problem.labels[r] == b; });
        const auto machine = gram.train(two, problem.labels, 1);
        EXPECT_NEAR(decisions(machine, problem.values(machine, two, i))[0], decided[pair], 1e-9);
      }
    const auto shares = class_shares(all, decided, 4);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
    EXPECT_EQ(shares[3], 0);
    if (std::ranges::max_element(shares) - shares.begin() == problem.labels[i]) ++right;
  }
  EXPECT_GE(right, 85);
}

TEST(SupportVectors, PartsOfTheItemsNeedNoCopy) {
  const Problem problem(60, 2, 0.7, 8);
  const auto rows = problem.every(2 + 1);
  const auto machines = TrainingGram(problem.gram).train(rows, problem.labels, 1);
  std::vector<int> labels;
  for (const std::size_t row : rows) labels.push_back(problem.labels[row]);
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(machines, TrainingGram(block(problem.gram, rows, rows)).train(all, labels, 1));
}

TEST(SupportVectors, OneClassIsAlwaysRight) {
  const Problem problem(6, 2, 0.5, 1);
  const std::vector<std::size_t> rows{1, 3, 5};
  const auto machines = TrainingGram(problem.gram).train(rows, problem.labels, 1);
  EXPECT_EQ(machines.classes, std::vector{1});
  const auto decided = decisions(machines, problem.values(machines, rows, 0));
  EXPECT_TRUE(decided.empty());
  EXPECT_EQ(class_shares(machines, decided, 2), (std::vector<double>{0, 1}));
}

}  // namespace
}  // namespace perslay::kernel
