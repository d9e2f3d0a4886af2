#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// What the caller computes for each point instead of the channel; undefined otherwise.
struct Given {
  torch::Tensor features;  ///< [N, q], for PointTransform::Type::given.
  torch::Tensor weights;   ///< [N], for Weight::Type::given.
};

/// Equation (3) written with plain tensor operations, [B, channel.size()]: on any device, in any precision,
/// differentiable as often as one likes in parameters, points and what is given. It is what the fused kernels
/// of the module `layer` are checked against. Nothing is padded; time and memory are O(N q), sorting aside.
///
/// Gradients where there are none: 0 at the samples of `betti` and `entropy`, at the tips and feet of tents,
/// at the centres of rational elements and on the diagonal.
///
/// `parameters` are those of channel.parameters(), in their order and shapes.
[[nodiscard]] torch::Tensor plain_forward(const layer::Channel& channel, const RaggedBatch& batch,
                                          const std::vector<torch::Tensor>& parameters,
                                          const Given& given = {});

}  // namespace perslay::nn
