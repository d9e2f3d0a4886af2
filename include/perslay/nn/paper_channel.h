#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include <torch/torch.h>

#include <perslay/layer/channel.h>
#include <perslay/nn/perslay.h>

namespace perslay::nn {

/// A channel as the paper's tables write it. It is a PersLay. `Im` with a convolution has filters over its image as
/// well. The image has (p + 1) x (p + 1) pixels and one plane per rank of the operation. Filters of size b turn it
/// into filters x (p + 2 - b)^2 numbers, [filter][birth][persistence]. There is no activation.
class PaperChannelImpl : public torch::nn::Module {
 public:
  explicit PaperChannelImpl(const layer::PaperChannel& channel, const PersLaySetup& setup = {});

  torch::Tensor forward(const RaggedBatch& batch);

  void pretty_print(std::ostream& stream) const override;

  /// Numbers per diagram that come out.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] PersLay perslay() const { return perslay_; }

 private:
  PersLay perslay_;
  torch::nn::Conv2d convolution_ = nullptr;
  std::int64_t size_ = 0;
};
TORCH_MODULE(PaperChannel);

/// The module behind `Im(20,(10,2),10,sum)`, `Pm(25,25,10,top-5)`, ...
[[nodiscard]] PaperChannel make_paper_channel(std::string_view text, const PersLaySetup& setup = {});

}  // namespace perslay::nn
