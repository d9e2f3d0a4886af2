#pragma once

#include <cstdint>

#include <torch/torch.h>

#include <perslay/diagram/diagram_batch.h>

namespace perslay::nn {

/// A packed batch of diagrams as tensors. There is no padding. Diagrams may be empty. Points may require gradients.
class RaggedBatch {
 public:
  /// `points` [N, 2] has a floating type and is on any device. `offsets` [B + 1] is int64 on the CPU and ascends from
  /// 0 to N. Throws otherwise. No data are copied.
  RaggedBatch(torch::Tensor points, torch::Tensor offsets);

  /// Copies a batch, in its canonical order.
  explicit RaggedBatch(const diagram::DiagramBatch& batch, torch::Dtype dtype = torch::kFloat32);

  [[nodiscard]] const torch::Tensor& points() const noexcept { return points_; }
  [[nodiscard]] const torch::Tensor& offsets() const noexcept { return offsets_; }

  /// The number of diagrams.
  [[nodiscard]] std::int64_t size() const { return offsets_.size(0) - 1; }

  /// The same with the points elsewhere or in another precision. Gradients flow back.
  [[nodiscard]] RaggedBatch to(torch::Device device) const;
  [[nodiscard]] RaggedBatch to(torch::Dtype dtype) const;

 private:
  torch::Tensor points_;
  torch::Tensor offsets_;
};

}  // namespace perslay::nn
