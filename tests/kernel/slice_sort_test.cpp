#include "slices.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>

namespace perslay::kernel {
namespace {

using Positions = std::vector<double>;

Positions draw(std::size_t count, const std::function<double(base::RandomStream&)>& position) {
  base::RandomStream random(50, count);
  Positions positions(count);
  for (double& x : positions) x = position(random);
  return positions;
}

/// Events are found again by their place.
void expect_sorted(const std::string& title, const Positions& positions) {
  std::vector<SliceEvent> events;
  for (std::size_t i = 0; i < positions.size(); ++i)
    events.push_back({key_of(positions[i]), static_cast<std::int64_t>(i), static_cast<std::int32_t>(i % 64),
                      i % 2 == 0 ? 1 : -1});
  auto sorted = positions;
  std::ranges::sort(sorted);
  SortMemory memory;
  sort_events(events, memory);
  ASSERT_EQ(events.size(), positions.size()) << title;
  std::vector<bool> seen(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto from = static_cast<std::size_t>(events[i].place);
    EXPECT_EQ(position_of(events[i].key), sorted[i]) << title;
    EXPECT_EQ(positions[from], sorted[i]) << title;
    EXPECT_EQ(events[i].lane, static_cast<std::int32_t>(from % 64)) << title;
    EXPECT_FALSE(seen[from]) << title;
    seen[from] = true;
  }
}

TEST(SliceSort, SortsWhateverTheSpacing) {
  const auto uniform = [](base::RandomStream& random) { return random.uniform() - 0.5; };
  for (const std::size_t count : {0U, 1U, 2U, 63U, 64U, 65U, 1000U, 20000U}) {
    auto positions = draw(count, uniform);
    expect_sorted("uniform", positions);
    std::ranges::sort(positions);
    expect_sorted("ascending", positions);
    std::ranges::reverse(positions);
    expect_sorted("descending", positions);
    expect_sorted("equal", Positions(count, 0.25));
    expect_sorted("few places",
                  draw(count, [](auto& random) { return static_cast<double>(random.below(5)) - 2; }));
    expect_sorted("all sizes", draw(count, [](auto& random) {
                    return std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(600)) - 300);
                  }));
    // One bucket takes nearly all.
    auto lonely = draw(count, uniform);
    if (!lonely.empty()) lonely.back() = 1e9;
    expect_sorted("one far away", lonely);
  }
}

}  // namespace
}  // namespace perslay::kernel
