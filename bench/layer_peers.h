#pragma once

#include <vector>

#include <torch/torch.h>

#include <perslay/nn/ragged_batch.h>

namespace perslay::bench {

/// A batch as libtorch programs hold it: padded with zeros to the largest diagram.
struct Padded {
  explicit Padded(const nn::RaggedBatch& batch);

  torch::Tensor points;   // [B, n, 2]
  torch::Tensor mask;     // [B, n], 1 for points and 0 for padding
  torch::Tensor cells_b;  // [B, n], of each point its cell in a 10 x 10 grid over [-0.001, 1.001]
  torch::Tensor cells_d;
};

using Parameters = std::vector<torch::Tensor>;

/// Gaussians on a grid with grid weights, summed, as the peers have it: all differences in a tensor
/// [B, n, 2, p * p], squared, scaled, summed over both coordinates. Parameters: births, persistences,
/// sharpness, cells.
torch::Tensor peer_gaussians(const Padded& batch, const Parameters& parameters);

/// The same with one coordinate after the other: no tensor is larger than [B, n, p * p].
torch::Tensor padded_gaussians(const Padded& batch, const Parameters& parameters);

/// The same with exponentials per axis, [B, n, p] twice, and a batched matrix product.
torch::Tensor separable_gaussians(const Padded& batch, const Parameters& parameters);

/// Lines, an equivariant layer with maximum, grid weights, the five largest. Parameters: directions, bias,
/// lambda, gamma, bias, cells.
torch::Tensor padded_lines(const Padded& batch, const Parameters& parameters);

}  // namespace perslay::bench
