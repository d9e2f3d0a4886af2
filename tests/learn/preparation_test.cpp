#include "learn/toy.h"

#include <gtest/gtest.h>

#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

TEST(Preparation, ScalesAreTheRangeOfTheRows) {
  const auto items = test::toy_items(40);
  const std::vector<std::size_t> rows{3, 17, 5};
  auto settings = test::toy_settings();
  const auto preparation = Preparation::fit(items, rows, settings);
  ASSERT_EQ(preparation.scales.size(), items.groups.size());
  settings.network.scale = Scaling::apart;
  const auto apart = Preparation::fit(items, rows, settings);
  ASSERT_EQ(apart.scales.size(), items.groups.size());
  const auto range = [](const std::vector<double>& numbers) {
    return diagram::UnitScale{std::ranges::min(numbers), std::ranges::max(numbers)};
  };
  for (std::size_t g = 0; g < items.groups.size(); ++g) {
    std::vector<double> births, deaths;
    for (const auto row : rows)
      for (const auto& [birth, death] : items.groups[g].diagrams[row]) {
        births.push_back(birth);
        deaths.push_back(death);
      }
    ASSERT_FALSE(births.empty());
    EXPECT_EQ(apart.scales[g].births, range(births));
    EXPECT_EQ(apart.scales[g].deaths, range(deaths));
    EXPECT_NE(apart.scales[g].births, apart.scales[g].deaths);
    births.insert(births.end(), deaths.begin(), deaths.end());
    EXPECT_EQ(preparation.scales[g].births, range(births));
    EXPECT_EQ(preparation.scales[g].deaths, range(births));
  }
  EXPECT_EQ(preparation.features, FittedFeatures::fit(items, rows, test::toy_settings().features));
}

TEST(Preparation, EmptyDiagramsHaveNoRange) {
  auto items = test::toy_items(4);
  items.groups[0].diagrams = diagram::DiagramBatch({}, {0, 0, 0, 0, 0});
  const std::vector<std::size_t> rows{0, 1};
  const auto preparation = Preparation::fit(items, rows, test::toy_settings());
  EXPECT_EQ(preparation.scales[0], diagram::PlaneScale{});
}

TEST(Preparation, WithoutScaleThereIsNone) {
  auto settings = test::toy_settings();
  settings.network.scale = Scaling::none;
  const std::vector<std::size_t> rows{0, 1};
  EXPECT_TRUE(Preparation::fit(test::toy_items(4), rows, settings).scales.empty());
}

/// Whatever happens to other items, labels included, no fitted number changes.
TEST(Preparation, ReadsTheRowsAlone) {
  const auto items = test::toy_items(40);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 40; i += 2) rows.push_back(i);
  const std::vector<std::size_t> others{1, 3};
  for (const auto scaling : {Scaling::together, Scaling::apart}) {
    auto settings = test::toy_settings();
    settings.network.scale = scaling;
    const auto before = Preparation::fit(items, rows, settings);
    const auto after = Preparation::fit(test::spoiled(items, rows), rows, settings);
    EXPECT_EQ(before.features, after.features);
    EXPECT_EQ(before.scales, after.scales);
    const auto of_others = Preparation::fit(test::spoiled(items, rows), others, settings);
    EXPECT_NE(before.features, of_others.features);
    EXPECT_NE(before.scales, of_others.scales);
  }
}

}  // namespace
}  // namespace perslay::learn
