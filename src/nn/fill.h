#pragma once

#include <algorithm>

#include <torch/torch.h>

#include <perslay/base/random.h>

namespace perslay::nn {

/// Fills a parameter with numbers that are uniform in [-bound, bound], from a stream of our own: libtorch's
/// generator is global.
inline void fill_uniform(torch::Tensor& parameter, double bound, base::RandomStream& random) {
  const torch::NoGradGuard constant;
  const auto values = torch::empty(parameter.sizes());
  std::generate_n(values.data_ptr<float>(), values.numel(),
                  [&] { return static_cast<float>(random.uniform(-bound, bound)); });
  parameter.copy_(values);
}

}  // namespace perslay::nn
