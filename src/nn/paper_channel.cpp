#include <algorithm>
#include <cmath>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/nn/paper_channel.h>

namespace perslay::nn {
namespace {

/// Fills a parameter with numbers that are uniform in [-bound, bound]. The stream is our own, because libtorch's
/// generator is global.
void fill_uniform(torch::Tensor& parameter, double bound, base::RandomStream& random) {
  const torch::NoGradGuard constant;
  const auto values = torch::empty(parameter.sizes());
  std::generate_n(values.data_ptr<float>(), values.numel(),
                  [&] { return static_cast<float>(random.uniform(-bound, bound)); });
  parameter.copy_(values);
}

/// `ours` is uniform in +-1/sqrt(inputs of a filter), as in libtorch. `authors` takes the uniform filters of Glorot
/// and Bengio, and no bias.
void initialise(torch::nn::Conv2dImpl& convolution, const PersLaySetup& setup) {
  base::RandomStream random(setup.seed, 0x636f6e76);
  const auto inputs = static_cast<double>(convolution.weight[0].numel());
  const auto outputs = static_cast<double>(convolution.weight.select(1, 0).numel());
  if (setup.initialisation == layer::Initialisation::authors) {
    fill_uniform(convolution.weight, std::sqrt(6 / (inputs + outputs)), random);
    const torch::NoGradGuard constant;
    convolution.bias.zero_();
  } else {
    for (auto* parameter : {&convolution.weight, &convolution.bias})
      fill_uniform(*parameter, 1 / std::sqrt(inputs), random);
  }
}

}  // namespace

PaperChannelImpl::PaperChannelImpl(const layer::PaperChannel& channel, const PersLaySetup& setup)
    : torch::nn::Module("PaperChannel"),
      perslay_(register_module("perslay", PersLay(channel.channel, setup))),
      size_(perslay_->size()) {
  if (!channel.convolution) return;
  if (channel.convolution->of_points)
    throw base::user_error(
        "nn::PaperChannel has the convolution after op; as a part of phi it is for network::Network.");
  const auto planes = static_cast<std::int64_t>(channel.channel.op.width());
  const auto filters = static_cast<std::int64_t>(channel.convolution->filters);
  const auto size = static_cast<std::int64_t>(channel.convolution->size);
  convolution_ =
      register_module("convolution", torch::nn::Conv2d(torch::nn::Conv2dOptions(planes, filters, size)));
  initialise(*convolution_, setup);
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
