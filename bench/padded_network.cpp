#include "padded_network.h"

#include <algorithm>
#include <limits>

namespace perslay::bench {
namespace {

using torch::Tensor;

constexpr float infinity = std::numeric_limits<float>::infinity();

Tensor cell(const Tensor& coordinate, std::int64_t cells) {
  return ((coordinate + 0.001) / 1.002 * cells).floor().clamp(0, cells - 1).to(torch::kInt64);
}

/// [B, n], 0 on padding.
Tensor weights(const Tensor& points, const Tensor& mask, const Tensor& cells) {
  return cells.index({cell(points.select(2, 0), cells.size(0)), cell(points.select(2, 1), cells.size(1))}) *
         mask;
}

}  // namespace

PaddedDiagrams pad(const network::PackedDiagrams<float>& batch, std::int64_t least) {
  const auto points = torch::tensor(batch.points).view({-1, 2});
  const auto& offsets = batch.offsets;
  const auto items = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto counts = torch::tensor(offsets, torch::kInt64).diff();
  const auto places = std::max(least, counts.max().item<std::int64_t>());
  PaddedDiagrams padded{torch::zeros({items, places, 2}), torch::zeros({items, places}), counts};
  for (std::int64_t i = 0; i < items; ++i) {
    const auto begin = offsets[static_cast<std::size_t>(i)];
    const auto count = offsets[static_cast<std::size_t>(i) + 1] - begin;
    padded.points[i].narrow(0, 0, count).copy_(points.narrow(0, begin, count));
    padded.mask[i].narrow(0, 0, count).fill_(1);
  }
  return padded;
}

PaddedDiagrams pick(const PaddedDiagrams& all, const Tensor& items, std::int64_t least) {
  const auto counts = all.counts.index_select(0, items);
  const auto places = std::max(least, counts.max().item<std::int64_t>());
  return {all.points.narrow(1, 0, places).index_select(0, items),
          all.mask.narrow(1, 0, places).index_select(0, items), counts};
}

PaddedNetworkImpl::PaddedNetworkImpl(const std::string& channel, const network::Batch<float>& all,
                                     const network::Network<float>& ours)
    : channel_(layer::parse_paper_channel(channel)),
      least_(static_cast<std::int64_t>(channel_.channel.op.width())),
      features_(torch::tensor(all.features.values)
                    .view({static_cast<std::int64_t>(all.features.count),
                           static_cast<std::int64_t>(all.features.width)})) {
  for (const auto& diagrams : all.diagrams) groups_.push_back(pad(diagrams, least_));
  for (const auto& [array, slot] : ours.trained_layout().entries()) {
    auto name = array.name;
    std::ranges::replace(name, '.', '_');
    const auto own = slot.of(ours.trained());
    const auto values = torch::tensor(std::vector<float>(own.begin(), own.end())).view(array.shape);
    arrays_.insert(array.name, register_parameter(name, values));
  }
}

Tensor PaddedNetworkImpl::parameter(std::size_t group, const std::string& name) {
  return arrays_["channel" + std::to_string(group) + "." + name];
}

Tensor PaddedNetworkImpl::channel(std::size_t group, const Tensor& items) {
  const auto [points, mask, counts] = pick(groups_[group], items, least_);
  const auto weight = weights(points, mask, parameter(group, "perslay.weight.cells")).unsqueeze(2);
  if (channel_.channel.phi.type == layer::PointTransform::Type::line) {
    const auto padding = mask.eq(0).unsqueeze(2);
    const auto lines =
        points.matmul(parameter(group, "perslay.phi.directions").t()) + parameter(group, "perslay.phi.bias");
    const auto largest = std::get<0>(lines.masked_fill(padding, -infinity).max(1, true));
    const auto pooled = largest.masked_fill(largest.isinf(), 0);
    const auto features = lines.matmul(parameter(group, "perslay.equivariant.0.lambda")) -
                          pooled.matmul(parameter(group, "perslay.equivariant.0.gamma")) +
                          parameter(group, "perslay.equivariant.0.bias");
    const auto weighted = features * weight;
    if (channel_.channel.op.type == layer::Operation::Type::sum) return weighted.sum(1);
    const auto top = std::get<0>(weighted.masked_fill(padding, -infinity).topk(least_, 1));
    return top.masked_fill(top.isinf(), 0).transpose(1, 2).flatten(1);
  }
  const auto births = parameter(group, "perslay.phi.births");
  const auto persistences = parameter(group, "perslay.phi.persistences");
  const auto birth = points.narrow(2, 0, 1), persistence = points.narrow(2, 1, 1) - birth;
  const auto distance = (birth - births.repeat_interleave(persistences.size(0))).square() +
                        (persistence - persistences.repeat(births.size(0))).square();
  const auto phi = (-parameter(group, "perslay.phi.sharpness").square() * distance).exp();
  const auto image = (phi * weight).sum(1);
  if (!channel_.convolution) return image;
  return torch::conv2d(image.view({-1, 1, births.size(0), persistences.size(0)}),
                       parameter(group, "convolution.weight"), parameter(group, "convolution.bias"))
      .flatten(1);
}

Tensor PaddedNetworkImpl::forward(const Tensor& items) {
  std::vector<Tensor> values;
  for (std::size_t g = 0; g < groups_.size(); ++g) values.push_back(channel(g, items));
  values.push_back(features_.index_select(0, items));
  return torch::nn::functional::linear(torch::cat(values, 1), arrays_["dense0.weight"],
                                       arrays_["dense0.bias"]);
}

}  // namespace perslay::bench
