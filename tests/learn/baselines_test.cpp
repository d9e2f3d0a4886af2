#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/learn/baselines.h>

namespace perslay::learn {
namespace {

features::Items any_items(std::size_t count, std::size_t different_sizes, std::uint64_t seed) {
  base::RandomStream random(seed);
  features::Items items;
  items.classes = {"a", "b", "c"};
  for (std::size_t i = 0; i < count; ++i) {
    const auto points = static_cast<double>(random.below(different_sizes));
    items.sizes.push_back({points, points + static_cast<double>(random.below(3))});
    items.labels.push_back(static_cast<int>(random.below(3)));
  }
  return items;
}

/// The definition, item by item: who is as near as the 15th nearest votes.
int vote(const features::Items& items, const std::vector<std::size_t>& training,
         const features::ItemSize& size) {
  double n = 0, points = 0, edges = 0, points_squared = 0, edges_squared = 0;
  for (const auto row : training) {
    n += 1;
    points += items.sizes[row].points;
    edges += items.sizes[row].edges;
    points_squared += std::pow(items.sizes[row].points, 2);
    edges_squared += std::pow(items.sizes[row].edges, 2);
  }
  const double variance_of_points = points_squared / n - std::pow(points / n, 2);
  const double variance_of_edges = edges_squared / n - std::pow(edges / n, 2);
  std::vector<double> distances;
  for (const auto row : training) {
    const double by_points = std::pow(items.sizes[row].points - size.points, 2);
    const double by_edges = std::pow(items.sizes[row].edges - size.edges, 2);
    distances.push_back(std::sqrt((by_points > 0 ? by_points / variance_of_points : 0) +
                                  (by_edges > 0 ? by_edges / variance_of_edges : 0)));
  }
  auto sorted = distances;
  std::ranges::sort(sorted);
  const double radius = sorted[std::min<std::size_t>(15, sorted.size()) - 1];
  std::vector<std::size_t> votes(3), frequency(3);
  for (std::size_t i = 0; i < training.size(); ++i) {
    const auto label = static_cast<std::size_t>(items.labels[training[i]]);
    ++frequency[label];
    if (distances[i] <= radius * (1 + 1e-12)) ++votes[label];
  }
  int best = 0;
  for (std::size_t c = 1; c < 3; ++c) {
    const auto b = static_cast<std::size_t>(best);
    if (votes[c] > votes[b] || (votes[c] == votes[b] && frequency[c] > frequency[b]))
      best = static_cast<int>(c);
  }
  return best;
}

TEST(Baselines, SizeIsTheVoteOfTheNearest) {
  for (const std::size_t different : std::vector<std::size_t>{1, 2, 5, 40, 1000})
    for (const std::size_t count : std::vector<std::size_t>{4, 20, 150}) {
      const auto items = any_items(count, different, different + count);
      std::vector<std::size_t> training, test;
      for (std::size_t i = 0; i < count; ++i) (i % 3 == 0 ? test : training).push_back(i);
      const auto predicted = predict_by_size(items, training, test);
      ASSERT_EQ(predicted.size(), test.size());
      for (std::size_t i = 0; i < test.size(); ++i)
        EXPECT_EQ(predicted[i], vote(items, training, items.sizes[test[i]]))
            << different << ' ' << count << ' ' << i;
    }
}

TEST(Baselines, LabelsOfTheTestPartAreNotRead) {
  auto items = any_items(60, 10, 1);
  std::vector<std::size_t> training(40), test(20);
  std::iota(training.begin(), training.end(), std::size_t{0});
  std::iota(test.begin(), test.end(), std::size_t{40});
  const auto by_size = predict_by_size(items, training, test);
  const auto by_majority = predict_majority(items, training, test);
  for (const auto row : test) items.labels[row] = 2 - items.labels[row];
  EXPECT_EQ(predict_by_size(items, training, test), by_size);
  EXPECT_EQ(predict_majority(items, training, test), by_majority);
}

TEST(Baselines, MajorityIsTheMostFrequentClassAndTheFirstOfEquals) {
  features::Items items;
  items.classes = {"a", "b", "c"};
  items.labels = {2, 1, 2, 1, 0, 0, 0, 0};
  items.sizes.resize(8);
  const std::vector<std::size_t> test{5, 6, 7};
  EXPECT_EQ(predict_majority(items, std::vector<std::size_t>{0, 1, 2, 4}, test), (std::vector<int>{2, 2, 2}));
  EXPECT_EQ(predict_majority(items, std::vector<std::size_t>{0, 1, 2, 3, 4}, test),
            (std::vector<int>{1, 1, 1}));
}

}  // namespace
}  // namespace perslay::learn
