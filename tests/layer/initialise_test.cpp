#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/layer/initialise.h>

namespace perslay::layer {
namespace {

constexpr auto ours = Initialisation::ours;
constexpr auto authors = Initialisation::authors;

Channel channel_of(const char* phi, const char* weight = "one") {
  return {parse_point_transform(phi), {}, parse_weight(weight), {}};
}

std::vector<double> array_of(const Channel& channel, const std::string& name, Initialisation initialisation,
                             std::uint64_t seed = 7) {
  const auto shapes = channel.parameters();
  const auto arrays = initial_parameters(channel, initialisation, seed);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].name == name) return arrays.at(i);
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-15) << i;
}

/// All in [low, high), spread over it, and no two the same.
void expect_uniform(std::vector<double> numbers, double low, double high) {
  double sum = 0;
  for (const double x : numbers) {
    EXPECT_GE(x, low);
    EXPECT_LT(x, high);
    sum += x;
  }
  const double spread = (high - low) / std::sqrt(12.0 * static_cast<double>(numbers.size()));
  EXPECT_NEAR(sum / static_cast<double>(numbers.size()), (low + high) / 2, 5 * spread);
  std::ranges::sort(numbers);
  EXPECT_EQ(std::ranges::adjacent_find(numbers), numbers.end());
}

std::vector<Channel> many_channels() {
  std::vector<Channel> channels;
  for (const auto* phi : {"gaussian:4x3", "gaussian:5", "gaussian:5:widths=each", "triangle:5", "line:5",
                          "hofer:5", "betti:5", "flat:5", "entropy:5", "flat-entropy:5", "exponential:5",
                          "rational:5", "rational-hat:5", "mixture:triangle+gaussian:2x3+line:6"})
    for (const auto* weight : {"one", "constant", "grid:3x4", "power:1", "gmix:3"}) {
      channels.push_back(channel_of(phi, weight));
      channels.push_back(channels.back());
      channels.back().equivariant = {{7, Pool::none}, {3, Pool::max}};
    }
  return channels;
}

TEST(Initialise, EveryParameterGetsAnArrayOfItsSize) {
  for (const auto& channel : many_channels())
    for (const auto initialisation : {ours, authors}) {
      const auto shapes = channel.parameters();
      const auto arrays = initial_parameters(channel, initialisation, 1);
      ASSERT_EQ(arrays.size(), shapes.size()) << channel.name();
      for (std::size_t i = 0; i < arrays.size(); ++i) {
        EXPECT_EQ(arrays[i].size(), shapes[i].size()) << channel.name() << ' ' << shapes[i].name;
        EXPECT_TRUE(std::ranges::all_of(arrays[i], [](double x) { return std::isfinite(x); }));
      }
    }
}

TEST(Initialise, TheSeedDecides) {
  for (const auto& channel : many_channels())
    EXPECT_EQ(initial_parameters(channel, ours, 3), initial_parameters(channel, ours, 3)) << channel.name();
  const auto channel = channel_of("gaussian:50");
  EXPECT_NE(initial_parameters(channel, ours, 3), initial_parameters(channel, ours, 4));
}

TEST(Initialise, NoTwoArraysRepeatEachOther) {
  Channel channel = channel_of("line:8");
  channel.equivariant = {{8, Pool::max}, {8, Pool::max}};
  for (const auto initialisation : {ours, authors}) {
    const auto lambda = array_of(channel, "equivariant.0.lambda", initialisation);
    for (const auto* other : {"equivariant.0.gamma", "equivariant.1.lambda", "equivariant.1.gamma"})
      EXPECT_NE(array_of(channel, other, initialisation), lambda);
  }
}

TEST(Initialise, SamplesAndGridsAreEvenlySpaced) {
  expect_near(array_of(channel_of("triangle:5"), "phi.samples", ours), {0, 0.25, 0.5, 0.75, 1});
  expect_near(array_of(channel_of("betti:2"), "phi.samples", authors), {0, 1});
  expect_near(array_of(channel_of("flat:1"), "phi.samples", ours), {0.5});
  expect_near(array_of(channel_of("gaussian:3x2"), "phi.births", ours), {0, 0.5, 1});
  expect_near(array_of(channel_of("gaussian:3x2"), "phi.persistences", ours), {0, 1});
  expect_near(array_of(channel_of("gaussian:3x2"), "phi.births", authors), {-0.001, 0.5, 1.001});
  expect_near(array_of(channel_of("gaussian:3x2"), "phi.persistences", authors), {-0.001, 1.001});
}

TEST(Initialise, WidthsAreOneSpacing) {
  const auto sigma = [](const char* phi, Initialisation initialisation) {
    return 1 / (std::numbers::sqrt2 * array_of(channel_of(phi), "phi.sharpness", initialisation).front());
  };
  EXPECT_NEAR(sigma("gaussian:11x11", ours), 0.1, 1e-15);
  EXPECT_NEAR(sigma("gaussian:11x6", ours), 0.2, 1e-15);
  EXPECT_NEAR(sigma("gaussian:1x1", ours), 1, 1e-15);
  EXPECT_NEAR(sigma("gaussian:21x21", ours), 0.05, 1e-15);
  EXPECT_NEAR(sigma("gaussian:101x101", ours), 0.05, 1e-15);
  EXPECT_NEAR(sigma("gaussian:25", ours), 0.2, 1e-15);
  EXPECT_NEAR(sigma("hofer:25", ours), 0.2, 1e-15);
  EXPECT_NEAR(sigma("exponential:2500", ours), 0.05, 1e-15);
  EXPECT_NEAR(sigma("gaussian:21x21", authors), 0.2357, 1e-4);
  EXPECT_EQ(array_of(channel_of("gaussian:21x21"), "phi.sharpness", authors), std::vector<double>{3});
  for (const auto* phi :
       {"gaussian:5:sigma=0.03", "gaussian:5x5:sigma=0.03", "hofer:5:sigma=0.03", "exponential:5:sigma=0.03"})
    for (const auto initialisation : {ours, authors})
      EXPECT_NEAR(sigma(phi, initialisation), 0.03, 1e-15) << phi;
}

TEST(Initialise, CentresFillTheUnitSquare) {
  for (const auto* phi : {"gaussian:500", "hofer:500", "exponential:500", "rational:500", "rational-hat:500"})
    expect_uniform(array_of(channel_of(phi), "phi.centres", ours), 0, 1);
}

TEST(Initialise, RationalOnesAreAsWideAsGaussians) {
  EXPECT_EQ(array_of(channel_of("rational:4"), "phi.sharpness", ours), std::vector<double>(8, 2));
  EXPECT_EQ(array_of(channel_of("rational:4"), "phi.exponent", ours), std::vector<double>(4, 2));
  EXPECT_EQ(array_of(channel_of("rational-hat:4"), "phi.radius", ours), std::vector<double>(4, 1));
  EXPECT_EQ(array_of(channel_of("flat:4"), "phi.steepness", ours), std::vector<double>{50});
}

TEST(Initialise, LinesSpreadOverTheHalfCircle) {
  const double half = std::numbers::sqrt2 / 2;
  expect_near(array_of(channel_of("line:4"), "phi.directions", ours), {0, -1, half, -half, 1, 0, half, half});
  EXPECT_EQ(array_of(channel_of("line:4"), "phi.bias", ours), std::vector<double>(4, 0));
  expect_uniform(array_of(channel_of("line:400"), "phi.directions", authors), 0, 1);
  expect_uniform(array_of(channel_of("line:400"), "phi.bias", authors), 0, 1);
}

TEST(Initialise, MixturesBeginWithEqualShares) {
  const auto channel = channel_of("mixture:triangle+line:3");
  EXPECT_EQ(array_of(channel, "phi.logits", ours), std::vector<double>(2, 0));
  expect_near(array_of(channel, "phi.0.samples", ours), {0, 0.5, 1});
}

TEST(Initialise, EquivariantLayersAreUniform) {
  Channel channel = channel_of("line:100");
  channel.equivariant = {{20, Pool::max}};
  for (const auto* name : {"equivariant.0.lambda", "equivariant.0.gamma"}) {
    expect_uniform(array_of(channel, name, ours), -0.1, 0.1);
    expect_uniform(array_of(channel, name, authors), 0, 1);
  }
  EXPECT_EQ(array_of(channel, "equivariant.0.bias", ours), std::vector<double>(20, 0));
  expect_uniform(array_of(channel, "equivariant.0.bias", authors), 0, 1);
}

TEST(Initialise, WeightsBeginAtOne) {
  for (const auto initialisation : {ours, authors}) {
    EXPECT_EQ(array_of(channel_of("line:1", "grid:3x2"), "weight.cells", initialisation),
              std::vector<double>(6, 1));
    EXPECT_EQ(array_of(channel_of("line:1", "power:2"), "weight.constant", initialisation),
              std::vector<double>{1});
    EXPECT_EQ(array_of(channel_of("line:1", "gmix:4"), "weight.amplitudes", initialisation),
              std::vector<double>(4, 0.25));
    expect_near(array_of(channel_of("line:1", "gmix:2"), "weight.sharpness", initialisation),
                std::vector<double>(4, 2 * std::numbers::sqrt2));
    expect_uniform(array_of(channel_of("line:1", "gmix:400"), "weight.centres", initialisation), 0, 1);
  }
}

TEST(Initialise, HasTwoNames) {
  EXPECT_EQ(parse_initialisation("ours"), ours);
  EXPECT_EQ(parse_initialisation("authors"), authors);
  try {
    (void)parse_initialisation("theirs");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_STREQ(error.what(),
                 "There is no initialisation called 'theirs'; the known ones are ours, authors.");
  }
}

}  // namespace
}  // namespace perslay::layer
