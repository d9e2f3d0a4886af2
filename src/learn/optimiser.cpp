#include <cmath>

#include <perslay/learn/optimiser.h>

namespace perslay::learn {

void Adam::step(std::span<float> weights, std::span<const float> gradients, double rate) {
  ++steps;
  const auto t = static_cast<double>(steps);
  const auto beta1 = static_cast<float>(options_.beta1);
  const auto beta2 = static_cast<float>(options_.beta2);
  const auto fresh1 = static_cast<float>(1 - options_.beta1);
  const auto fresh2 = static_cast<float>(1 - options_.beta2);
  const auto pace = static_cast<float>(rate / (1 - std::pow(options_.beta1, t)));
  const double corrected = 1 - std::pow(options_.beta2, t);
  const auto correction = static_cast<float>(1 / corrected);
  const auto epsilon =
      static_cast<float>(options_.epsilon_hat ? options_.epsilon / std::sqrt(corrected) : options_.epsilon);
  const auto coupled = static_cast<float>(options_.decoupled ? 0 : options_.weight_decay);
  const auto shrink = static_cast<float>(options_.decoupled ? 1 - rate * options_.weight_decay : 1);

  float* const m = first_.data();
  float* const v = second_.data();
  float* const w = weights.data();
  const float* const g = gradients.data();
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const float gradient = g[i] + coupled * w[i];
    m[i] = beta1 * m[i] + fresh1 * gradient;
    v[i] = beta2 * v[i] + fresh2 * gradient * gradient;
    w[i] = shrink * w[i] - pace * m[i] / (std::sqrt(v[i] * correction) + epsilon);
  }
}

void move_average(std::span<float> average, std::span<const float> weights, double decay) {
  const auto kept = static_cast<float>(decay);
  const auto fresh = static_cast<float>(1 - decay);
  for (std::size_t i = 0; i < average.size(); ++i) average[i] = kept * average[i] + fresh * weights[i];
}

}  // namespace perslay::learn
