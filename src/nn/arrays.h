#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/layer/parameters.h>

namespace perslay::nn {

/// An array of initial values as a float32 tensor of its shape.
[[nodiscard]] inline torch::Tensor to_tensor(const layer::ParameterShape& shape,
                                             const std::vector<double>& values) {
  return torch::tensor(values, torch::kFloat64).reshape(shape.shape).to(torch::kFloat32);
}

}  // namespace perslay::nn
