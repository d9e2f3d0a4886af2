#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/learn/optimiser.h>

namespace perslay::learn {
namespace {

TEST(Adam, AConstantGradientMovesByTheRateTimesItsSign) {
  // Both moments are then exact after correction: m = g, v = g^2.
  const std::vector<float> gradients{2, -0.5F, 1e-3F, 0};
  AdamOptions options;
  options.epsilon = 1e-4;
  Adam adam(4, options);
  std::vector<float> weights{1, 1, 1, 1};
  for (int t = 1; t <= 50; ++t) adam.step(weights, gradients, 0.01);
  for (std::size_t i = 0; i < 4; ++i) {
    const double g = gradients[i];
    EXPECT_NEAR(weights[i], 1 - 50 * 0.01 * g / (std::abs(g) + 1e-4), 2e-5) << i;
  }
  EXPECT_EQ(adam.steps, 50U);
}

TEST(Adam, DecoupledDecayShrinksWhatHasNoGradient) {
  AdamOptions options;
  options.weight_decay = 0.05;
  options.decoupled = true;
  Adam adam(1, options);
  std::vector<float> weights{3};
  for (int t = 0; t < 40; ++t) adam.step(weights, std::vector<float>{0}, 0.1);
  EXPECT_NEAR(weights[0], 3 * std::pow(1 - 0.1 * 0.05, 40), 1e-5);
}

TEST(Adam, CoupledDecayActsThroughTheGradient) {
  AdamOptions with, without;
  with.weight_decay = 0.3;
  Adam decaying(1, with), plain(1, without);
  std::vector<float> a{2}, b{2};
  base::RandomStream random(7);
  for (int t = 0; t < 30; ++t) {
    const auto g = static_cast<float>(random.normal());
    const std::vector<float> sum{g + 0.3F * b[0]};
    decaying.step(a, std::vector<float>{g}, 0.02);
    plain.step(b, sum, 0.02);
    EXPECT_NEAR(a[0], b[0], 1e-6);
  }
}

TEST(Adam, FollowsItsDefinition) {
  base::RandomStream random(3);
  AdamOptions options;
  options.beta1 = 0.8;
  options.beta2 = 0.95;
  options.epsilon = 1e-3;
  Adam adam(1, options);
  std::vector<float> weights{0.5F};
  double w = 0.5, m = 0, v = 0;
  for (int t = 1; t <= 200; ++t) {
    const auto g = static_cast<float>(random.normal());
    const double rate = 0.05 / t;
    adam.step(weights, std::vector<float>{g}, rate);
    m = 0.8 * m + 0.2 * g;
    v = 0.95 * v + 0.05 * g * g;
    w -= rate * m / (1 - std::pow(0.8, t)) / (std::sqrt(v / (1 - std::pow(0.95, t))) + 1e-3);
    ASSERT_NEAR(weights[0], w, 1e-5) << t;
  }
}

TEST(Adam, EpsilonHatIsAddedBeforeTheCorrection) {
  base::RandomStream random(4);
  AdamOptions options;
  options.epsilon = 1e-2;
  options.epsilon_hat = true;
  Adam adam(1, options);
  std::vector<float> weights{0.5F};
  double w = 0.5, m = 0, v = 0;
  for (int t = 1; t <= 100; ++t) {
    const auto g = static_cast<float>(0.1 * random.normal());
    adam.step(weights, std::vector<float>{g}, 0.01);
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    w -= 0.01 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)) * m / (std::sqrt(v) + 1e-2);
    ASSERT_NEAR(weights[0], w, 1e-5) << t;
  }
}

TEST(Average, FollowsItsClosedForm) {
  std::vector<float> average{1, -2};
  const std::vector<float> weights{5, 5};
  for (int t = 1; t <= 30; ++t) {
    move_average(average, weights, 0.9);
    EXPECT_NEAR(average[0], 5 - 4 * std::pow(0.9, t), 1e-5);
    EXPECT_NEAR(average[1], 5 - 7 * std::pow(0.9, t), 1e-5);
  }
}

}  // namespace
}  // namespace perslay::learn
