#include "kernel/brute_force.h"

#include <gtest/gtest.h>

#include <perslay/kernel/bandwidth.h>

namespace perslay::test {
namespace {

using kernel::Kernel;
using kernel::Matrix;
using kernel::parse_kernel;
using Items = std::vector<std::size_t>;

/// Distances 1, 2, 3 within the first; 5 in the second; none in the others. Persistences 2, 3, 5; 1, 4; 6.
const std::vector<Points> diagrams{{{0, 2}, {0, 3}, {0, 5}}, {{3, 4}, {0, 4}}, {{1, 7}}, {}};

TEST(Bandwidth, MediansOfDistancesAndPersistences) {
  const auto batch = batch_of(diagrams);
  const auto first = fit(parse_kernel("pwg:p=2"), batch, Items{0});
  EXPECT_EQ(first.sigma, 2);
  EXPECT_NEAR(first.scale, 1.0 / 9, 1e-15);
  EXPECT_TRUE(first.is_fitted());
  EXPECT_EQ(fit(parse_kernel("pf"), batch, Items{1, 2}).sigma, 3);
  EXPECT_EQ(fit(parse_kernel("pss"), batch, Items{0, 3}).sigma, 1);  // 2^2/4
  EXPECT_NEAR(fit(parse_kernel("pwg:p=1"), batch, Items{2}).scale, 1.0 / 6, 1e-15);
}

/// Of an even number of values it is the mean of the two in the middle, within a diagram and over diagrams.
TEST(Bandwidth, MedianIsTheOrdinaryOne) {
  const auto fitted = fit(parse_kernel("pwg:p=1"), batch_of(diagrams), Items{0, 1});
  EXPECT_EQ(fitted.sigma, 2.5);       // of 2 and 3
  EXPECT_EQ(fitted.scale, 1 / 2.75);  // of 3 and 2.5, which is the median of 1 and 4
  Matrix base(4, 4);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) base(i, j) = static_cast<double>(i * i + j * j);
  // Between items 0 to 3: 1, 4, 9, 5, 10, 13.
  EXPECT_EQ(median_rate(parse_kernel("pf:1"), base, Items{0, 1, 2, 3}), 1.0 / 7);
}

TEST(Bandwidth, GivenParametersStay) {
  const auto batch = batch_of(diagrams);
  const auto given = parse_kernel("pwg:0.5:c=7:tau=2");
  EXPECT_EQ(fit(given, batch, Items{0, 1, 2}), given);
  EXPECT_EQ(fit(parse_kernel("sw:3"), batch, Items{0}), parse_kernel("sw:3"));
}

TEST(Bandwidth, WithoutDistancesParametersAreOne) {
  const auto batch = batch_of(std::vector<Points>{{}, {{1, 1}}, {{2, 2}, {2, 2}}});
  const auto fitted = fit(parse_kernel("pwg"), batch, Items{0, 1, 2});
  EXPECT_EQ(fitted.sigma, 1);
  EXPECT_EQ(fitted.scale, 1);
  EXPECT_EQ(fit(parse_kernel("pss"), batch, Items{}).sigma, 1);
  // A sigma of 1e-310 would make an infinite kernel.
  const auto tiny = batch_of(std::vector<Points>{{{0, 2e-155}, {2e-155, 2e-155}}});
  EXPECT_EQ(fit(parse_kernel("pss"), tiny, Items{0}).sigma, 1);
  EXPECT_EQ(fit(parse_kernel("pf"), tiny, Items{0}).sigma, 2e-155);
}

/// Items that are not named have no influence.
TEST(Bandwidth, OtherItemsDoNotMatter) {
  auto changed = diagrams;
  changed[1] = {{0, 1000}, {5, 2000}};
  for (const std::string name : {"pwg", "pss", "pf"})
    EXPECT_EQ(fit(parse_kernel(name), batch_of(diagrams), Items{0, 2, 3}),
              fit(parse_kernel(name), batch_of(changed), Items{0, 2, 3}));
}

TEST(Bandwidth, BasesToTry) {
  std::vector<diagram::DiagramGroup> groups{{"f", diagram::Kind::ord0, batch_of(diagrams), {}},
                                            {"f", diagram::Kind::ext1, batch_of(diagrams), {}}};
  const Items items{0, 1, 2, 3};
  const auto pss = base_candidates(parse_kernel("pss"), groups, items);
  ASSERT_EQ(pss.size(), 13U);
  EXPECT_EQ(pss[0][0].sigma, 0.001);
  EXPECT_EQ(pss[12][1].sigma, 1000);
  EXPECT_EQ(base_candidates(parse_kernel("pss:3"), groups, items).size(), 1U);
  const auto pf = base_candidates(parse_kernel("pf"), groups, items);
  ASSERT_EQ(pf.size(), 4U);
  EXPECT_NEAR(pf[3][1].sigma / pf[0][1].sigma, 1000, 1e-9);
  for (const std::string name : {"sw", "pwg", "pf:2"}) {
    const auto candidates = base_candidates(parse_kernel(name), groups, items);
    ASSERT_EQ(candidates.size(), 1U) << name;
    ASSERT_EQ(candidates[0].size(), 2U) << name;
    EXPECT_TRUE(candidates[0][1].is_fitted()) << name;
  }
}

/// |i - j|^2 on a line of 21 items, and nonsense for the last.
Matrix squares() {
  Matrix base(22, 22);
  for (std::size_t i = 0; i < 22; ++i)
    for (std::size_t j = 0; j < 22; ++j) {
      const double x = static_cast<double>(i) - static_cast<double>(j);
      base(i, j) = i == 21 || j == 21 ? 1e9 : x * x;
    }
  return base;
}

Items first_items(std::size_t count) { return kernel::spread_items(count, count); }

TEST(Bandwidth, RatesComeFromQuantiles) {
  const auto base = squares();
  // The 210 distances |i - j| <= 20, of which 21 - d are d: 105 are up to 6, 39 up to 2, 189 up to 14.
  const double median = (6 * 6 + 7 * 7) / 2.0;
  EXPECT_EQ(median_rate(parse_kernel("sw"), base, first_items(21)), 1 / (2 * median));
  EXPECT_EQ(median_rate(parse_kernel("pf:1"), base, first_items(21)), 1 / median);
  EXPECT_EQ(median_rate(parse_kernel("sw:sigma=2"), base, first_items(21)), 0.125);

  const auto rates = rate_candidates(parse_kernel("sw"), base, first_items(21));
  ASSERT_EQ(rates.size(), 15U);
  EXPECT_TRUE(std::ranges::is_sorted(rates));
  EXPECT_NEAR(rates.back(), 1e4 / (2 * 2 * 2), 1e-9);
  const double last_decile = 14 * 14 + 0.1 * (15 * 15 - 14 * 14);
  EXPECT_NEAR(rates.front(), 1e-4 / (2 * last_decile), 1e-18);
  const auto fisher = rate_candidates(parse_kernel("pf:1"), base, first_items(21));
  ASSERT_EQ(fisher.size(), 6U);
  EXPECT_EQ(fisher.front(), 1 / median);
  EXPECT_EQ(fisher.back(), 1);
  EXPECT_EQ(rate_candidates(parse_kernel("pf:1:t=3"), base, first_items(21)), std::vector<double>{3});
  EXPECT_TRUE(rate_candidates(parse_kernel("pss:1"), base, first_items(21)).empty());
}

TEST(Bandwidth, RatesWithoutDistances) {
  const Matrix zeros(5, 5);
  EXPECT_EQ(median_rate(parse_kernel("sw"), zeros, first_items(5)), 1);
  EXPECT_EQ(rate_candidates(parse_kernel("sw"), zeros, first_items(5)), std::vector<double>{1});
  EXPECT_EQ(median_rate(parse_kernel("sw"), zeros, first_items(1)), 1);
}

TEST(Bandwidth, SpreadItems) {
  EXPECT_EQ(kernel::spread_items(3, 10), (Items{0, 1, 2}));
  EXPECT_EQ(kernel::spread_items(10, 4), (Items{0, 2, 5, 7}));
  EXPECT_TRUE(kernel::spread_items(0, 4).empty());
}

}  // namespace
}  // namespace perslay::test
