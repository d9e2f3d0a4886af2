#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/plain.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// Throws a sentence unless the parameters and what is given have the shapes that the channel and the batch
/// need, and the type and device of the points.
void check_inputs(const layer::Channel& channel, const RaggedBatch& batch,
                  const std::vector<torch::Tensor>& parameters, const Given& given);

}  // namespace perslay::nn
