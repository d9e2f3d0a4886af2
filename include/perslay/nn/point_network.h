#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include <torch/torch.h>

#include <perslay/learn/point_network_names.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// A PersLay whose phi is a multilayer perceptron (DeepSets, Zaheer et al. 2017): it reads b, p, d, log(b +
/// 1e-3) and log(p + 1e-3) of each point (p = d - b), normalised over the batch, and has a ReLU after each
/// layer. Attention: head h gives sum over points of a_h(p) phi(p), a_h the softmax over the diagram of a
/// linear form of phi. An empty diagram gives 0.
class PointNetworkImpl : public torch::nn::Module {
 public:
  static constexpr std::int64_t inputs = 5;  ///< Numbers that it reads of each point.

  PointNetworkImpl(const std::vector<std::size_t>& widths, learn::Pooling pooling, std::uint64_t seed);

  /// [B, size()], or of single ops and heads [feature][rank] one after the other.
  torch::Tensor forward(const RaggedBatch& batch);

  void pretty_print(std::ostream& stream) const override;

  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

 private:
  learn::Pooling pooling_;
  torch::nn::BatchNorm1d norm_;
  std::vector<torch::nn::Linear> layers_;
  torch::nn::Linear attention_ = nullptr;
  std::int64_t size_ = 0;
};
TORCH_MODULE(PointNetwork);

}  // namespace perslay::nn
