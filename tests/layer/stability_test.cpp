#include "runs.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using layer::Channel;
using layer::parse_operation;
using layer::parse_point_transform;
using layer::parse_weight;

enum class Norm { two, infinity };

double distance(const Bar& a, const Bar& b, Norm norm) {
  const double x = std::abs(a.birth - b.birth), y = std::abs(a.death - b.death);
  return norm == Norm::two ? std::hypot(x, y) : std::max(x, y);
}

double to_diagonal(const Bar& a, Norm norm) {
  return std::abs(a.death - a.birth) / (norm == Norm::two ? std::sqrt(2.0) : 2.0);
}

/// d_1 by trying every matching: each point goes to a point of the other diagram or to the diagonal.
double d1(const Bars& a, const Bars& b, Norm norm) {
  const std::size_t size = a.size() + b.size();
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  double best = std::numeric_limits<double>::infinity();
  do {
    double cost = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t j = order[i];
      if (i < a.size() && j < b.size()) cost += distance(a[i], b[j], norm);
      if (i < a.size() && j >= b.size()) cost += to_diagonal(a[i], norm);
      if (i >= a.size() && j < b.size()) cost += to_diagonal(b[j], norm);
    }
    best = std::min(best, cost);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

double largest_difference(const Channel& channel, const Bars& a, const Bars& b, const Matrix& parameters) {
  const auto out = LayerRun<double>(channel, {a, b}, parameters).forward();
  double largest = 0;
  for (std::size_t j = 0; j < channel.size(); ++j)
    largest = std::max(largest, std::abs(out[j] - out[channel.size() + j]));
  return largest;
}

/// Two diagrams, sometimes close to each other, sometimes not.
std::pair<Bars, Bars> random_pair(base::RandomStream& random) {
  const Bars a = random_bars(random, 1 + random.below(4));
  Bars b = random_bars(random, random.below(4));
  if (random.below(2) == 0) {
    const double shift = std::pow(10.0, random.uniform(-6, -0.5));
    b.assign(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, a.size())));
    for (Bar& bar : b) {
      bar.birth += shift * random.uniform(-1, 1);
      bar.death = std::max(bar.birth, bar.death + shift * random.uniform(-1, 1));
    }
  }
  return {a, b};
}

/// Tents are 1-Lipschitz for the maximum norm and vanish on the diagonal, so their sum is 1-Lipschitz for
/// d_1.
TEST(Stability, SumsOfTentsAreLipschitz) {
  const Channel c{parse_point_transform("triangle:40"), {}, parse_weight("one"), parse_operation("sum")};
  double tightest = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    base::RandomStream random(11, i);
    const auto [a, b] = random_pair(random);
    const auto parameters = random_parameters(random, c);
    const double difference = largest_difference(c, a, b, parameters), bound = d1(a, b, Norm::infinity);
    ASSERT_LE(difference, bound * (1 + 1e-12) + 1e-15);
    if (bound > 0) tightest = std::max(tightest, difference / bound);
  }
  EXPECT_GT(tightest, 0.9);  // a bound far from sharp would show nothing
}

/// With phi bounded by M and L-Lipschitz, and the distance to the diagonal, at most R, as weight: M + L R.
TEST(Stability, TheDistanceWeightMakesBoundedLipschitzFunctionsStable) {
  struct Case {
    const char* phi;
    double bound, lipschitz;
  };
  // (b, d) -> (b, d - b) stretches by the golden ratio; exp(-s^2 r^2) has slope s sqrt(2/e) at most.
  const double sharpness = 3, golden = (1 + std::sqrt(5.0)) / 2;
  const Case cases[] = {{"gaussian:30", 1, golden * sharpness * std::sqrt(2 / std::numbers::e)},
                        {"triangle:30", 0.5, 1}};
  for (const auto& [phi, bound, lipschitz] : cases) {
    SCOPED_TRACE(phi);
    const Channel c{parse_point_transform(phi), {}, parse_weight("power:1"), parse_operation("sum")};
    double tightest = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      base::RandomStream random(12, i);
      const auto [a, b] = random_pair(random);
      auto parameters = random_parameters(random, c);
      parameters.back() = {1};
      if (c.phi.type == layer::PointTransform::Type::gaussian) parameters[1] = {sharpness};
      double reach = 0;
      for (const Bars& bars : {a, b})
        for (const Bar& bar : bars) reach = std::max(reach, to_diagonal(bar, Norm::two));
      const double difference = largest_difference(c, a, b, parameters), d = d1(a, b, Norm::two);
      ASSERT_LE(difference, (bound + lipschitz * reach) * d * (1 + 1e-12) + 1e-15);
      if (d > 0) tightest = std::max(tightest, difference / ((bound + lipschitz * reach) * d));
    }
    EXPECT_GT(tightest, 0.1);
  }
}

/// n points at distance e from the diagonal: d_s to the empty diagram is n^(1/s) e. As that goes to 0, so
/// must a vectorization that is continuous for d_s; that with weight 1 does not.
TEST(Stability, PowerWeightsAreContinuousAtTheDiagonalAndOthersAreNot) {
  for (const int s : {1, 2}) {
    const auto at_distance = [&](const char* weight, std::size_t n) {
      const double e = std::pow(1.0 / static_cast<double>(n), 1.0 / s) / std::log(static_cast<double>(n));
      const Channel c{parse_point_transform("gaussian:1"), {}, parse_weight(weight), parse_operation("sum")};
      Matrix parameters{{0.5, 0}, {1}};
      for (const auto& shape : c.weight.parameters()) parameters.emplace_back(shape.size(), 1.0);
      return LayerRun<double>(c, {Bars(n, Bar{0.5, 0.5 + e * std::sqrt(2.0)})}, parameters).forward()[0];
    };
    const std::string power = "power:" + std::to_string(s);
    EXPECT_LT(at_distance(power.c_str(), 1'000'000), 0.1);
    EXPECT_LT(at_distance(power.c_str(), 1'000'000), 0.8 * at_distance(power.c_str(), 1000));
    EXPECT_GT(at_distance("one", 1'000'000), 1e5);
    EXPECT_GT(at_distance("grid:4x4", 1'000'000), 1e5);
  }
}

TEST(Stability, GridWeightsJumpAtCellBorders) {
  const Channel c{
      parse_point_transform("gaussian:1"), {}, parse_weight("grid:2x1:low=0:high=1"), parse_operation("sum")};
  const Matrix parameters{{0.5, 0.4}, {1}, {1, 3}};
  const Bars below{{std::nextafter(0.5, 0), 0.9}}, above{{0.5, 0.9}};
  EXPECT_GT(largest_difference(c, below, above, parameters), 1.9);
}

}  // namespace
}  // namespace perslay::test
