#include "../../src/learn/learners.h"
#include "../../src/learn/network_data.h"
#include "../../src/learn/network_training.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

/// Five items of three classes that have two numbers each and no diagrams. A network without hidden layers is
/// one dense layer on them, so all that a step computes has a closed form.
struct Numbers {
  static constexpr std::size_t count = 5, columns = 2, classes = 3;
  const std::vector<float> values{0.5F, -1, 2, 0.25F, -0.75F, 1.5F, 1, 1, -0.5F, 0.125F};
  const std::vector<std::size_t> rows{0, 1, 2, 3, 4};
  features::Items items;
  Settings settings;
  Preparation preparation;

  Numbers() {
    items.classes = {"a", "b", "c"};
    items.labels = {0, 1, 2, 1, 0};
    items.sizes.resize(count, {1});
    items.blocks = {{"eigenvalues", values, {0, 2, 4, 6, 8, 10}}};
    settings.features.names = {"eigenvalues"};
    settings.network.use_diagrams = false;
    settings.training.rate = 0.1;
    settings.training.epsilon = 0.05;  // not small beside the gradients
    preparation = Preparation::fit(items, rows, settings);
  }

  [[nodiscard]] Part part() const { return {items, rows, preparation}; }
};

struct Loss {
  double value = 0;
  std::vector<double> gradients{};  ///< Of the dense layer's weight [classes, columns] and bias [classes].
};

/// The mean cross entropy of softmax(W x + b) and (1 - smoothing) [the item's class] + smoothing / classes.
Loss loss_by_hand(const Numbers& numbers, const std::vector<double>& weights, double smoothing) {
  constexpr auto columns = Numbers::columns, classes = Numbers::classes, bias = classes * columns;
  Loss loss{0, std::vector<double>(weights.size())};
  for (std::size_t i = 0; i < Numbers::count; ++i) {
    const float* const x = &numbers.values[i * columns];
    std::vector<double> shares(classes);
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double* const w = &weights[c * columns];
      shares[c] = std::exp(w[0] * x[0] + w[1] * x[1] + weights[bias + c]);
      sum += shares[c];
    }
    for (std::size_t c = 0; c < classes; ++c) {
      const double share = shares[c] / sum;
      const bool own = numbers.items.labels[i] == static_cast<int>(c);
      const double target = (own ? 1 - smoothing : 0) + smoothing / classes;
      loss.value -= target * std::log(share) / Numbers::count;
      const double slope = (share - target) / Numbers::count;
      for (std::size_t j = 0; j < columns; ++j) loss.gradients[c * columns + j] += slope * x[j];
      loss.gradients[bias + c] += slope;
    }
  }
  return loss;
}

/// The dense layer's weight and bias.
std::vector<double> weights_of(NetworkTraining& training) {
  std::vector<double> all;
  for (const auto& array : training.arrays())
    if (array.name.starts_with("now.")) all.insert(all.end(), array.values.begin(), array.values.end());
  return all;
}

/// Makes the first step of training, on all items at once, and compares it with `moved(weight, gradient)`.
void expect_step(const Numbers& numbers, const std::function<double(double, double)>& moved) {
  const NetworkData batches(numbers.part(), numbers.settings, {});
  NetworkTraining training(numbers.settings, batches, 1, 1);
  const auto before = weights_of(training);
  ASSERT_EQ(before.size(), Numbers::classes * (Numbers::columns + 1));
  const double loss = training.epoch(0, {}).loss;
  const auto after = weights_of(training);
  const auto by_hand = loss_by_hand(numbers, before, numbers.settings.training.label_smoothing);
  EXPECT_NEAR(loss, by_hand.value, 1e-6);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(after[i], moved(before[i], by_hand.gradients[i]), 1e-6) << i;
}

/// Adam's first step: after their corrections its moments are g and g^2.
double adam(double weight, double gradient, double epsilon = 0.05) {
  return weight - 0.1 * gradient / (std::abs(gradient) + epsilon);
}

TEST(TrainingStep, IsAdams) {
  expect_step(Numbers(), [](double w, double g) { return adam(w, g); });
}

TEST(TrainingStep, SmoothsLabels) {
  Numbers numbers;
  numbers.settings.training.label_smoothing = 0.3;
  expect_step(numbers, [](double w, double g) { return adam(w, g); });
}

TEST(TrainingStep, WeightDecayOfAdamIsAddedToTheGradient) {
  Numbers numbers;
  numbers.settings.training.weight_decay = 0.2;
  expect_step(numbers, [](double w, double g) { return adam(w, g + 0.2 * w); });
}

TEST(TrainingStep, WeightDecayOfAdamwShrinksTheWeights) {
  Numbers numbers;
  numbers.settings.training.optimiser = "adamw";
  numbers.settings.training.weight_decay = 0.2;
  expect_step(numbers, [](double w, double g) { return adam(w * (1 - 0.1 * 0.2), g); });
}

TEST(TrainingStep, EpsilonOfTensorflowsAdamIsNotCorrected) {
  Numbers numbers;
  numbers.settings.training.optimiser = "adam-tf";
  expect_step(numbers, [](double w, double g) { return adam(w, g, 0.05 / std::sqrt(1 - 0.999)); });
}

/// Softmax of dense1(relu(gamma (x - running mean) / sqrt(running variance + 1e-5) + beta)), x = dense0(...).
std::vector<double> probabilities_by_hand(const Numbers& numbers, const std::vector<io::NamedArray>& arrays) {
  const auto array = [&](const std::string& name) {
    return std::ranges::find(arrays, "net0." + name, &io::NamedArray::name)->values;
  };
  const auto dense = [&](const std::string& name, const std::vector<double>& x) {
    const auto weight = array(name + ".weight"), bias = array(name + ".bias");
    std::vector<double> y(bias.begin(), bias.end());
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += static_cast<double>(weight[i * x.size() + j]) * x[j];
    return y;
  };
  const auto gamma = array("norm0.weight"), beta = array("norm0.bias"), mean = array("norm0.running_mean"),
             variance = array("norm0.running_var");
  std::vector<double> all;
  for (std::size_t i = 0; i < Numbers::count; ++i) {
    auto x = dense("dense0", {numbers.values[2 * i], numbers.values[2 * i + 1]});
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = std::max(0.0, gamma[j] * (x[j] - mean[j]) / std::sqrt(variance[j] + 1e-5) + beta[j]);
    const auto logits = dense("dense1", x);
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit);
    for (const double logit : logits) all.push_back(std::exp(logit) / sum);
  }
  return all;
}

TEST(Training, ModelsNormWithRunningMomentsNotWithThoseOfABatch) {
  Numbers numbers;
  numbers.settings.network.hidden = {6};
  numbers.settings.network.batch_norm = true;
  numbers.settings.training.epochs = 20;
  const auto learner = make_network_learner(numbers.settings);
  const auto fitted = learner->fit(numbers.part(), {}, {}).model;
  const auto arrays = fitted->arrays();
  const auto loaded = learner->load(numbers.part(), arrays);
  const auto expected = probabilities_by_hand(numbers, arrays);
  for (const auto* model : {fitted.get(), loaded.get()}) {
    const auto all = model->probabilities(numbers.part(), {});
    ASSERT_EQ(all.size(), expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], expected[i], 1e-5) << i;
  }
}

}  // namespace
}  // namespace perslay::learn
