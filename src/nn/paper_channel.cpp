#include <algorithm>
#include <cmath>

#include <perslay/base/random.h>
#include <perslay/nn/paper_channel.h>

namespace perslay::nn {
namespace {

/// Uniform in +-1/sqrt(inputs of a filter), as libtorch has it, but from a stream of our own.
void initialise(torch::nn::Conv2dImpl& convolution, std::uint64_t seed) {
  base::RandomStream random(seed, 0x636f6e76);
  const double bound = 1 / std::sqrt(static_cast<double>(convolution.weight[0].numel()));
  const torch::NoGradGuard constant;
  for (auto& parameter : convolution.parameters()) {
    const auto values = torch::empty(parameter.sizes());
    std::generate_n(values.data_ptr<float>(), values.numel(),
                    [&] { return static_cast<float>(random.uniform(-bound, bound)); });
    parameter.copy_(values);
  }
}

}  // namespace

PaperChannelImpl::PaperChannelImpl(const layer::PaperChannel& channel, const PersLaySetup& setup)
    : torch::nn::Module("PaperChannel"),
      perslay_(register_module("perslay", PersLay(channel.channel, setup))),
      size_(perslay_->size()) {
  if (!channel.convolution) return;
  const auto planes = static_cast<std::int64_t>(channel.channel.op.width());
  const auto filters = static_cast<std::int64_t>(channel.convolution->filters);
  const auto size = static_cast<std::int64_t>(channel.convolution->size);
  convolution_ =
      register_module("convolution", torch::nn::Conv2d(torch::nn::Conv2dOptions(planes, filters, size)));
  initialise(*convolution_, setup.seed);
  const auto& phi = channel.channel.phi;
  size_ = filters * (static_cast<std::int64_t>(phi.count) + 1 - size) *
          (static_cast<std::int64_t>(phi.rows) + 1 - size);
}

torch::Tensor PaperChannelImpl::forward(const RaggedBatch& batch) {
  const auto values = perslay_->forward(batch);
  if (!convolution_) return values;
  const auto& phi = perslay_->channel().phi;
  const auto image =
      values.view({batch.size(), static_cast<std::int64_t>(phi.count), static_cast<std::int64_t>(phi.rows),
                   static_cast<std::int64_t>(perslay_->channel().op.width())});
  return convolution_->forward(image.permute({0, 3, 1, 2})).flatten(1);
}

void PaperChannelImpl::pretty_print(std::ostream& stream) const {
  stream << "PaperChannel(" << size_ << " features)";
}

PaperChannel make_paper_channel(std::string_view text, const PersLaySetup& setup) {
  return PaperChannel(layer::parse_paper_channel(text), setup);
}

}  // namespace perslay::nn
