#include "runs.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <perslay/diagram/distance.h>

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

/// The tests of this file belong to section 3.1 of the paper; docs/theorems.md lists its theorems.
///
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

/// Section 3.1 of the paper prints: for phi(p) = varphi(p) |p - diagonal| and varphi 1-Lipschitz, the constant is 1.
/// It is 1 where the product is 1-Lipschitz, as the distance to the diagonal itself is.
TEST(Stability, TheDistanceToTheDiagonalHasTheConstantOne) {
  const Channel c{parse_point_transform("line:1"), {}, parse_weight("power:1"), parse_operation("sum")};
  const Matrix varphi_is_one{{0, 0}, {1}, {1}};
  double tightest = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    base::RandomStream random(13, i);
    const auto [a, b] = random_pair(random);
    const double difference = largest_difference(c, a, b, varphi_is_one), bound = d1(a, b, Norm::two);
    ASSERT_LE(difference, bound * (1 + 1e-12) + 1e-15);
    if (bound > 0) tightest = std::max(tightest, difference / bound);
  }
  EXPECT_GT(tightest, 0.999);
}

/// That varphi is 1-Lipschitz does not suffice for the constant 1.
TEST(Stability, LipschitzFactorsOfTheDistanceDoNotSuffice) {
  const Channel c{parse_point_transform("line:1"), {}, parse_weight("power:1"), parse_operation("sum")};
  const Bars point{{0, 1}}, near{{0, 1.01}}, none;
  const Matrix varphi_is_five{{0, 0}, {5}, {1}};
  EXPECT_NEAR(largest_difference(c, point, none, varphi_is_five), 5 * d1(point, none, Norm::two), 1e-12);
  // The distance to the diagonal has slope 1, its square twice the distance.
  const double slope = std::sqrt(0.5);
  const Matrix varphi_is_distance{{-slope, slope}, {0}, {1}};
  EXPECT_GT(largest_difference(c, point, near, varphi_is_distance), 0.99 * d1(point, near, Norm::two));
  EXPECT_GT(largest_difference(c, {{0, 4}}, {{0, 4.01}}, varphi_is_distance),
            3.9 * d1({{0, 4}}, {{0, 4.01}}, Norm::two));
}

/// A diagram near limit(): its points move by `shift` at most in each coordinate, and `crowd` points at distance e
/// from the diagonal come, with crowd * e^s = shift. So d_s^s is at most |limit()| (sqrt(2) shift)^s + shift.
Bars limit() { return {{0.1, 0.6}, {0.25, 0.5}, {0.3, 0.95}, {0.7, 0.75}}; }

Bars near_limit(double shift, std::size_t crowd, int s, base::RandomStream& random) {
  Bars bars = limit();
  for (Bar& bar : bars) {
    bar.birth -= shift * random.uniform();
    bar.death += shift * random.uniform();
  }
  const double e = std::pow(shift / static_cast<double>(crowd), 1.0 / s);
  bars.reserve(bars.size() + crowd);
  for (std::size_t i = 0; i < crowd; ++i) {
    const double birth = random.uniform();
    bars.push_back({birth, birth + e * std::sqrt(2.0)});
  }
  return bars;
}

double wasserstein(const Bars& a, const Bars& b, int s) {
  const auto points = [](const Bars& bars) {
    std::vector<diagram::Point> result;
    result.reserve(bars.size());
    for (const Bar& bar : bars) result.push_back({bar.birth, bar.death});
    return result;
  };
  const auto metric = diagram::parse_metric("wasserstein:" + std::to_string(s) + ":2");
  return diagram::distance(points(a), points(b), metric).value;
}

TEST(Stability, TheSequencesOfTheseTestsConverge) {
  for (const int s : {1, 2, 3})
    for (const double shift : {0.1, 0.01, 0.001}) {
      base::RandomStream random(16, static_cast<std::uint64_t>(s));
      const double bound = static_cast<double>(limit().size()) * std::pow(std::sqrt(2.0) * shift, s) + shift;
      const double distance = wasserstein(near_limit(shift, 300, s, random), limit(), s);
      EXPECT_LE(distance, std::pow(bound, 1.0 / s) * (1 + 1e-9)) << s << ' ' << shift;
      EXPECT_GT(distance, 0.3 * std::pow(bound, 1.0 / s)) << s << ' ' << shift;
    }
}

struct BoundedTransform {
  const char* name;
  double bound;  ///< Of |phi| on the diagrams in use.
};

/// With the weight power:s the sums converge for every phi that is continuous and bounded, and the crowd adds at most
/// sup |phi| * crowd * e^s.
TEST(Stability, PowerWeightsMakeContinuousBoundedTransformsContinuous) {
  const BoundedTransform transforms[] = {{"gaussian:6", 1},
                                         {"gaussian:3x3", 1},
                                         {"hofer:6", 1},
                                         {"exponential:6", 1},
                                         {"rational:6", 1},
                                         {"rational-hat:6", 1},
                                         {"rational-hat:6:norm=2", 1},
                                         {"flat:6", 1},
                                         {"triangle:6", 1},
                                         {"line:6", 4},
                                         {"mixture:triangle+gaussian:6", 1}};
  for (const auto& [phi, bound] : transforms)
    for (const int s : {1, 2, 3}) {
      SCOPED_TRACE(std::string(phi) + " " + std::to_string(s));
      base::RandomStream random(14, static_cast<std::uint64_t>(s));
      const Channel c{
          parse_point_transform(phi), {}, parse_weight("power:" + std::to_string(s)), parse_operation("sum")};
      auto parameters = random_parameters(random, c);
      parameters.back() = {1};
      std::size_t crowd = 100;
      for (const double shift : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
        const Bars bars = near_limit(shift, crowd, s, random);
        const Bars moved(bars.begin(), bars.begin() + static_cast<std::ptrdiff_t>(limit().size()));
        EXPECT_LE(largest_difference(c, bars, moved, parameters), bound * shift * (1 + 1e-9));
        const double difference = largest_difference(c, bars, limit(), parameters);
        EXPECT_LT(difference, 10 * shift);
        EXPECT_GT(difference, 0.01 * shift);
        crowd *= 4;
      }
    }
}

/// What does not vanish on the diagonal, or vanishes more slowly than the power s, does not converge.
TEST(Stability, OtherWeightsAreNotContinuous) {
  for (const int s : {1, 2, 3})
    for (const char* weight : {"one", "constant", "grid:4x4", "gmix:2", "power:0.5", "power:1", "power:2"}) {
      const Channel c{parse_point_transform("gaussian:1"), {}, parse_weight(weight), parse_operation("sum")};
      if (c.weight.type == layer::Weight::Type::power && c.weight.exponent >= s) continue;
      SCOPED_TRACE(std::string(weight) + " " + std::to_string(s));
      base::RandomStream random(15, static_cast<std::uint64_t>(s));
      auto parameters = random_parameters(random, c);
      parameters[0] = {0.5, 0};
      parameters[1] = {1};
      double last = 0.05;
      std::size_t crowd = 100;
      for (const double shift : {0.1, 0.05, 0.025, 0.0125}) {
        const double difference =
            largest_difference(c, near_limit(shift, crowd, s, random), limit(), parameters);
        EXPECT_GT(difference, last);
        last = difference;
        crowd *= 8;
      }
    }
}

/// A phi that is not bounded: one point that runs away along the diagonal comes as close to it as one wants, and
/// counts as much as ever. On a bounded region `line` is bounded.
TEST(Stability, UnboundedTransformsAreNotContinuous) {
  const auto at = [](const char* phi, double x) {
    const Channel c{parse_point_transform(phi), {}, parse_weight("power:1"), parse_operation("sum")};
    const Matrix parameters = c.phi.type == layer::PointTransform::Type::line
                                  ? Matrix{{1, 0}, {0}, {1}}
                                  : Matrix{{x, 0}, {1}, {1}};  // the centre follows the point
    return LayerRun<double>(c, {Bars{{x, x + std::sqrt(2.0) / x}}}, parameters).forward()[0];
  };
  for (const double x : {1e1, 1e3, 1e5}) {
    EXPECT_NEAR(at("line:1", x), 1, 1e-5);
    EXPECT_LT(at("gaussian:1", x), 1.01 / x);
  }
}

/// A phi that is not continuous: a bar begins to hold a sample, however little it moves.
TEST(Stability, BettiCurvesAreNotContinuous) {
  const Channel c{parse_point_transform("betti:1"), {}, parse_weight("power:1"), parse_operation("sum")};
  const Bars bars{{0.2, 0.6}};
  const Matrix parameters{{0.6}, {1}};
  for (const double shift : {1e-3, 1e-6, 1e-9}) {
    const Bars moved{{0.2, 0.6 + shift}};
    EXPECT_LE(d1(bars, moved, Norm::two), shift * (1 + 1e-6));
    EXPECT_GT(largest_difference(c, bars, moved, parameters), 0.28);
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
