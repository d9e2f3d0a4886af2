#include "layer_peers.h"

#include <limits>

namespace perslay::bench {
namespace {

using torch::Tensor;

constexpr float infinity = std::numeric_limits<float>::infinity();

Tensor cell(const Tensor& coordinate) {
  return ((coordinate + 0.001) / 1.002 * 10).floor().clamp(0, 9).to(torch::kInt64);
}

/// [B, n], 0 on padding.
Tensor weights(const Padded& batch, const Tensor& cells) {
  return cells.index({batch.cells_b, batch.cells_d}) * batch.mask;
}

}  // namespace

Padded::Padded(const nn::RaggedBatch& batch) {
  std::vector<Tensor> diagrams, masks;
  for (std::int64_t i = 0; i < batch.size(); ++i) {
    diagrams.push_back(batch.points().slice(0, batch.offsets()[i].item<std::int64_t>(),
                                            batch.offsets()[i + 1].item<std::int64_t>()));
    masks.push_back(torch::ones({diagrams.back().size(0)}));
  }
  points = torch::nn::utils::rnn::pad_sequence(diagrams, true);
  mask = torch::nn::utils::rnn::pad_sequence(masks, true);
  cells_b = cell(points.select(2, 0));
  cells_d = cell(points.select(2, 1));
}

Tensor peer_gaussians(const Padded& batch, const Parameters& parameters) {
  const auto& [births, persistences, sharpness, cells] =
      std::tie(parameters[0], parameters[1], parameters[2], parameters[3]);
  const auto birth = batch.points.narrow(2, 0, 1), persistence = batch.points.narrow(2, 1, 1) - birth;
  const auto centres =
      torch::stack({births.repeat_interleave(persistences.size(0)), persistences.repeat(births.size(0))});
  const auto differences = torch::cat({birth, persistence}, 2).unsqueeze(3) - centres;
  const auto phi = (-differences.square() * sharpness.square()).sum(2).exp();
  return (phi * weights(batch, cells).unsqueeze(2)).sum(1);
}

Tensor padded_gaussians(const Padded& batch, const Parameters& parameters) {
  const auto& [births, persistences, sharpness, cells] =
      std::tie(parameters[0], parameters[1], parameters[2], parameters[3]);
  const auto birth = batch.points.narrow(2, 0, 1), persistence = batch.points.narrow(2, 1, 1) - birth;
  const auto centres_b = births.repeat_interleave(persistences.size(0)),
             centres_p = persistences.repeat(births.size(0));
  const auto distance = (birth - centres_b).square() + (persistence - centres_p).square();
  const auto phi = (-sharpness.square() * distance).exp();
  return (phi * weights(batch, cells).unsqueeze(2)).sum(1);
}

Tensor separable_gaussians(const Padded& batch, const Parameters& parameters) {
  const auto& [births, persistences, sharpness, cells] =
      std::tie(parameters[0], parameters[1], parameters[2], parameters[3]);
  const auto birth = batch.points.narrow(2, 0, 1), persistence = batch.points.narrow(2, 1, 1) - birth;
  const auto square = -sharpness.square();
  const auto along_births = (square * (birth - births).square()).exp();
  const auto along_persistences = (square * (persistence - persistences).square()).exp();
  const auto weighted = along_births * weights(batch, cells).unsqueeze(2);
  return weighted.transpose(1, 2).bmm(along_persistences).flatten(1);
}

Tensor padded_lines(const Padded& batch, const Parameters& parameters) {
  const auto padding = batch.mask.eq(0).unsqueeze(2);
  const auto lines = batch.points.matmul(parameters[0].t()) + parameters[1];
  const auto largest = std::get<0>(lines.masked_fill(padding, -infinity).max(1, true));
  const auto features = lines.matmul(parameters[2]) - largest.matmul(parameters[3]) + parameters[4];
  const auto weighted = features * weights(batch, parameters[5]).unsqueeze(2);
  return std::get<0>(weighted.masked_fill(padding, -infinity).topk(5, 1)).transpose(1, 2).flatten(1);
}

}  // namespace perslay::bench
