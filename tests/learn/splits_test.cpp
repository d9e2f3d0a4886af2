#include "sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

using test::sentence_of;
using Type = Protocol::Type;

const std::vector<std::string> three_classes{"a", "b", "c"};

std::vector<int> any_labels(std::size_t count, std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<int> labels;
  for (std::size_t i = 0; i < count; ++i)
    labels.push_back(static_cast<int>(random.below(6) / 2 * random.below(2)));
  return labels;
}

/// Both parts ascend, have no item in common and are all items together.
void expect_partition(const Split& split, std::size_t items) {
  EXPECT_TRUE(std::ranges::is_sorted(split.training));
  EXPECT_TRUE(std::ranges::is_sorted(split.test));
  std::set<std::size_t> all(split.training.begin(), split.training.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), items);
  EXPECT_EQ(split.training.size() + split.test.size(), items);
  EXPECT_EQ(*all.rbegin(), items - 1);
}

TEST(Splits, FoldsOfARepeatAreAPartitionOfEqualParts) {
  for (const bool stratified : {false, true})
    for (const std::size_t items : std::vector<std::size_t>{60, 61, 67}) {
      const auto labels = any_labels(items, items);
      const Protocol protocol{Type::k_fold, 5, 0, 3, stratified};
      const Splits splits(protocol, labels, three_classes, 1);
      ASSERT_EQ(splits.size(), 15U);
      for (std::size_t repeat = 0; repeat < 3; ++repeat) {
        std::vector<int> tested(items);
        for (std::size_t fold = 0; fold < 5; ++fold) {
          const auto split = splits[repeat * 5 + fold];
          EXPECT_EQ(split.repeat, repeat);
          EXPECT_EQ(split.fold, fold);
          expect_partition(split, items);
          EXPECT_LE(split.test.size(), (items + 4) / 5);
          EXPECT_GE(split.test.size(), items / 5);
          for (const auto row : split.test) ++tested[row];
        }
        EXPECT_EQ(tested, std::vector<int>(items, 1));
      }
    }
}

TEST(Splits, RandomSplitsHaveTheirFraction) {
  constexpr std::size_t runs = 500;
  for (const bool stratified : {false, true}) {
    const auto labels = any_labels(200, 5);
    const Splits splits({Type::random_split, 0, 0.3, runs, stratified}, labels, three_classes, 1);
    ASSERT_EQ(splits.size(), runs);
    std::vector<double> tested(200);
    for (std::size_t run = 0; run < runs; ++run) {
      const auto split = splits[run];
      EXPECT_EQ(split.repeat, run);
      EXPECT_EQ(split.fold, 0U);
      expect_partition(split, 200);
      EXPECT_EQ(split.test.size(), 60U);
      for (const auto row : split.test) ++tested[row];
    }
    // Each item is tested Binomial(500, 0.3) times; five deviations are 51.2.
    for (const double times : tested) EXPECT_NEAR(times, 150, 51.2);
    EXPECT_GT(*std::ranges::max_element(tested), *std::ranges::min_element(tested));
  }
}

TEST(Splits, StratifiedRandomSplitsFavourNoClass) {
  std::vector<int> labels;  // 36 items of which 5 are tested: 5/3 of each class
  for (int i = 0; i < 36; ++i) labels.push_back(i / 12);
  const Splits splits({Type::random_split, 0, 5.0 / 36, 900, true}, labels, three_classes, 4);
  std::vector<double> tested(3);
  for (std::size_t run = 0; run < splits.size(); ++run)
    for (const auto row : splits[run].test) ++tested[static_cast<std::size_t>(labels[row])];
  for (const double times : tested) EXPECT_NEAR(times, 1500, 5 * std::sqrt(900 * 2.0 / 9));
}

TEST(Splits, StratifiedPartsHaveTheirShareOfEveryClass) {
  const auto labels = any_labels(103, 2);
  for (const Protocol& protocol :
       {Protocol{Type::k_fold, 4, 0, 2, true}, Protocol{Type::random_split, 0, 0.25, 8, true}}) {
    const Splits splits(protocol, labels, three_classes, 9);
    for (std::size_t i = 0; i < splits.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        const auto is_c = [&](std::size_t row) { return labels[row] == c; };
        const auto all = static_cast<double>(std::ranges::count(labels, c));
        EXPECT_NEAR(static_cast<double>(std::ranges::count_if(splits[i].test, is_c)), all / 4, 1.0);
      }
  }
}

TEST(Splits, SeedsAndRepeatsDifferAndNothingElseMatters) {
  const auto labels = any_labels(100, 3);
  const Protocol protocol{Type::k_fold, 10, 0, 2, false};
  const Splits splits(protocol, labels, three_classes, 1);
  EXPECT_EQ(splits[3].test, splits[3].test);
  EXPECT_NE(splits[3].test, splits[13].test);
  EXPECT_NE(splits[3].test, Splits(protocol, labels, three_classes, 2)[3].test);
  // More repeats begin with the same ones, and labels do not matter.
  auto longer = protocol;
  longer.repeats = 7;
  const auto others = any_labels(100, 4);
  EXPECT_EQ(splits[13].test, Splits(longer, others, three_classes, 1)[13].test);
}

/// Every item is equally likely to be in the first fold.
TEST(Splits, ShufflesEvenly) {
  const std::vector<int> labels(12);
  std::vector<double> first(12);
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    for (const auto row : Splits({Type::k_fold, 3, 0, 1, false}, labels, three_classes, seed)[0].test)
      ++first[row];
  for (const double times : first) EXPECT_NEAR(times, 1000, 6 * 25.8);
}

TEST(Splits, SaysWhatCannotBeSplit) {
  const std::vector<int> labels{0, 0, 0, 0, 1, 1, 1, 2};
  const auto mistake = [&](const Protocol& protocol) {
    return sentence_of([&] { const Splits splits(protocol, labels, three_classes, 0); });
  };
  EXPECT_EQ(mistake({Type::k_fold, 1, 0, 1, false}), "Cross-validation needs at least 2 folds, not 1.");
  EXPECT_EQ(mistake({Type::k_fold, 9, 0, 1, false}), "8 items cannot be cut into 9 folds.");
  EXPECT_EQ(mistake({Type::k_fold, 2, 0, 0, false}), "An evaluation needs at least one repeat.");
  for (const double fraction : {0.0, 1.0, -0.5, 1.5})
    EXPECT_NE(mistake({Type::random_split, 0, fraction, 1, false}).find("lies between 0 and 1"),
              std::string::npos);
  EXPECT_NE(
      mistake({Type::random_split, 0, std::numeric_limits<double>::quiet_NaN(), 1, false}).find("between"),
      std::string::npos);
  EXPECT_EQ(mistake({Type::random_split, 0, 0.01, 1, false}),
            "A test fraction of 0.01 of 8 items leaves none to test.");
  EXPECT_EQ(mistake({Type::random_split, 0, 0.99, 1, false}),
            "A test fraction of 0.99 of 8 items leaves none to train on.");
  EXPECT_EQ(mistake({Type::k_fold, 2, 0, 1, true}),
            "The class 'c' has 1 items, too few to be in each of 2 parts; stratified splits need 2.");
  const auto need_more = [&](double fraction) { return mistake({Type::random_split, 0, fraction, 1, true}); };
  EXPECT_EQ(
      need_more(0.5),
      "The class 'c' has 1 items, too few to be tested and trained on in every split; stratified splits "
      "that test 0.5 of all items need more.");
  for (const double fraction : {0.25, 0.75})  // 3/4 of an item on one side
    EXPECT_NE(need_more(fraction).find("The class 'b' has 3 items, too few"), std::string::npos);
  EXPECT_EQ(mistake({Type::k_fold, 8, 0, 1, false}), "no error");
}

TEST(Splits, ProtocolsHaveNames) {
  EXPECT_EQ((Protocol{Type::k_fold, 10, 0, 1, false}).name(), "10 folds, 1 repeat");
  EXPECT_EQ((Protocol{Type::random_split, 0, 0.3, 100, true}).name(), "30 % tested, 100 runs, stratified");
  EXPECT_EQ((Protocol{Type::random_split, 0, 0.07, 2, false}).name(), "7 % tested, 2 runs");
  EXPECT_EQ((Protocol{Type::random_split, 0, 0.29, 2, false}).name(), "29 % tested, 2 runs");
  EXPECT_EQ((Protocol{Type::random_split, 0, 0.1234, 2, false}).name(), "12.34 % tested, 2 runs");
}

}  // namespace
}  // namespace perslay::learn
