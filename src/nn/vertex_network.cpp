#include "fill.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/random.h>
#include <perslay/nn/vertex_network.h>

namespace perslay::nn {
namespace {

constexpr std::int64_t inputs = VertexNetworkImpl::inputs;
constexpr std::int64_t label_places = inputs - 1;

/// A dense layer with He's initial weights.
torch::nn::Linear dense(std::int64_t in, std::int64_t out, base::RandomStream& random) {
  torch::nn::Linear layer(in, out);
  fill_uniform(layer->weight, std::sqrt(6 / static_cast<double>(in)), random);
  fill_uniform(layer->bias, 0.1, random);
  return layer;
}

torch::Tensor in_float64(const torch::nn::Linear& layer, const torch::Tensor& values) {
  return torch::addmm(layer->bias.to(torch::kFloat64), values, layer->weight.to(torch::kFloat64).t());
}

/// log(1 + degree) and the label, [V, inputs].
torch::Tensor vertex_features(const GraphBatch& batch, std::int64_t vertices) {
  const auto features = torch::zeros({vertices, inputs}, torch::kFloat64);
  auto* row = features.data_ptr<double>();
  for (const auto& graph : batch.graphs)
    for (data::Vertex v = 0; v < graph.vertex_count(); ++v, row += inputs) *row = std::log1p(graph.degree(v));
  row = features.data_ptr<double>();
  for (const int label : batch.node_labels) {
    row[1 + (label % label_places + label_places) % label_places] = 1;
    row += inputs;
  }
  return features;
}

/// The adjacency matrix of all graphs, every entry divided by the root of both degrees.
class Neighbours {
 public:
  Neighbours(const GraphBatch& batch, std::int64_t vertices) : vertices_(vertices) {
    std::vector<std::int64_t> from, to;
    std::vector<double> factors;
    for (std::int64_t begin = 0; const auto& graph : batch.graphs) {
      for (data::Vertex v = 0; v < graph.vertex_count(); ++v)
        for (const data::Vertex w : graph.neighbours(v)) {
          to.push_back(begin + v);
          from.push_back(begin + w);
          factors.push_back(1 / std::sqrt(static_cast<double>(graph.degree(v)) * graph.degree(w)));
        }
      begin += graph.vertex_count();
    }
    from_ = torch::tensor(from, torch::kInt64);
    to_ = torch::tensor(to, torch::kInt64);
    factors_ = torch::tensor(factors, torch::kFloat64).unsqueeze(1);
  }

  [[nodiscard]] torch::Tensor sum(const torch::Tensor& rows) const {
    return torch::zeros({vertices_, rows.size(1)}, torch::kFloat64)
        .index_add(0, to_, rows.index_select(0, from_) * factors_);
  }

 private:
  std::int64_t vertices_;
  torch::Tensor from_, to_, factors_;
};

}  // namespace

VertexNetworkImpl::VertexNetworkImpl(const std::vector<std::size_t>& widths, std::uint64_t seed)
    : torch::nn::Module("VertexNetwork"), widths_(widths) {
  base::RandomStream random(seed, 0x76657274);
  auto width = static_cast<std::int64_t>(widths_.front());
  input_ = register_module("input", dense(inputs, width, random));
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    const auto next = static_cast<std::int64_t>(widths_[i]);
    layers_.push_back({register_module(fmt::format("layer{}a", i), dense(width, next, random)),
                       register_module(fmt::format("layer{}b", i), dense(next, next, random))});
    width = next;
  }
  output_ = register_module("output", dense(width, 1, random));
  mean_ = register_buffer("mean", torch::zeros({1}, torch::kFloat64));
  variance_ = register_buffer("variance", torch::ones({1}, torch::kFloat64));
}

torch::Tensor VertexNetworkImpl::forward(const GraphBatch& batch) {
  const auto values = before_squashing(batch);
  const bool own = is_training() && values.numel() > 0;
  const auto mean = own ? values.mean() : mean_;
  const auto variance = own ? values.var(false) : variance_;
  constexpr double epsilon = 1e-5, spread = 2;  // two deviations lie within 0.02 ... 0.98
  return torch::sigmoid(spread * (values - mean) / (variance + epsilon).sqrt());
}

void VertexNetworkImpl::fit(const GraphBatch& batch) {
  const torch::NoGradGuard constant;
  const auto values = before_squashing(batch);
  if (values.numel() == 0) return;
  mean_.fill_(values.mean());
  variance_.fill_(values.var(false));
}

torch::Tensor VertexNetworkImpl::before_squashing(const GraphBatch& batch) const {
  const auto vertices = batch.vertex_offsets().back();
  const Neighbours neighbours(batch, vertices);
  auto values = in_float64(input_, vertex_features(batch, vertices));
  for (const auto& [first, second] : layers_) {
    const auto together = values + neighbours.sum(values);
    values = torch::relu(in_float64(second, torch::relu(in_float64(first, together))));
  }
  return in_float64(output_, values).squeeze(1);
}

void VertexNetworkImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("VertexNetwork({})", fmt::join(widths_, ", "));
}

}  // namespace perslay::nn
