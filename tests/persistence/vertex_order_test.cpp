#include "vertex_order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/data/generators.h>

namespace perslay::persistence {
namespace {

void expect_sorted(const std::vector<double>& values) {
  const auto n = static_cast<data::Vertex>(values.size());
  VertexOrder order;
  order.sort(data::path_graph(n), values);

  std::vector<data::Vertex> expected(values.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](data::Vertex a, data::Vertex b) {
    return values[static_cast<std::size_t>(a)] < values[static_cast<std::size_t>(b)];
  });
  ASSERT_TRUE(std::ranges::equal(order.vertices(), expected));
  for (std::size_t r = 0; r < values.size(); ++r) {
    EXPECT_EQ(order.ranks()[static_cast<std::size_t>(expected[r])], static_cast<Rank>(r));
    EXPECT_EQ(order.values()[r], values[static_cast<std::size_t>(expected[r])]);
  }
}

// Values that a quantisation to 32 bits could confuse: ties, tiny gaps beside a large range, ranges that
// overflow or are subnormal, both zeros. Sizes on both sides of the small graphs' method.
TEST(VertexOrder, IsTheStableOrderOfValues) {
  constexpr double huge = std::numeric_limits<double>::max();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::function<double(base::RandomStream&)>> families{
      [](auto& random) { return random.uniform(); },
      [](auto& random) { return random.normal() * 1e200; },
      [](auto& random) { return static_cast<double>(random.below(4)); },
      [](auto&) { return 0.25; },
      [](auto& random) { return random.below(2) == 0 ? 0.0 : -0.0; },
      [](auto& random) {
        return random.below(10) == 0 ? 1e9 : 1 + 1e-15 * static_cast<double>(random.below(20));
      },
      [](auto& random) { return random.uniform(-huge, -huge / 2) * (random.below(2) == 0 ? 1 : -1); },
      [](auto& random) { return tiny * static_cast<double>(random.below(50)); },
      [](auto& random) { return std::exp(-700 * random.uniform()); },
  };
  base::RandomStream random(11);
  for (const auto& draw : families) {
    for (const std::size_t n : {0U, 1U, 2U, 5U, 47U, 48U, 49U, 64U, 100U, 5000U}) {
      std::vector<double> values(n);
      for (double& value : values) value = draw(random);
      expect_sorted(values);
    }
  }
}

TEST(VertexOrder, CanBeReusedForGraphsOfAnySize) {
  VertexOrder order;
  for (const data::Vertex n : {100, 3, 60, 0, 200}) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.rbegin(), values.rend(), 0.0);
    order.sort(data::path_graph(n), values);
    ASSERT_EQ(order.size(), n);
    for (Rank r = 0; r < n; ++r) EXPECT_EQ(order.vertices()[static_cast<std::size_t>(r)], n - 1 - r);
  }
}

}  // namespace
}  // namespace perslay::persistence
