#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perslay::learn {

/// Adam (Kingma and Ba 2015, algorithm 1) on all parameters of a model as one flat array:
/// m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
/// w -= rate m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon).
/// With `epsilon_hat` it is Kingma and Ba's other form, which TensorFlow has: sqrt(1 - beta2^t) is multiplied
/// into the rate, and epsilon added to sqrt(v) itself. In early steps epsilon then counts for more. Weight
/// decay is added to the gradient or, decoupled (AdamW, Loshchilov and Hutter 2019), shrinks the weights by
/// rate * decay before the step.
struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;
  bool epsilon_hat = false;
};

class Adam {
 public:
  Adam(std::size_t parameters, const AdamOptions& options)
      : options_(options), first_(parameters), second_(parameters) {}

  /// One step; O(parameters).
  void step(std::span<float> weights, std::span<const float> gradients, double rate);

  /// The state, to be kept and restored: moments of the gradients, and the steps made.
  std::span<float> first() noexcept { return first_; }
  std::span<float> second() noexcept { return second_; }
  std::uint64_t steps = 0;

 private:
  AdamOptions options_;
  std::vector<float> first_;
  std::vector<float> second_;
};

/// average = decay average + (1 - decay) weights.
void move_average(std::span<float> average, std::span<const float> weights, double decay);

}  // namespace perslay::learn
