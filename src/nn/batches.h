#pragma once

#include <cstddef>
#include <span>

#include <torch/torch.h>

#include <perslay/learn/learner.h>
#include <perslay/nn/classifier.h>

namespace perslay::nn {

/// The items of a part as tensors, batch by batch. Diagrams are scaled and packed when a batch is asked for,
/// so that all folds share one copy of them.
class Batches {
 public:
  /// Without diagrams if the network reads none.
  Batches(const learn::Part& part, const learn::NetworkSettings& network, const base::Context& context);

  /// `places` are places in part.rows.
  [[nodiscard]] ClassifierInput input(std::span<const std::size_t> places) const;
  /// [B], int64.
  [[nodiscard]] torch::Tensor labels(std::span<const std::size_t> places) const;

  [[nodiscard]] std::size_t size() const noexcept { return part_.rows.size(); }

  [[nodiscard]] ClassifierShape shape() const;

 private:
  learn::Part part_;
  std::size_t groups_;
  features::Matrix features_;
};

}  // namespace perslay::nn
