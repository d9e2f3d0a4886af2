#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/features/pairs.h>

namespace perslay::features {
namespace {

FeatureRows random_matrix(std::size_t rows, std::size_t columns, double shift, std::uint64_t seed) {
  base::RandomStream random(seed);
  FeatureRows matrix{rows, columns, std::vector<float>(rows * columns)};
  for (float& value : matrix.values) value = static_cast<float>(shift + random.normal());
  return matrix;
}

/// Keys from a few, so that some are in nearly all rows, some in few, and every fifth row has none.
KeyedBlock random_block(std::size_t rows, std::size_t width, bool counts, std::uint64_t seed) {
  base::RandomStream random(seed);
  KeyedBlock block;
  block.width = width;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::uint64_t key = 0; key < 60; ++key) {
      if (row % 5 == 4 || random.uniform() > 1 / (1 + 0.3 * static_cast<double>(key))) continue;
      block.keys.push_back(base::mix_bits(1000) + (key << 57) + key);
      for (std::size_t c = 0; c < width; ++c)
        block.values.push_back(
            static_cast<float>(counts ? 1.0 + static_cast<double>(random.below(9)) : random.normal()));
    }
    const auto begin = static_cast<std::size_t>(block.offsets.back());
    std::ranges::sort(block.keys.begin() + static_cast<std::ptrdiff_t>(begin), block.keys.end());
    block.offsets.push_back(static_cast<std::int64_t>(block.keys.size()));
  }
  return block;
}

std::map<std::uint64_t, std::vector<double>> row_of(const KeyedBlock& block, std::size_t row) {
  std::map<std::uint64_t, std::vector<double>> values;
  for (auto i = static_cast<std::size_t>(block.offsets[row]);
       i < static_cast<std::size_t>(block.offsets[row + 1]); ++i)
    values[block.keys[i]] = {block.values.begin() + static_cast<std::ptrdiff_t>(i * block.width),
                             block.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * block.width)};
  return values;
}

template <class Term>
double sum_over_common_keys(const KeyedBlock& a, std::size_t i, const KeyedBlock& b, std::size_t j,
                            Term&& term) {
  double sum = 0;
  const auto of_b = row_of(b, j);
  for (const auto& [key, values] : row_of(a, i))
    if (const auto found = of_b.find(key); found != of_b.end())
      for (std::size_t c = 0; c < values.size(); ++c) sum += term(values[c], found->second[c]);
  return sum;
}

TEST(DensePairs, AreSquaredDistances) {
  for (const double shift : {0.0, 1e4}) {
    const FeatureRows a = random_matrix(13, 40, shift, 1), b = random_matrix(29, 40, shift, 2);
    const DensePairs pairs(b);
    for (const Tile tile : {Tile{0, 13, 29}, Tile{5, 4, 17}, Tile{12, 1, 1}, Tile{3, 2, 0}, Tile{3, 0, 4}}) {
      std::vector<double> found(tile.count * tile.columns, -1);
      pairs.squared_distances(a, tile, found);
      for (std::size_t i = 0; i < tile.count; ++i)
        for (std::size_t j = 0; j < tile.columns; ++j) {
          double expected = 0;
          for (std::size_t c = 0; c < 40; ++c)
            expected += std::pow(static_cast<double>(a.values[(tile.first + i) * 40 + c]) -
                                     static_cast<double>(b.values[j * 40 + c]),
                                 2);
          EXPECT_NEAR(found[i * tile.columns + j], expected, 1e-11 * expected);
        }
    }
  }
}

TEST(DensePairs, OfARowWithItselfAreNearZeroAndNeverBelow) {
  const FeatureRows a = random_matrix(50, 300, 3, 3);
  std::vector<double> found(2500);
  DensePairs(a).squared_distances(a, {0, 50, 50}, found);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_GE(found[51 * i], 0);
    EXPECT_LT(found[51 * i], 1e-11);
  }
}

TEST(DensePairs, WithoutFeaturesAreZero) {
  const FeatureRows none{3, 0, {}};
  std::vector<double> found(9, -1);
  DensePairs(none).squared_distances(none, {0, 3, 3}, found);
  EXPECT_EQ(found, std::vector<double>(9, 0));
  EXPECT_THROW(DensePairs(none).squared_distances(random_matrix(3, 1, 0, 1), {0, 3, 3}, found), base::Error);
}

TEST(KeyedPairs, AddUpMinima) {
  const auto a = random_block(31, 1, true, 4), b = random_block(47, 1, true, 5);
  const KeyedPairs pairs(b);
  for (const Tile tile : {Tile{0, 31, 47}, Tile{7, 9, 20}, Tile{30, 1, 1}, Tile{2, 3, 0}}) {
    std::vector<double> found(tile.count * tile.columns, -1);
    pairs.intersections(a, tile, found);
    for (std::size_t i = 0; i < tile.count; ++i)
      for (std::size_t j = 0; j < tile.columns; ++j)
        EXPECT_EQ(
            found[i * tile.columns + j],
            sum_over_common_keys(a, tile.first + i, b, j, [](double x, double y) { return std::min(x, y); }));
  }
}

TEST(KeyedPairs, AddUpProducts) {
  for (const std::size_t width : {1U, 3U, 8U}) {
    const auto a = random_block(31, width, false, 6), b = random_block(47, width, false, 7);
    const KeyedPairs pairs(b);
    for (const Tile tile : {Tile{0, 31, 47}, Tile{7, 9, 20}, Tile{30, 1, 1}, Tile{2, 3, 0}}) {
      std::vector<double> found(tile.count * tile.columns, -1);
      pairs.inner_products(a, tile, found);
      for (std::size_t i = 0; i < tile.count; ++i)
        for (std::size_t j = 0; j < tile.columns; ++j)
          EXPECT_NEAR(found[i * tile.columns + j],
                      sum_over_common_keys(a, tile.first + i, b, j, std::multiplies{}), 1e-12);
    }
  }
}

TEST(KeyedPairs, WithItselfAreTotalsAndNorms) {
  const auto block = random_block(31, 1, true, 8);
  const auto totals = with_itself(block, 0, 31, true), norms = with_itself(block, 0, 31, false);
  std::vector<double> minima(31 * 31), products(31 * 31);
  KeyedPairs(block).intersections(block, {0, 31, 31}, minima);
  KeyedPairs(block).inner_products(block, {0, 31, 31}, products);
  for (std::size_t i = 0; i < 31; ++i) {
    EXPECT_EQ(minima[32 * i], totals[i]);
    EXPECT_NEAR(products[32 * i], norms[i], 1e-12 * norms[i]);
    EXPECT_EQ(with_itself(block, i, 1, true).front(), totals[i]);
    EXPECT_EQ(with_itself(block, i, 1, false).front(), norms[i]);
  }
}

TEST(KeyedPairs, OfDifferentWidthsAreRefused) {
  const auto one = random_block(5, 1, false, 1), two = random_block(5, 2, false, 1);
  std::vector<double> out(25);
  EXPECT_THROW(KeyedPairs(one).inner_products(two, {0, 5, 5}, out), base::Error);
  EXPECT_THROW(KeyedPairs(two).intersections(two, {0, 5, 5}, out), base::Error);
}

TEST(RowsOf, KeepOrderAndRepeat) {
  const auto block = random_block(9, 2, false, 3);
  const std::vector<std::size_t> rows{3, 0, 4, 3};
  const auto some = rows_of(block, rows);
  EXPECT_EQ(some.width, 2U);
  ASSERT_EQ(some.offsets.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(row_of(some, i), row_of(block, rows[i]));
}

}  // namespace
}  // namespace perslay::features
