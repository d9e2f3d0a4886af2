#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/plain.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// Equation (3) by the fused kernels of the module `layer`, [B, channel.size()]. All tensors are on the CPU and of
/// the same type, float32 or float64. Inputs that require gradients get them. Second derivatives are refused. Any
/// number of `threads` gives the same bytes. 0 stands for one thread per processor. libtorch's own threads play no
/// part.
[[nodiscard]] torch::Tensor fused_forward(const layer::Channel& channel, const RaggedBatch& batch,
                                          const std::vector<torch::Tensor>& parameters,
                                          const Given& given = {}, int threads = 1);

}  // namespace perslay::nn
