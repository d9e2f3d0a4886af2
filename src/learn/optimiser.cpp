#include <perslay/learn/optimiser.h>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimiser.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
// clang-format on

#include <cmath>

#ifndef PERSLAY_LEARN_ADAM_STEP
#define PERSLAY_LEARN_ADAM_STEP
namespace perslay::learn {

/// The factors of one step.
struct AdamStep {
  float beta1, beta2, fresh1, fresh2, pace, correction, epsilon, coupled, shrink;
};

/// The arrays of a step.
struct AdamArrays {
  const float* gradient;
  float *first, *second, *weights;
};

}  // namespace perslay::learn
#endif

HWY_BEFORE_NAMESPACE();
namespace perslay::learn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many numbers as fill vectors; returns how many.
std::size_t adam_of_most(const AdamStep& step, const AdamArrays& arrays, std::size_t count) {
  const hn::ScalableTag<float> d;
  const auto set = [&](float number) HWY_ATTR { return hn::Set(d, number); };
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto weight = hn::LoadU(d, arrays.weights + i);
    const auto gradient = hn::MulAdd(set(step.coupled), weight, hn::LoadU(d, arrays.gradient + i));
    const auto first =
        hn::MulAdd(set(step.beta1), hn::LoadU(d, arrays.first + i), hn::Mul(set(step.fresh1), gradient));
    const auto second = hn::MulAdd(set(step.beta2), hn::LoadU(d, arrays.second + i),
                                   hn::Mul(hn::Mul(set(step.fresh2), gradient), gradient));
    hn::StoreU(first, d, arrays.first + i);
    hn::StoreU(second, d, arrays.second + i);
    const auto scale = hn::Add(hn::Sqrt(hn::Mul(second, set(step.correction))), set(step.epsilon));
    const auto move = hn::Div(hn::Mul(set(step.pace), first), scale);
    hn::StoreU(hn::MulSub(set(step.shrink), weight, move), d, arrays.weights + i);
  }
  return i;
}

}  // namespace perslay::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::learn {
namespace {

HWY_EXPORT(adam_of_most);

}  // namespace

void Adam::step(std::span<float> weights, std::span<const float> gradients, double rate) {
  ++steps;
  const auto t = static_cast<double>(steps);
  const double corrected = 1 - std::pow(options_.beta2, t);
  AdamStep step{};
  step.beta1 = static_cast<float>(options_.beta1);
  step.beta2 = static_cast<float>(options_.beta2);
  step.fresh1 = static_cast<float>(1 - options_.beta1);
  step.fresh2 = static_cast<float>(1 - options_.beta2);
  step.pace = static_cast<float>(rate / (1 - std::pow(options_.beta1, t)));
  step.correction = static_cast<float>(1 / corrected);
  step.epsilon =
      static_cast<float>(options_.epsilon_hat ? options_.epsilon / std::sqrt(corrected) : options_.epsilon);
  step.coupled = static_cast<float>(options_.decoupled ? 0 : options_.weight_decay);
  step.shrink = static_cast<float>(options_.decoupled ? 1 - rate * options_.weight_decay : 1);

  float* const m = first_.data();
  float* const v = second_.data();
  float* const w = weights.data();
  const float* const g = gradients.data();
  const auto done = HWY_DYNAMIC_DISPATCH(adam_of_most)(step, {g, m, v, w}, first_.size());
  for (std::size_t i = done; i < first_.size(); ++i) {
    const float gradient = g[i] + step.coupled * w[i];
    m[i] = step.beta1 * m[i] + step.fresh1 * gradient;
    v[i] = step.beta2 * v[i] + step.fresh2 * gradient * gradient;
    w[i] = step.shrink * w[i] - step.pace * m[i] / (std::sqrt(v[i] * step.correction) + step.epsilon);
  }
}

void move_average(std::span<float> average, std::span<const float> weights, double decay) {
  const auto kept = static_cast<float>(decay);
  const auto fresh = static_cast<float>(1 - decay);
  for (std::size_t i = 0; i < average.size(); ++i) average[i] = kept * average[i] + fresh * weights[i];
}

}  // namespace perslay::learn
#endif
