#include "nn/cases.h"

#include <cmath>
#include <limits>

namespace perslay::test {
namespace {

Tensor uniform(torch::IntArrayRef shape, double low, double high, base::RandomStream& random) {
  auto values = torch::empty(shape, torch::kFloat64);
  std::generate_n(values.data_ptr<double>(), values.numel(), [&] { return random.uniform(low, high); });
  return values;
}

Tensor offsets_of(const std::vector<std::int64_t>& sizes) {
  auto offsets = torch::zeros({static_cast<std::int64_t>(sizes.size()) + 1}, torch::kInt64);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    offsets[static_cast<std::int64_t>(i) + 1] = offsets[static_cast<std::int64_t>(i)] + sizes[i];
  return offsets;
}

Tensor random_points(std::int64_t count, base::RandomStream& random) {
  auto points = uniform({count, 2}, 0, 1, random);
  points.select(1, 1) = points.select(1, 0) + 0.9 * points.select(1, 1) - 0.05;
  return points;
}

}  // namespace

const std::vector<std::string>& phis() {
  static const std::vector<std::string> names{"triangle:5",
                                              "betti:5",
                                              "flat:5",
                                              "entropy:5",
                                              "flat-entropy:5",
                                              "gaussian:5",
                                              "gaussian:5:widths=each",
                                              "gaussian:5x3",
                                              "gaussian:5:axes=birth-death",
                                              "gaussian:5x3:axes=birth-death",
                                              "hofer:5:nu=0.3",
                                              "hofer:5:widths=each",
                                              "exponential:5",
                                              "rational:5",
                                              "rational-hat:5",
                                              "rational-hat:5:norm=2",
                                              "line:5",
                                              "mixture:triangle+gaussian+line:5",
                                              "mixture:entropy:6+hofer:6+gaussian:3x2"};
  return names;
}

const std::vector<std::string>& weights() {
  static const std::vector<std::string> names{
      "one", "constant", "grid:4x4:low=0:high=1", "grid:3x5", "power:0.5", "power:1", "power:2", "gmix:3"};
  return names;
}

const std::vector<std::string>& operations() {
  static const std::vector<std::string> names{"sum", "mean", "max", "min", "kth:2", "topk:3"};
  return names;
}

const std::vector<std::vector<layer::Equivariant>>& stacks() {
  using layer::Pool;
  static const std::vector<std::vector<layer::Equivariant>> stacks{
      {},
      {{4, Pool::max}},
      {{4, Pool::min}, {3, Pool::sum}},
      {{4, Pool::mean}, {3, Pool::none}, {6, Pool::max}}};
  return stacks;
}

void for_each_channel(const std::function<void(const layer::Channel&)>& body, std::size_t stride) {
  std::size_t index = 0;
  for (const auto& phi : phis())
    for (const auto& stack : stacks())
      for (const auto& weight : weights())
        for (const auto& operation : operations())
          if (index++ % stride == 0)
            body({layer::parse_point_transform(phi), stack, layer::parse_weight(weight),
                  layer::parse_operation(operation)});
}

std::vector<Tensor> random_parameters(const layer::Channel& channel, base::RandomStream& random) {
  std::vector<Tensor> parameters;
  for (const auto& [name, shape] : channel.parameters()) {
    const std::string kind = name.substr(name.rfind('.') + 1);
    double low = 0, high = 1;  // samples, births, persistences, centres
    if (kind == "steepness") low = 5, high = 10;
    if (kind == "sharpness" || kind == "exponent") low = 1, high = 3;
    if (kind == "radius") low = -0.7, high = -0.2;
    if (kind == "directions" || kind == "bias" || kind == "lambda" || kind == "gamma" || kind == "logits" ||
        kind == "amplitudes")
      low = -1;
    if (kind == "cells" || kind == "constant") low = -0.5, high = 1.5;
    parameters.push_back(uniform(shape, low, high, random));
  }
  return parameters;
}

nn::RaggedBatch random_batch(const std::vector<std::int64_t>& sizes, base::RandomStream& random) {
  const auto offsets = offsets_of(sizes);
  return {random_points(offsets[-1].item<std::int64_t>(), random), offsets};
}

nn::RaggedBatch awkward_batch(base::RandomStream& random) {
  const auto fixed = torch::tensor({{0.2, 0.7},  // alone
                                    {0.1, 0.6},
                                    {0.1, 0.6},
                                    {0.3, 0.4},
                                    {0.3, 0.4},
                                    {0.3, 0.4},  // twice, thrice
                                    {0.0, 0.25},
                                    {0.25, 0.5},
                                    {0.25, 1.0},
                                    {0.5, 0.5},
                                    {0.75, 0.75},  // on borders
                                    {-0.4, 0.3},
                                    {0.6, 1.7},
                                    {-1.0, 2.0},
                                    {0.8, 0.5},
                                    {1.2, 1.2}},  // outside
                                   torch::kFloat64);
  return {torch::cat({fixed, random_points(37, random)}), offsets_of({0, 1, 5, 5, 0, 5, 37, 0})};
}

Tensor slopes(const Tensor& out) {
  return torch::cos(torch::arange(out.numel(), out.options().dtype(torch::kFloat64)) * 0.7 + 0.3)
      .reshape(out.sizes())
      .to(out.dtype());
}

Result differentiate(const Forward& forward, const nn::RaggedBatch& batch,
                     const std::vector<Tensor>& parameters) {
  std::vector<Tensor> inputs{batch.points().detach().requires_grad_()};
  for (const auto& parameter : parameters) inputs.push_back(parameter.detach().requires_grad_());
  const auto out = forward({inputs[0], batch.offsets()}, {inputs.begin() + 1, inputs.end()});

  Result result{out.detach(), {}};
  if (out.requires_grad())
    result.gradients = torch::autograd::grad({(out * slopes(out)).sum()}, inputs, {}, false, false, true);
  result.gradients.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!result.gradients[i].defined()) result.gradients[i] = torch::zeros_like(inputs[i]);
  return result;
}

Result fused(const layer::Channel& channel, const nn::RaggedBatch& batch,
             const std::vector<Tensor>& parameters, int threads) {
  return differentiate(
      [&](const auto& points, const auto& arrays) {
        return nn::fused_forward(channel, points, arrays, {}, threads);
      },
      batch, parameters);
}

Result plain(const layer::Channel& channel, const nn::RaggedBatch& batch,
             const std::vector<Tensor>& parameters) {
  return differentiate(
      [&](const auto& points, const auto& arrays) { return nn::plain_forward(channel, points, arrays); },
      batch, parameters);
}

double relative_error(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  if (a.numel() == 0) return 0;
  const auto expected = b.to(torch::kFloat64);
  const double error = (a.to(torch::kFloat64) - expected).abs().max().item<double>();
  const double result = error / (1 + expected.abs().max().item<double>());
  return std::isnan(result) ? std::numeric_limits<double>::infinity() : result;
}

double relative_error(const Result& a, const Result& b) {
  double worst = relative_error(a.out, b.out);
  for (std::size_t i = 0; i < b.gradients.size(); ++i)
    worst = std::max(worst, relative_error(a.gradients[i], b.gradients[i]));
  return worst;
}

}  // namespace perslay::test
