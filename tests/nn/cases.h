#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <torch/torch.h>

#include <perslay/base/random.h>
#include <perslay/layer/channel.h>
#include <perslay/nn/perslay_function.h>
#include <perslay/nn/plain.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::test {

using torch::Tensor;

/// Every phi, weight and op, and equivariant stacks with every pool.
const std::vector<std::string>& phis();
const std::vector<std::string>& weights();
const std::vector<std::string>& operations();
const std::vector<std::vector<layer::Equivariant>>& stacks();

/// Calls `body` for every combination of them, or for one in `stride`; a stride prime to the lengths of the
/// lists meets every pair of names.
void for_each_channel(const std::function<void(const layer::Channel&)>& body, std::size_t stride = 1);

/// Values in general position, within the range where the parameter acts, in float64.
std::vector<Tensor> random_parameters(const layer::Channel& channel, base::RandomStream& random);

/// Diagrams of the given sizes, points in general position, most above the diagonal.
nn::RaggedBatch random_batch(const std::vector<std::int64_t>& sizes, base::RandomStream& random);

/// Empty diagrams, a single point, duplicates, points on the borders of the cells of a 4 x 4 grid over the
/// unit square and on the diagonal, below it, outside the square; and 37 points in general position.
nn::RaggedBatch awkward_batch(base::RandomStream& random);

/// A result with its gradients for a loss that weighs each number differently: of the points, then of the
/// parameters. A gradient that does not exist is 0.
struct Result {
  Tensor out;
  std::vector<Tensor> gradients;
};

/// The weights of that loss.
Tensor slopes(const Tensor& out);

using Forward = std::function<Tensor(const nn::RaggedBatch&, const std::vector<Tensor>&)>;
Result differentiate(const Forward& forward, const nn::RaggedBatch& batch,
                     const std::vector<Tensor>& parameters);

Result fused(const layer::Channel& channel, const nn::RaggedBatch& batch,
             const std::vector<Tensor>& parameters, int threads = 1);
Result plain(const layer::Channel& channel, const nn::RaggedBatch& batch,
             const std::vector<Tensor>& parameters);

/// max |a - b| / (1 + max |b|), and infinity if the shapes differ or there is a NaN.
double relative_error(const Tensor& a, const Tensor& b);

/// The largest of those of `out` and all gradients.
double relative_error(const Result& a, const Result& b);

}  // namespace perslay::test
