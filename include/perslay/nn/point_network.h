#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

#include <torch/torch.h>

#include <perslay/layer/operation.h>
#include <perslay/nn/ragged_batch.h>

namespace perslay::nn {

/// How a point network turns the features of a diagram's points into one vector.
struct Pooling {
  std::vector<layer::Operation> operations;  ///< One after the other, each as in PersLay.
  std::size_t heads = 0;                     ///< Attention: so many weighted means with learned weights.
};

/// "sum", "sum+max", "topk:3+attention:4", ...
[[nodiscard]] Pooling parse_pooling(std::string_view name);

/// The widths in "mlp:64x64".
[[nodiscard]] std::vector<std::size_t> parse_point_network(std::string_view name);

/// A PersLay whose phi is a multilayer perceptron (DeepSets, Zaheer et al. 2017): it reads b, p, d, log(b +
/// 1e-3) and log(p + 1e-3) of each point (p = d - b), normalised over the batch, and has a ReLU after each
/// layer. Attention: head h gives sum over points of a_h(p) phi(p), a_h the softmax over the diagram of a
/// linear form of phi. An empty diagram gives 0.
class PointNetworkImpl : public torch::nn::Module {
 public:
  PointNetworkImpl(const std::vector<std::size_t>& widths, Pooling pooling, std::uint64_t seed);

  /// [B, size()], or of single ops and heads [feature][rank] one after the other.
  torch::Tensor forward(const RaggedBatch& batch);

  void pretty_print(std::ostream& stream) const override;

  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

 private:
  Pooling pooling_;
  torch::nn::BatchNorm1d norm_;
  std::vector<torch::nn::Linear> layers_;
  torch::nn::Linear attention_ = nullptr;
  std::int64_t size_ = 0;
};
TORCH_MODULE(PointNetwork);

}  // namespace perslay::nn
