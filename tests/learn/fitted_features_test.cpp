#include "sentence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/features/item_features.h>
#include <perslay/layer/vectorization.h>
#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

using diagram::DiagramBatch;
using diagram::Kind;
using diagram::Point;
using features::FeatureBlock;
using features::Items;
using Rows = std::vector<std::size_t>;

constexpr std::size_t item_count = 200;

DiagramBatch random_diagrams(base::RandomStream& random, double spread) {
  std::vector<Point> points;
  std::vector<std::int64_t> offsets{0};
  for (std::size_t item = 0; item < item_count; ++item) {
    for (std::uint64_t i = random.below(12); i > 0; --i) {
      const double birth = random.uniform(0, spread);
      points.push_back({birth, birth + random.uniform(0, spread)});
    }
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets)};
}

Items random_items(std::uint64_t seed, double spread = 1) {
  base::RandomStream random(seed);
  Items items;
  items.groups.push_back({"hks:10", Kind::ord0, random_diagrams(random, spread), {}});
  items.groups.push_back({"hks:10", Kind::ext1, random_diagrams(random, spread), {}});
  FeatureBlock eigenvalues;
  eigenvalues.name = "eigenvalues";
  FeatureBlock size;
  size.name = "size";
  for (std::size_t item = 0; item < item_count; ++item) {
    const std::uint64_t count = 1 + random.below(static_cast<std::uint64_t>(9 * spread));
    for (std::uint64_t i = 0; i < count; ++i)
      eigenvalues.values.push_back(static_cast<float>(random.uniform(0, spread)));
    eigenvalues.offsets.push_back(static_cast<std::int64_t>(eigenvalues.values.size()));
    for (int i = 0; i < 6; ++i) size.values.push_back(i == 2 ? 0.1F : static_cast<float>(random.uniform()));
    size.offsets.push_back(static_cast<std::int64_t>(size.values.size()));
    items.sizes.push_back({static_cast<double>(count)});
  }
  items.blocks = {eigenvalues, size};
  return items;
}

Rows every(std::size_t step, std::size_t first = 0) {
  Rows rows;
  for (std::size_t item = first; item < item_count; item += step) rows.push_back(item);
  return rows;
}

const std::vector<std::string> all_names{"eigenvalues",      "size",          "statistics",
                                         "landscape:3x12",   "ext1/betti:12", "image:6x6",
                                         "log/quantiles:10", "top:4",         "betti:5@0..0.5"};

/// The items of a, with those outside `rows` taken from b.
Items mixed(const Items& a, const Items& b, const Rows& rows) {
  const auto from_a = [&](std::size_t item) { return std::ranges::count(rows, item) == 1; };
  Items result;
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    std::vector<diagram::Diagram> diagrams;
    for (std::size_t item = 0; item < item_count; ++item) {
      const auto points = (from_a(item) ? a : b).groups[g].diagrams[item];
      diagrams.push_back({{points.begin(), points.end()}, {}});
    }
    result.groups.push_back({a.groups[g].filtration, a.groups[g].kind, DiagramBatch(diagrams), {}});
  }
  for (std::size_t k = 0; k < a.blocks.size(); ++k) {
    FeatureBlock block;
    block.name = a.blocks[k].name;
    for (std::size_t item = 0; item < item_count; ++item) {
      const auto& source = (from_a(item) ? a : b).blocks[k];
      block.values.insert(block.values.end(), source.values.begin() + source.offsets[item],
                          source.values.begin() + source.offsets[item + 1]);
      block.offsets.push_back(static_cast<std::int64_t>(block.values.size()));
    }
    result.blocks.push_back(std::move(block));
  }
  result.sizes = a.sizes;
  return result;
}

TEST(FittedFeatures, NothingIsLearnedFromOtherItems) {
  const Rows training = every(3);
  const Items items = random_items(1);
  const Items changed = mixed(items, random_items(2, 5), training);
  for (const bool standardise : {false, true}) {
    const FeatureSettings settings{all_names, standardise, 4};
    const auto fitted = FittedFeatures::fit(items, training, settings);
    EXPECT_EQ(fitted, FittedFeatures::fit(changed, training, settings));
    EXPECT_EQ(fitted(items, training).values, fitted(changed, training).values);
    // The test would see a leak: fitted on all items the numbers differ.
    EXPECT_NE(FittedFeatures::fit(items, every(1), settings),
              FittedFeatures::fit(changed, every(1), settings));
  }
}

TEST(FittedFeatures, WidthsAreThoseOfTheTrainingPart) {
  Items items = random_items(1);
  items.blocks = {{"eigenvalues", {5, 4, 3, 2, 1, 0.5F}, {0, 1, 3, 6}}};
  items.sizes = {{1}, {2}, {3}};
  const auto fitted = FittedFeatures::fit(items, Rows{0, 1}, {{"eigenvalues"}});
  EXPECT_EQ(fitted.widths, std::vector<std::size_t>{2});
  EXPECT_EQ(fitted.columns(), 2U);
  const auto matrix = fitted(items, Rows{2, 0, 1});
  EXPECT_EQ(matrix.rows, 3U);
  EXPECT_EQ(matrix.columns, 2U);
  EXPECT_EQ(matrix.values, (std::vector<float>{2, 1, 5, 0, 4, 3}));
}

TEST(FittedFeatures, FramesAreThoseOfTheTrainingPart) {
  const Items items = random_items(4);
  const Rows training = every(7, 2);
  const auto fitted =
      FittedFeatures::fit(items, training, {{"landscape:3x12", "statistics", "ext1/betti:12"}});
  std::vector<double> expected;
  for (const std::size_t group : {0U, 1U, 1U}) {
    std::vector<diagram::Diagram> diagrams;
    for (const std::size_t row : training) {
      const auto points = items.groups[group].diagrams[row];
      diagrams.push_back({{points.begin(), points.end()}, {}});
    }
    const auto frame = layer::Frame::fit(DiagramBatch(diagrams));
    for (const auto& range : {frame.values, frame.births, frame.persistences})
      expected.insert(expected.end(), {range.low, range.high});
  }
  EXPECT_EQ(fitted.frames, expected);
  EXPECT_EQ(fitted.widths, (std::vector<std::size_t>{72, 24, 12}));

  // The Betti curve by counting, at samples from the lowest to the highest value of the training part.
  const auto matrix = fitted(items, every(1));
  for (std::size_t item = 0; item < item_count; ++item)
    for (std::size_t i = 0; i < 12; ++i) {
      const double t = expected[12] + (expected[13] - expected[12]) * static_cast<double>(i) / 11;
      const auto count = std::ranges::count_if(items.groups[1].diagrams[item],
                                               [&](const Point& p) { return p.birth <= t && t < p.death; });
      if (i > 0 && i < 11) {  // the ends are coordinates of points themselves
        EXPECT_EQ(matrix.values[item * matrix.columns + 96 + i], static_cast<float>(count));
      }
    }
}

TEST(FittedFeatures, StandardisedColumnsHaveMeanZeroAndDeviationOne) {
  const Items items = random_items(9);
  const Rows training = every(2), others = every(2, 1);
  const auto plain = FittedFeatures::fit(items, training, {all_names})(items, training);
  const auto fitted = FittedFeatures::fit(items, training, {all_names, true, 0});
  const auto matrix = fitted(items, training);
  ASSERT_EQ(plain.columns, matrix.columns);
  std::size_t constant = 0;
  for (std::size_t c = 0; c < matrix.columns; ++c) {
    double sum = 0, squares = 0, low = 1e300, high = -1e300;
    for (std::size_t r = 0; r < matrix.rows; ++r) {
      const double x = matrix.values[r * matrix.columns + c], before = plain.values[r * matrix.columns + c];
      sum += x;
      squares += x * x;
      low = std::min(low, before);
      high = std::max(high, before);
    }
    EXPECT_NEAR(sum / static_cast<double>(matrix.rows), 0, 1e-5) << c;
    EXPECT_NEAR(squares / static_cast<double>(matrix.rows), low == high ? 0 : 1, 1e-5) << c;
    constant += low == high ? 1U : 0U;
  }
  EXPECT_GE(constant, 1U);  // one of the sizes is the same everywhere
  EXPECT_LT(constant, matrix.columns / 4);

  auto clipping = fitted;
  clipping.settings.clip = 0.5;
  const auto whole = fitted(items, others), clipped = clipping(items, others);
  for (std::size_t i = 0; i < whole.values.size(); ++i)
    EXPECT_EQ(clipped.values[i], std::clamp(whole.values[i], -0.5F, 0.5F));
}

TEST(FittedFeatures, BlocksAndDiagramsGiveTheSameBytes) {
  const Items items = random_items(3);
  Items with_blocks = items;
  for (const auto& name : all_names)
    if (const auto feature = features::parse_item_feature(name); !feature.of_graphs() && !feature.is_fitted())
      with_blocks.blocks.push_back(features::diagram_block(items.groups, feature));
  ASSERT_EQ(with_blocks.blocks.size(), 6U);
  const FeatureSettings settings{all_names, true, 0};
  const auto fitted = FittedFeatures::fit(items, every(2), settings);
  EXPECT_EQ(fitted, FittedFeatures::fit(with_blocks, every(2), settings));
  EXPECT_EQ(fitted(items, every(1)).values, fitted(with_blocks, every(1)).values);
}

TEST(FittedFeatures, NeitherThreadsNorOtherRowsLeaveATrace) {
  const Items items = random_items(6);
  const FeatureSettings settings{all_names, true, 3};
  base::Context one, three;
  one.threads = 1;
  three.threads = 3;
  const auto fitted = FittedFeatures::fit(items, every(1), settings, one);
  EXPECT_EQ(fitted, FittedFeatures::fit(items, every(1), settings, three));
  const auto matrix = fitted(items, every(1), one);
  EXPECT_EQ(matrix.values, fitted(items, every(1), three).values);
  for (const std::size_t row : {0U, 77U, 199U}) {
    const auto alone = fitted(items, Rows{row});
    EXPECT_TRUE(std::equal(alone.values.begin(), alone.values.end(),
                           matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.columns)));
  }
}

TEST(FittedFeatures, NoNamesOrNoRowsAreLegal) {
  const Items items = random_items(6);
  const auto none = FittedFeatures::fit(items, every(2), {});
  EXPECT_EQ(none(items, every(1)).columns, 0U);
  EXPECT_EQ(none(items, every(1)).rows, item_count);
  const auto fitted = FittedFeatures::fit(items, {}, {all_names, true, 0});
  EXPECT_EQ(fitted(items, {}).rows, 0U);
}

TEST(FittedFeatures, MistakesAreSentences) {
  const Items items = random_items(6);
  const auto fit = [&](const std::string& name) {
    return test::sentence_of([&] { (void)FittedFeatures::fit(items, every(2), {{name}}); });
  };
  EXPECT_EQ(fit("deciles:degree"),
            "deciles:degree is computed from graphs, and it was not when the items were loaded.");
  EXPECT_EQ(fit("h1/betti:3"), "h1/betti:3 reads diagrams of the kind h1, and there are none.");
  EXPECT_EQ(fit("landscape:1000x1000"), "no error");  // only the numbers would be too many:
  const auto wide = FittedFeatures::fit(items, every(2), {{"landscape:1000x1000", "projections:1000x999"}});
  const Rows many(1000, 0);
  EXPECT_EQ(test::sentence_of([&] { (void)wide(items, many); }),
            "1000 items with 3998000 features each are more than 2000000000 numbers.");

  const auto fitted = FittedFeatures::fit(items, every(2), {all_names, true, 0});
  Items fewer = items;
  fewer.groups.pop_back();
  EXPECT_EQ(test::sentence_of([&] { (void)fitted(fewer, every(2)); }),
            "ext1/betti:12 reads diagrams of the kind ext1, and there are none.");
  Items more = items;
  more.groups.push_back(items.groups.front());
  EXPECT_EQ(test::sentence_of([&] { (void)fitted(more, every(2)); }),
            "image:6x6 was fitted to fewer groups of diagrams than there are.");
  const auto statistics = FittedFeatures::fit(items, every(2), {{"statistics"}});
  EXPECT_EQ(test::sentence_of([&] { (void)statistics(fewer, every(2)); }),
            "statistics has 12 numbers per item, but 24 where it was fitted.");
}

TEST(FittedFeatures, NumbersBeyondSinglePrecisionAreRefused) {
  Items items;
  items.sizes = {{1}, {1}};
  items.groups.push_back({"f", Kind::ord0, DiagramBatch({{0, 1}, {0, 1e300}}, {0, 1, 2}), {}});
  EXPECT_EQ(test::sentence_of([&] {
              (void)FittedFeatures::fit(items, Rows{0, 1}, {{"statistics"}})(items, Rows{0, 1});
            }),
            "statistics: Number 1 of item 1 is too large to be represented.");
}

TEST(FittedFeatures, WhatDoesNotFitTogetherIsRefused) {
  const Items items = random_items(6);
  const auto good = FittedFeatures::fit(items, every(2), {all_names, true, 0});
  const auto refuses = [&](auto&& damage) {
    auto bad = good;
    damage(bad);
    return test::sentence_of([&] { (void)bad(items, every(2)); }) != "no error";
  };
  EXPECT_FALSE(refuses([](FittedFeatures&) {}));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { f.means.pop_back(); }));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { f.deviations.clear(); }));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { f.widths.pop_back(); }));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { f.widths[0] = std::size_t{1} << 63; }));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { std::swap(f.widths[2], f.widths[3]); }));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { f.frames.pop_back(); }));
  EXPECT_TRUE(refuses([](FittedFeatures& f) { f.settings.names[0] = "wavelets"; }));
}

}  // namespace
}  // namespace perslay::learn
