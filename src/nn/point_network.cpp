#include "fill.h"
#include "segments.h"

#include <cmath>

#include <fmt/format.h>

#include <perslay/base/random.h>
#include <perslay/nn/perslay_function.h>
#include <perslay/nn/point_network.h>

namespace perslay::nn {
namespace {

constexpr double offset = 1e-3;  // of logarithms

torch::nn::Linear linear(std::int64_t in, std::int64_t out, base::RandomStream& random) {
  torch::nn::Linear layer(in, out);
  for (auto* parameter : {&layer->weight, &layer->bias})
    fill_uniform(*parameter, 1 / std::sqrt(static_cast<double>(in)), random);
  return layer;
}

torch::Tensor coordinates(const torch::Tensor& points) {
  const auto birth = points.select(1, 0), death = points.select(1, 1);
  const auto persistence = death - birth;
  return torch::stack({birth, persistence, death, torch::log(birth.clamp_min(0) + offset),
                       torch::log(persistence.clamp_min(0) + offset)},
                      1);
}

/// op over the points of each diagram, by the kernels of the room `layer`.
torch::Tensor reduce(const torch::Tensor& features, const RaggedBatch& batch, const layer::Operation& op) {
  layer::Channel channel;
  channel.phi.family = layer::Family::given;
  channel.phi.count = static_cast<std::size_t>(features.size(1));
  channel.op = op;
  return fused_forward(channel, batch, {}, {.features = features, .weights = {}});
}

/// For each head the mean of the features with weights softmax(scores), [B, heads * features].
torch::Tensor attend(const torch::Tensor& features, const torch::Tensor& scores, const RaggedBatch& batch) {
  const Segments segments(batch.offsets(), features.device());
  const auto highest = segments.reduce(scores.detach(), layer::Pool::max);
  const auto weights = torch::exp(scores - segments.spread(highest));
  const auto shares = weights / segments.spread(segments.sum(weights));
  std::vector<torch::Tensor> heads;
  for (std::int64_t h = 0; h < scores.size(1); ++h)
    heads.push_back(segments.sum(features * shares.select(1, h).unsqueeze(1)));
  return torch::cat(heads, 1);
}

}  // namespace

PointNetworkImpl::PointNetworkImpl(const std::vector<std::size_t>& widths, learn::Pooling pooling,
                                   std::uint64_t seed)
    : torch::nn::Module("PointNetwork"),
      pooling_(std::move(pooling)),
      norm_(register_module("norm", torch::nn::BatchNorm1d(inputs))) {
  base::RandomStream random(seed, 0x6d6c70);
  std::int64_t width = inputs;
  for (const auto next : widths) {
    layers_.push_back(register_module(fmt::format("layer{}", layers_.size()),
                                      linear(width, static_cast<std::int64_t>(next), random)));
    width = static_cast<std::int64_t>(next);
  }
  for (const auto& op : pooling_.operations) size_ += width * static_cast<std::int64_t>(op.width());
  if (pooling_.heads > 0) {
    const auto heads = static_cast<std::int64_t>(pooling_.heads);
    attention_ = register_module("attention", linear(width, heads, random));
    size_ += width * heads;
  }
}

torch::Tensor PointNetworkImpl::forward(const RaggedBatch& batch) {
  auto features = coordinates(batch.points());
  if (features.size(0) > 1 || !is_training()) features = norm_->forward(features);
  for (auto& layer : layers_) features = torch::relu(layer->forward(features));
  std::vector<torch::Tensor> pooled;
  for (const auto& op : pooling_.operations) pooled.push_back(reduce(features, batch, op));
  if (!attention_.is_empty()) pooled.push_back(attend(features, attention_->forward(features), batch));
  return torch::cat(pooled, 1);
}

void PointNetworkImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("PointNetwork({} layers, {} features)", layers_.size(), size_);
}

}  // namespace perslay::nn
