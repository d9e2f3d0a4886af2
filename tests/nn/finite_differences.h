#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include <torch/torch.h>

#include <perslay/nn/ragged_batch.h>

namespace perslay::test {

/// A smooth number that depends on every point of a batch, on which diagram it is in, and not on the order of
/// points.
inline torch::Tensor smooth_sum(const nn::RaggedBatch& batch) {
  const auto points = batch.points().to(torch::kFloat64);
  const auto birth = points.select(1, 0), death = points.select(1, 1);
  const auto sizes = batch.offsets().diff();
  const auto diagram = torch::arange(batch.size(), torch::kFloat64).repeat_interleave(sizes);
  return ((1 + 0.1 * diagram) * (torch::sin(3 * birth) + birth * death + torch::cos(2 * death))).sum();
}

/// The largest difference of the gradient of `function` at x (float64) and central differences of width
/// 2 `step`, as a part of the largest entry, which is taken to be at least 1.
inline double gradient_error(const std::function<torch::Tensor(const torch::Tensor&)>& function,
                             const torch::Tensor& x, double step) {
  const auto start = x.detach().clone().requires_grad_();
  auto gradient = torch::autograd::grad({function(start)}, {start}, {}, {}, false, true)[0];
  if (!gradient.defined()) gradient = torch::zeros_like(x);
  const torch::NoGradGuard constant;
  double worst = 0, largest = 1;
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    auto high = x.detach().clone(), low = x.detach().clone();
    high.view(-1)[i] += step;
    low.view(-1)[i] -= step;
    const double slope = (function(high) - function(low)).item<double>() / (2 * step);
    const double ours = gradient.view(-1)[i].item<double>();
    if (std::isnan(ours)) return ours;
    worst = std::max(worst, std::abs(slope - ours));
    largest = std::max(largest, std::abs(slope));
  }
  return worst / largest;
}

}  // namespace perslay::test
