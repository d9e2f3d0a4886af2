#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/plain.h>

namespace perslay::nn {

/// An array of initial values as a float32 tensor of its shape.
[[nodiscard]] inline torch::Tensor to_tensor(const layer::ParameterShape& shape,
                                             const std::vector<double>& values) {
  return torch::tensor(values, torch::kFloat64).reshape(shape.shape).to(torch::kFloat32);
}

/// Throws a sentence unless the parameters and what is given have the shapes that the channel and the batch need.
/// Their type and device must be those of the points.
void check_inputs(const layer::Channel& channel, const RaggedBatch& batch,
                  const std::vector<torch::Tensor>& parameters, const Given& given);

/// Reductions over the diagrams of a packed batch. Rows [N, q] become [B, q]. An empty diagram gives 0.
class Segments {
 public:
  /// `offsets` [B + 1] is on the CPU. The rows to reduce are on `device`.
  Segments(const torch::Tensor& offsets, torch::Device device);

  [[nodiscard]] torch::Tensor sum(const torch::Tensor& rows) const;

  /// [B, q * op.width()], in the order [feature][rank].
  [[nodiscard]] torch::Tensor reduce(const torch::Tensor& rows, const layer::Operation& op) const;

  /// Repeats the row of a diagram for each of its points: [B, q] becomes [N, q].
  [[nodiscard]] torch::Tensor spread(const torch::Tensor& per_diagram) const;

 private:
  /// The `count` largest (or smallest) of each column, [B, q, count], in order. Ties go to the first row. Places
  /// beyond the size of a diagram are 0.
  [[nodiscard]] torch::Tensor first(const torch::Tensor& rows, std::int64_t count, bool largest) const;

  torch::Tensor begin_;    // [B], of each diagram its first row
  torch::Tensor count_;    // [B], of each diagram its number of rows
  torch::Tensor diagram_;  // [N], of each row its diagram
};

/// x lambda - pool(x) gamma + bias of features [N, q]. The result is [N, layer.size].
[[nodiscard]] torch::Tensor plain_equivariant(const layer::Equivariant& layer, const torch::Tensor& features,
                                              const Segments& segments,
                                              std::span<const torch::Tensor> parameters);

/// w(p) phi(p) of all points, [N, channel.features()], by plain tensor operations. `segments` are those of the batch.
[[nodiscard]] torch::Tensor weighted_features(const layer::Channel& channel, const RaggedBatch& batch,
                                              const Segments& segments,
                                              const std::vector<torch::Tensor>& parameters,
                                              const Given& given);

}  // namespace perslay::nn
