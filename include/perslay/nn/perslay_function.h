#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/plain.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// Equation (3) by the fused kernels of the module `layer`, [B, channel.size()]: on the CPU, in float32 or
/// float64, all tensors of the same type. Gradients are computed for those inputs that require them; second
/// derivatives are refused. The same bytes for any number of `threads` (0: one per processor); libtorch's own
/// threads play no part.
[[nodiscard]] torch::Tensor fused_forward(const layer::Channel& channel, const RaggedBatch& batch,
                                          const std::vector<torch::Tensor>& parameters,
                                          const Given& given = {}, int threads = 1);

}  // namespace perslay::nn
