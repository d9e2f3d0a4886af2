#include "learn/toy.h"

#include <gtest/gtest.h>

#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

TEST(Preparation, ScalesAreTheRangeOfTheRows) {
  const auto items = test::toy_items(40);
  const std::vector<std::size_t> rows{3, 17, 5};
  const auto preparation = Preparation::fit(items, rows, test::toy_settings());
  ASSERT_EQ(preparation.scales.size(), items.groups.size());
  for (std::size_t g = 0; g < items.groups.size(); ++g) {
    std::vector<double> coordinates;
    for (const auto row : rows)
      for (const auto& [birth, death] : items.groups[g].diagrams[row]) {
        coordinates.push_back(birth);
        coordinates.push_back(death);
      }
    ASSERT_FALSE(coordinates.empty());
    EXPECT_EQ(preparation.scales[g].min, std::ranges::min(coordinates));
    EXPECT_EQ(preparation.scales[g].max, std::ranges::max(coordinates));
  }
  EXPECT_EQ(preparation.features, features::FittedFeatures::fit(items, rows, test::toy_settings().features));
}

TEST(Preparation, EmptyDiagramsHaveNoRange) {
  auto items = test::toy_items(4);
  items.groups[0].diagrams = diagram::DiagramBatch({}, {0, 0, 0, 0, 0});
  const std::vector<std::size_t> rows{0, 1};
  const auto preparation = Preparation::fit(items, rows, test::toy_settings());
  EXPECT_EQ(preparation.scales[0].min, 0);
  EXPECT_EQ(preparation.scales[0].max, 0);
}

TEST(Preparation, WithoutScaleThereIsNone) {
  auto settings = test::toy_settings();
  settings.network.scale = false;
  const std::vector<std::size_t> rows{0, 1};
  EXPECT_TRUE(Preparation::fit(test::toy_items(4), rows, settings).scales.empty());
}

/// Whatever happens to other items, labels included, no fitted number changes.
TEST(Preparation, ReadsTheRowsAlone) {
  const auto items = test::toy_items(40);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 40; i += 2) rows.push_back(i);
  const auto settings = test::toy_settings();
  const auto before = Preparation::fit(items, rows, settings);
  const auto after = Preparation::fit(test::spoiled(items, rows), rows, settings);
  EXPECT_EQ(before.features, after.features);
  for (std::size_t g = 0; g < items.groups.size(); ++g) {
    EXPECT_EQ(before.scales[g].min, after.scales[g].min);
    EXPECT_EQ(before.scales[g].max, after.scales[g].max);
  }
  const std::vector<std::size_t> others{1, 3};
  EXPECT_NE(before.features, Preparation::fit(test::spoiled(items, rows), others, settings).features);
}

}  // namespace
}  // namespace perslay::learn
