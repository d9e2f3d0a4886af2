#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/classifier.h>

namespace perslay::bench {

/// All diagrams of a group as libtorch programs hold them: padded with zeros to the largest one.
struct PaddedDiagrams {
  explicit PaddedDiagrams(const nn::RaggedBatch& batch);

  torch::Tensor points;  // [items, n, 2]
  torch::Tensor mask;    // [items, n], 1 for points and 0 for padding
};

/// The paper's network with plain libtorch operations on padded tensors: a channel Im(...) or Pm(...) for
/// each group, its convolution, one dense layer. It takes its parameters, under the same names, from ours.
class PaddedNetworkImpl : public torch::nn::Module {
 public:
  PaddedNetworkImpl(const std::string& channel, std::vector<PaddedDiagrams> groups, torch::Tensor features,
                    const nn::Classifier& ours);

  /// The logits of some items.
  torch::Tensor forward(const torch::Tensor& items);

 private:
  torch::Tensor channel(std::size_t group, const torch::Tensor& items);
  torch::Tensor parameter(std::size_t group, const std::string& name);

  layer::PaperChannel channel_;
  std::vector<PaddedDiagrams> groups_;
  torch::Tensor features_;
  torch::OrderedDict<std::string, torch::Tensor> arrays_;
};
TORCH_MODULE(PaddedNetwork);

}  // namespace perslay::bench
