#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <perslay/base/random.h>

namespace perslay::base {
namespace {

TEST(RandomStream, SameSeedAndItemGiveTheSameNumbers) {
  RandomStream a(7, 3);
  RandomStream b(7, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
}

TEST(RandomStream, StreamsOfNeighbouringSeedsAndItemsDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (std::uint64_t item = 0; item < 50; ++item) first.insert(RandomStream(seed, item)());
  EXPECT_EQ(first.size(), 2500U);
}

// Known answer: fixes the bytes of generated datasets for good.
TEST(RandomStream, KeepsItsNumbers) {
  // SplitMix64 from state 0 gives these outputs (Steele, Lea and Flood's generator, as published with its
  // test vector).
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
  EXPECT_EQ(mix_bits(golden), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(mix_bits(2 * golden), 0x6E789E6AA1B965F4ULL);
}

TEST(RandomStream, UniformHasTheRightMoments) {
  RandomStream random(1);
  double sum = 0;
  double squares = 0;
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / draws, 0.5, 5 * std::sqrt(1.0 / 12 / draws));
  EXPECT_NEAR(squares / draws, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / draws));
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream random(2);
  std::array<int, 7> counts{};
  constexpr int draws = 70000;
  for (int i = 0; i < draws; ++i) ++counts.at(random.below(7));
  double chi_squared = 0;
  for (const int count : counts) chi_squared += std::pow(count - draws / 7.0, 2) / (draws / 7.0);
  EXPECT_LT(chi_squared, 30);  // 6 degrees of freedom: exceeded once in 25 000 seeds
}

TEST(RandomStream, NormalHasTheRightMoments) {
  RandomStream random(3);
  double sum = 0;
  double squares = 0;
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / draws, 0, 5 / std::sqrt(draws));
  EXPECT_NEAR(squares / draws, 1, 5 * std::sqrt(2.0 / draws));
}

}  // namespace
}  // namespace perslay::base
