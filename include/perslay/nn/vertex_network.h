#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include <torch/torch.h>

#include <perslay/nn/graph_batch.h>

namespace perslay::nn {

/// A function on vertices that is learned: message passing between neighbours, in the manner of graph
/// isomorphism networks (Xu et al. 2019), and one number per vertex at its end.
///
/// A vertex starts with log(1 + degree) and its label, one-hot in 64 places (label modulo 64; nothing if the
/// graphs have none). A layer adds to the features of a vertex those of its neighbours, those of w to v's
/// divided by the root of both degrees, and puts the sum through two dense layers with ReLU. The number at
/// the end is normalised over all vertices of the batch (in evaluation mode over those that fit() saw) and
/// squashed by the logistic function: values lie between 0 and 1 and fill that range, whatever the weights
/// are. In float64, so that vertices that an automorphism exchanges agree to 1e-14.
class VertexNetworkImpl : public torch::nn::Module {
 public:
  static constexpr std::int64_t inputs = 1 + 64;  ///< Numbers that it reads of each vertex.

  /// `widths`: of the layers, such as 16 and 16; what is random at the start comes from the seed alone.
  explicit VertexNetworkImpl(const std::vector<std::size_t>& widths, std::uint64_t seed = 0);

  /// [V], float64, each between 0 and 1.
  torch::Tensor forward(const GraphBatch& batch);

  /// Sets mean and deviation that evaluation mode normalises by: those of this batch.
  void fit(const GraphBatch& batch);

  void pretty_print(std::ostream& stream) const override;

 private:
  struct Layer {
    torch::nn::Linear first = nullptr, second = nullptr;
  };

  [[nodiscard]] torch::Tensor before_squashing(const GraphBatch& batch) const;

  std::vector<std::size_t> widths_;
  torch::nn::Linear input_ = nullptr;
  std::vector<Layer> layers_;
  torch::nn::Linear output_ = nullptr;
  torch::Tensor mean_, variance_;  // float64
};
TORCH_MODULE(VertexNetwork);

}  // namespace perslay::nn
