#pragma once

#include <cstdint>

#include <torch/torch.h>

namespace perslay::nn {

/// The shape of images, [rows][columns][planes], and of what filters of size x size make of them,
/// [filter][rows + 1 - size][columns + 1 - size].
struct ImageShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t planes = 1;
};

/// A dense layer over the output of a convolution, as a dense layer over its input.
struct FoldedDense {
  torch::Tensor weight;  ///< [H, rows * columns * planes]
  torch::Tensor bias;    ///< [H]
};

/// `dense` [H, filters * (rows + 1 - size) * (columns + 1 - size)], `filters` [filters, planes, size, size],
/// `bias` [filters], all float32 or all float64 on the CPU. Differentiable once. Plain loops: the tensors are
/// small.
[[nodiscard]] FoldedDense fold_convolution(const torch::Tensor& dense, const torch::Tensor& filters,
                                           const torch::Tensor& bias, const ImageShape& image);

}  // namespace perslay::nn
