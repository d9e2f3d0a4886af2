#include "fill.h"
#include "network_size.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/nn/classifier.h>

namespace perslay::nn {
namespace {

layer::Initialisation initialisation(const learn::NetworkSettings& settings) {
  return settings.initialisation == "authors" ? layer::Initialisation::authors : layer::Initialisation::ours;
}

/// Glorot and Bengio's uniform weights, no bias.
torch::nn::Linear dense(std::int64_t in, std::int64_t out, base::RandomStream& random) {
  torch::nn::Linear layer(in, out);
  fill_uniform(layer->weight, std::sqrt(6 / static_cast<double>(in + out)), random);
  const torch::NoGradGuard constant;
  layer->bias.zero_();
  return layer;
}

}  // namespace

ClassifierImpl::ClassifierImpl(const learn::NetworkSettings& settings, const ClassifierShape& shape,
                               std::uint64_t seed)
    : torch::nn::Module("Classifier"), settings_(settings), shape_(shape) {
  refuse_giants(settings_, shape_);
  if (settings_.use_diagrams) {
    if (!shape_.trained.groups.empty())
      filtrations_ = register_module("filtrations",
                                     TrainedFiltrations(shape_.trained, base::mix_bits(seed ^ 0x66696c74)));
    for (std::size_t i = 0; i < shape_.groups.size(); ++i) {
      channels_.push_back(make_channel(shape_.groups[i], base::mix_bits(seed + i + 1)));
      std::visit(
          [&](auto& channel) {
            register_module(fmt::format("channel{}", i), channel);
            widths_.push_back(channel->size());
          },
          channels_.back());
    }
  }
  const std::int64_t from_channels = std::accumulate(widths_.begin(), widths_.end(), std::int64_t{0});
  widths_.push_back(shape_.features);
  std::int64_t width = from_channels + shape_.features;
  if (width == 0) throw base::user_error("The network has nothing to read: neither diagrams nor features.");

  if (settings_.channel_norm && from_channels > 0)
    channel_norm_ = register_module("channel_norm", torch::nn::BatchNorm1d(from_channels));
  can_fold_ = channel_norm_.is_empty() && settings_.input_dropout == 0;
  base::RandomStream random(seed, 0x64656e7365);
  auto sizes = settings_.hidden;
  sizes.push_back(static_cast<std::size_t>(shape_.classes));
  for (const auto next : sizes) {
    const auto size = static_cast<std::int64_t>(next);
    dense_.push_back(register_module(fmt::format("dense{}", dense_.size()), dense(width, size, random)));
    if (settings_.batch_norm && dense_.size() < sizes.size())
      norms_.push_back(register_module(fmt::format("norm{}", norms_.size()), torch::nn::BatchNorm1d(size)));
    width = size;
  }
}

ClassifierImpl::Channel ClassifierImpl::make_channel(diagram::Kind kind, std::uint64_t seed) const {
  const auto& channel = channel_of(settings_, kind);
  PersLaySetup setup;
  setup.initialisation = initialisation(settings_);
  setup.seed = seed;
  if (!channel.paper.empty()) return make_paper_channel(channel.paper, setup);
  if (channel.phi.starts_with("mlp"))
    return PointNetwork(learn::parse_point_network(channel.phi), learn::parse_pooling(channel.op), seed);
  auto options = perslay_options(channel);
  options.setup = setup;
  return PersLay(options);
}

torch::Tensor ClassifierImpl::forward(const ClassifierInput& input, base::RandomStream& random) {
  const auto diagrams = all_diagrams(input);
  torch::Tensor values;
  if (fold && can_fold_) {
    values = folded_first_layer(diagrams, input.features);
  } else {
    values = torch::cat({channels(diagrams, input.features), input.features}, 1);
    values = dense_.front()->forward(drop(values, settings_.input_dropout, random));
  }
  for (std::size_t i = 1; i < dense_.size(); ++i) {
    if (!norms_.empty()) values = norms_[i - 1]->forward(values);
    values = dense_[i]->forward(drop(torch::relu(values), settings_.dropout, random));
  }
  return values;
}

std::vector<RaggedBatch> ClassifierImpl::all_diagrams(const ClassifierInput& input) {
  auto diagrams = input.diagrams;
  if (filtrations_.is_empty()) return diagrams;
  auto trained = filtrations_->forward(input.graphs);
  for (std::size_t i = 0; i < trained.size(); ++i)
    diagrams[filtrations_->groups()[i].place] = std::move(trained[i]);
  return diagrams;
}

torch::Tensor ClassifierImpl::channels(const std::vector<RaggedBatch>& diagrams,
                                       const torch::Tensor& features) {
  if (channels_.empty()) return features.narrow(1, 0, 0);
  std::vector<torch::Tensor> values;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    values.push_back(std::visit([&](auto& channel) { return channel->forward(diagrams[i]); }, channels_[i]));
  const auto together = torch::cat(values, 1);
  return channel_norm_.is_empty() ? together : channel_norm_->forward(together);
}

torch::Tensor ClassifierImpl::folded_first_layer(const std::vector<RaggedBatch>& diagrams,
                                                 const torch::Tensor& features) {
  auto& layer = *dense_.front();
  const auto weights = layer.weight.split_with_sizes(widths_, 1);
  std::vector<torch::Tensor> values, folded;
  auto bias = layer.bias;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    auto* paper = std::get_if<PaperChannel>(&channels_[i]);
    if (paper != nullptr && (*paper)->has_convolution()) {
      const auto inside = (*paper)->fold(weights[i]);
      values.push_back((*paper)->perslay()->forward(diagrams[i]));
      folded.push_back(inside.weight);
      bias = bias + inside.bias;
    } else {
      values.push_back(
          std::visit([&](auto& channel) { return channel->forward(diagrams[i]); }, channels_[i]));
      folded.push_back(weights[i]);
    }
  }
  values.push_back(features);
  folded.push_back(weights.back());
  return torch::addmm(bias, torch::cat(values, 1), torch::cat(folded, 1).t());
}

torch::Tensor ClassifierImpl::drop(const torch::Tensor& values, double rate,
                                   base::RandomStream& random) const {
  if (!is_training() || rate == 0) return values;
  const auto mask = torch::empty(values.sizes());
  const auto kept = static_cast<float>(1 / (1 - rate));
  const auto limit = static_cast<std::uint32_t>(rate * 0x1p32);
  auto* out = mask.data_ptr<float>();
  auto* const end = out + mask.numel();
  while (out != end) {  // two numbers from each draw
    const auto bits = random();
    *out++ = static_cast<std::uint32_t>(bits) < limit ? 0 : kept;
    if (out != end) *out++ = static_cast<std::uint32_t>(bits >> 32) < limit ? 0 : kept;
  }
  return values * mask;
}

void ClassifierImpl::set_threads(int threads) {
  if (!filtrations_.is_empty()) filtrations_->set_threads(threads);
  for (auto& channel : channels_) {
    if (auto* perslay = std::get_if<PersLay>(&channel)) (*perslay)->threads = threads;
    if (auto* paper = std::get_if<PaperChannel>(&channel)) (*paper)->perslay()->threads = threads;
  }
}

void ClassifierImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("Classifier({} channels, {} features, {} hidden layers, {} classes)",
                        channels_.size(), shape_.features, settings_.hidden.size(), shape_.classes);
}

}  // namespace perslay::nn
