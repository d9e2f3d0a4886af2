#include <cmath>

#include <gtest/gtest.h>

#include <perslay/learn/metrics.h>

namespace perslay::learn {
namespace {

TEST(Metrics, TheMostProbableClassAndTheFirstOfEquals) {
  const std::vector<float> probabilities{0.2F, 0.5F, 0.3F, 0.4F, 0.2F, 0.4F, 0, 0, 1};
  EXPECT_EQ(most_probable(probabilities, 3), (std::vector<int>{1, 0, 2}));
  EXPECT_TRUE(most_probable({}, 3).empty());
}

TEST(Metrics, AccuracyAndConfusion) {
  const std::vector<int> truth{0, 0, 1, 1, 2};
  const std::vector<int> predicted{0, 1, 1, 1, 0};
  EXPECT_EQ(accuracy(truth, predicted), 3.0 / 5);
  EXPECT_EQ(confusion_matrix(truth, predicted, 3), (std::vector<std::size_t>{1, 1, 0, 0, 2, 0, 1, 0, 0}));
}

TEST(Metrics, SummaryIsAboutTheMeansOfRepeats) {
  const std::vector<std::vector<double>> runs{{0.5, 1.0}, {0.25, 0.5}, {1.0, 0.5}};
  const auto summary = summarize(runs);  // means 0.75, 0.375, 0.75
  EXPECT_DOUBLE_EQ(summary.mean, 0.625);
  EXPECT_DOUBLE_EQ(*summary.deviation, std::sqrt((2 * 0.125 * 0.125 + 0.25 * 0.25) / 2));
  EXPECT_DOUBLE_EQ(summary.max, 0.75);
  EXPECT_FALSE(summarize(std::vector<std::vector<double>>{{0.5, 1.0}}).deviation.has_value());
}

}  // namespace
}  // namespace perslay::learn
