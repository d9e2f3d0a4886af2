#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/network/network.h>

namespace perslay::bench {

/// Diagrams of a group as libtorch programs hold them: padded with zeros to the longest one.
struct PaddedDiagrams {
  torch::Tensor points;  // [items, n, 2], those of a diagram before its padding
  torch::Tensor mask;    // [items, n], 1 for points and 0 for padding
  torch::Tensor counts;  // [items], points of each
};

/// As many places as the longest diagram needs, and no fewer than `least`.
[[nodiscard]] PaddedDiagrams pad(const network::PackedDiagrams<float>& batch, std::int64_t least);

/// Those of some items, padded to the longest of these.
[[nodiscard]] PaddedDiagrams pick(const PaddedDiagrams& all, const torch::Tensor& items, std::int64_t least);

/// The paper's network with plain libtorch operations on padded tensors: a channel Im(...) or Pm(...) for
/// each group, its convolution, one dense layer. It takes its parameters, under the same names, from ours.
class PaddedNetworkImpl : public torch::nn::Module {
 public:
  PaddedNetworkImpl(const std::string& channel, const network::Batch<float>& all,
                    const network::Network<float>& ours);

  /// The logits of some items.
  torch::Tensor forward(const torch::Tensor& items);

 private:
  torch::Tensor channel(std::size_t group, const torch::Tensor& items);
  torch::Tensor parameter(std::size_t group, const std::string& name);

  layer::PaperChannel channel_;
  std::int64_t least_;  // places that its operation wants
  std::vector<PaddedDiagrams> groups_;
  torch::Tensor features_;
  torch::OrderedDict<std::string, torch::Tensor> arrays_;
};
TORCH_MODULE(PaddedNetwork);

}  // namespace perslay::bench
