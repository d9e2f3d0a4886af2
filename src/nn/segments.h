#pragma once

#include <cstdint>

#include <torch/torch.h>

#include <perslay/layer/equivariant.h>
#include <perslay/layer/operation.h>

namespace perslay::nn {

/// Reductions over the diagrams of a packed batch, row by row of [N, q] to [B, q]. An empty diagram gives 0.
class Segments {
 public:
  /// `offsets` [B + 1] on the CPU; the rows to reduce are on `device`.
  Segments(const torch::Tensor& offsets, torch::Device device);

  [[nodiscard]] torch::Tensor sum(const torch::Tensor& rows) const;
  [[nodiscard]] torch::Tensor mean(const torch::Tensor& rows) const;

  /// The `count` largest (or smallest) of each column, [B, q, count], in order. Ties go to the first row. Places
  /// beyond the size of a diagram are 0.
  [[nodiscard]] torch::Tensor first(const torch::Tensor& rows, std::int64_t count, bool largest) const;

  [[nodiscard]] torch::Tensor reduce(const torch::Tensor& rows, layer::Pool pool) const;
  /// [B, q * op.width()], in the order [feature][rank].
  [[nodiscard]] torch::Tensor reduce(const torch::Tensor& rows, const layer::Operation& op) const;

  /// Repeats the row of a diagram for each of its points: [B, q] to [N, q].
  [[nodiscard]] torch::Tensor spread(const torch::Tensor& per_diagram) const;

 private:
  torch::Tensor begin_;    // [B], of each diagram its first row
  torch::Tensor count_;    // [B], of each diagram its number of rows
  torch::Tensor diagram_;  // [N], of each row its diagram
};

}  // namespace perslay::nn
