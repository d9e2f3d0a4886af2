#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// What the caller computes for each point instead of the channel. Tensors that the channel does not need are
/// undefined.
struct Given {
  torch::Tensor features;  ///< [N, q], for PointTransform::Type::given.
  torch::Tensor weights;   ///< [N], for Weight::Type::given.
};

/// Equation (3) written with plain tensor operations, [B, channel.size()]. It runs on any device and in any
/// precision. Parameters, points and what is given have derivatives of any order. The fused kernels of the module
/// `layer` are checked against it. Nothing is padded. Sorting aside, time and memory are O(N q).
///
/// Some places have no derivative. There the gradient is 0: at the samples of `betti` and `entropy`, at the tips and
/// feet of tents, at the centres of rational elements and on the diagonal.
///
/// `parameters` are those of channel.parameters(), in their order and shapes.
[[nodiscard]] torch::Tensor plain_forward(const layer::Channel& channel, const RaggedBatch& batch,
                                          const std::vector<torch::Tensor>& parameters,
                                          const Given& given = {});

}  // namespace perslay::nn
