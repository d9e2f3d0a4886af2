#include "../sentence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <perslay/learn/schedule.h>

namespace perslay::learn {
namespace {

constexpr std::size_t steps = 7;  // per epoch

TEST(Schedule, ConstantNeverChanges) {
  const auto schedule = parse_schedule("constant");
  for (std::size_t step = 0; step < 100 * steps; ++step) EXPECT_EQ(schedule.factor(step, steps, 100), 1);
}

TEST(Schedule, HalvingCountsEpochsNotSteps) {
  const auto schedule = parse_schedule("halving:20");
  for (std::size_t step = 0; step < 100 * steps; ++step) {
    const auto epoch = step / steps;
    EXPECT_EQ(schedule.factor(step, steps, 100), std::pow(0.5, std::floor(static_cast<double>(epoch) / 20)));
  }
}

TEST(Schedule, HalvingIsOverWhenTheRateHasVanished) {
  EXPECT_EQ(parse_schedule("halving:20").effective_epochs(1000), 480U);
  EXPECT_EQ(parse_schedule("halving:20").effective_epochs(480), 480U);
  EXPECT_EQ(parse_schedule("halving:20").effective_epochs(479), 479U);
  EXPECT_EQ(parse_schedule("halving:1000000000").effective_epochs(1000), 1000U);
  for (const auto* name : {"constant", "cosine", "one-cycle"})
    EXPECT_EQ(parse_schedule(name).effective_epochs(1000), 1000U) << name;
}

TEST(Schedule, CosineGoesFromOneToZero) {
  const auto schedule = parse_schedule("cosine");
  EXPECT_EQ(schedule.factor(0, 10, 10), 1);
  EXPECT_NEAR(schedule.factor(25, 10, 10), (1 + std::numbers::sqrt2 / 2) / 2, 1e-15);
  EXPECT_NEAR(schedule.factor(50, 10, 10), 0.5, 1e-15);
  EXPECT_NEAR(schedule.factor(99, 10, 10), (1 + std::cos(0.99 * std::numbers::pi)) / 2, 1e-15);
}

TEST(Schedule, OneCycleRisesThenFalls) {
  const auto schedule = parse_schedule("one-cycle");
  const auto factor = [&](std::size_t step) { return schedule.factor(step, 10, 10); };
  EXPECT_NEAR(factor(0), 1.0 / 25, 1e-15);
  EXPECT_NEAR(factor(29), 1, 1e-15);  // 0.3 * 100 - 1
  EXPECT_NEAR(factor(99), 1 / 250000.0, 1e-15);
  EXPECT_NEAR(factor(64), (1 + 4e-6) / 2, 1e-15);  // halfway down from step 29 to step 99
  // Half a cosine from one value to another.
  const auto wave = [](double from, double to, double part) {
    return from + (to - from) * (1 - std::cos(std::numbers::pi * part)) / 2;
  };
  for (std::size_t step = 0; step < 100; ++step) {
    const auto x = static_cast<double>(step);
    const double expected = step <= 29 ? wave(1.0 / 25, 1, x / 29) : wave(1, 1 / 250000.0, (x - 29) / 70);
    EXPECT_NEAR(factor(step), expected, 1e-14) << step;
  }
}

TEST(Schedule, ASingleStepIsLegal) {
  for (const auto* name : {"constant", "halving:1", "cosine", "one-cycle"}) {
    const double factor = parse_schedule(name).factor(0, 1, 1);
    EXPECT_TRUE(factor > 0 && factor <= 1) << name << ' ' << factor;
  }
}

TEST(Schedule, MistakesAreSentences) {
  const auto sentence = [](const char* name) {
    return test::sentence_of([&] { static_cast<void>(parse_schedule(name)); });
  };
  EXPECT_NE(sentence("linear").find("one-cycle"), std::string::npos);
  EXPECT_NE(sentence("halving").find("halving:20"), std::string::npos);
  EXPECT_NE(sentence("halving:0").find("not '0'"), std::string::npos);
  EXPECT_NE(sentence("halving:2.5").find("2.5"), std::string::npos);
  EXPECT_NE(sentence("constant:3").find("constant stands alone, without ':3'."), std::string::npos);
}

}  // namespace
}  // namespace perslay::learn
