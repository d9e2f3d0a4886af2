#include "campaign/families.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

namespace perslay::campaign {
namespace {

using Numbers = std::vector<int>;

Numbers draw(base::RandomStream& random) {
  Numbers numbers(10);
  for (int& number : numbers) number = static_cast<int>(random.below(10));
  return numbers;
}

/// Wrong if there are a 3 and a 7; throws at a 9.
std::string fault(const Numbers& numbers) {
  const auto has = [&](int number) { return std::ranges::find(numbers, number) != numbers.end(); };
  if (has(9)) throw std::runtime_error("nine");
  return has(3) && has(7) ? "3 and 7" : "";
}

std::string text(const Numbers& numbers) {
  std::string all;
  for (const int number : numbers) all += std::to_string(number);
  return all;
}

/// What goes wrong is found, whichever way, and made as small as it can be.
TEST(Campaign, FailuresAreMadeSmall) {
  const auto numbers = family<Numbers>("numbers", "nothing", 1, {draw, fault, with_one_less<Numbers>, text});
  int threw = 0, said = 0, right = 0;
  for (std::uint64_t item = 0; item < 200; ++item) {
    base::RandomStream random(1, item);
    const auto failure = numbers.check(random);
    if (!failure) {
      ++right;
    } else if (failure->sentence == "It throws: nine") {
      EXPECT_EQ(failure->text, "9");
      EXPECT_EQ(failure->steps, 9U);
      ++threw;
    } else {
      EXPECT_EQ(failure->sentence, "3 and 7");
      EXPECT_TRUE(failure->text == "37" || failure->text == "73") << failure->text;
      ++said;
    }
  }
  EXPECT_GT(threw, 50);
  EXPECT_GT(said, 5);
  EXPECT_GT(right, 20);
}

/// Some cases of every family; `scripts/campaign oracles` checks millions.
TEST(Campaign, LibraryAgreesWithItsOracles) {
  for (const auto& family : families())
    for (std::uint64_t item = 0; item < 50 * family.share; ++item) {
      base::RandomStream random(0, item);
      const auto failure = family.check(random);
      ASSERT_FALSE(failure) << family.name << ", case " << item << ": " << failure->sentence << '\n'
                            << failure->text;
    }
}

}  // namespace
}  // namespace perslay::campaign
