#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/random.h>
#include <perslay/filtration/filtration.h>
#include <perslay/learn/trained_filtrations.h>
#include <perslay/nn/trained_filtrations.h>

namespace perslay::nn {
namespace {

/// Far below what moves a diagram and far above rounding errors.
constexpr double learned_resolution = 0x1p-30;

}  // namespace

TrainedFiltrationsImpl::TrainedFiltrationsImpl(TrainedFiltrationsOptions options, std::uint64_t seed)
    : torch::nn::Module("TrainedFiltrations"), options_(std::move(options)) {
  std::vector<double> times;
  for (std::size_t g = 0; g < options_.groups.size(); ++g) add_source(options_.groups[g], g, times, seed);
  if (!times.empty()) heat_ = register_module("heat", HeatKernel(times, options_.pace));
  anchors_.resize(options_.groups.size());
  const auto count = static_cast<std::int64_t>(options_.groups.size());
  scales_ = register_buffer("scales", torch::tensor({0.0, 1.0}, torch::kFloat64).repeat({count, 1}));
}

void TrainedFiltrationsImpl::add_source(const TrainedGroup& group, std::size_t place,
                                        std::vector<double>& times, std::uint64_t seed) {
  auto source = std::ranges::find(sources_, group.filtration, &Source::filtration);
  if (source == sources_.end()) {
    source = sources_.insert(sources_.end(), Source{group.filtration, {}, {}, nullptr, 0});
    source->persistence = {{}, options_.keep_diagonal, options_.prominent, 0, 1};
    if (learn::is_learned_filtration(group.filtration)) {
      const auto number = sources_.size() - 1;
      source->network = register_module(fmt::format("network{}", number),
                                        VertexNetwork(learn::parse_learned_filtration(group.filtration),
                                                      base::mix_bits(seed + number + 1)));
      source->persistence.resolution = learned_resolution;
    } else {
      source->time = static_cast<std::int64_t>(times.size());
      times.push_back(filtration::parse_filtration(group.filtration).time);
    }
  }
  source->groups.push_back(place);
  source->persistence.kinds.push_back(group.kind);
}

std::vector<RaggedBatch> TrainedFiltrationsImpl::forward(const GraphBatch& batch) {
  torch::Tensor signatures, anchor_values;
  if (has_times()) signatures = heat_->forward(batch);
  if (is_training() && anchor_graphs_.size() > 0) anchor_values = heat_->forward(anchor_graphs_);
  std::vector<std::optional<RaggedBatch>> by_group(options_.groups.size());
  for (auto& source : sources_) {
    const bool learned = !source.network.is_empty();
    const auto values = learned ? source.network->forward(batch) : signatures.select(0, source.time);
    auto diagrams = extended_persistence(values, batch.graphs, source.persistence);
    for (std::size_t k = 0; k < diagrams.size(); ++k) {
      const auto group = source.groups[k];
      auto points = diagrams[k].diagrams.points();
      if (!learned && options_.scale) points = scaled(points, source, group, anchor_values);
      by_group[group].emplace(points.to(torch::kFloat32), diagrams[k].diagrams.offsets());
    }
  }
  std::vector<RaggedBatch> result;
  for (auto& diagrams : by_group) result.push_back(*std::move(diagrams));
  return result;
}

torch::Tensor TrainedFiltrationsImpl::scaled(const torch::Tensor& points, const Source& source,
                                             std::size_t group, const torch::Tensor& anchor_values) const {
  torch::Tensor low, high;
  if (anchor_values.defined() && anchors_[group]) {
    const auto values = anchor_values.select(0, source.time);
    low = values[anchors_[group]->low];
    high = values[anchors_[group]->high];
  } else {
    const auto scale = scales_[static_cast<std::int64_t>(group)];
    low = scale[0];
    high = scale[1];
  }
  if (high.item<double>() <= low.item<double>()) return points * 0;
  return (points - low) / (high - low);
}

void TrainedFiltrationsImpl::fit_scales(const GraphBatch& training) {
  if (!has_times() || !options_.scale) return;
  const torch::NoGradGuard constant;
  anchor_graphs_ = {};
  const auto signatures = heat_->forward(training);
  for (const auto& source : sources_) {
    if (!source.network.is_empty()) continue;
    const auto values = signatures.select(0, source.time);
    const auto extremes = extreme_vertices(values, training.graphs, source.persistence);
    for (std::size_t k = 0; k < extremes.size(); ++k)
      set_anchor(source.groups[k], extremes[k], values, training);
  }
}

void TrainedFiltrationsImpl::set_anchor(std::size_t group, const ExtremeVertices& extremes,
                                        const torch::Tensor& values, const GraphBatch& training) {
  anchors_[group].reset();
  if (extremes.low < 0) return;
  const auto scale = scales_[static_cast<std::int64_t>(group)];
  scale[0] = values[extremes.low];
  scale[1] = values[extremes.high];
  const auto low = add_anchor(training, extremes.low);
  anchors_[group] = {low, add_anchor(training, extremes.high)};
}

std::int64_t TrainedFiltrationsImpl::add_anchor(const GraphBatch& training, std::int64_t vertex) {
  const auto offsets = training.vertex_offsets();
  const auto graph =
      static_cast<std::size_t>(std::ranges::upper_bound(offsets, vertex) - offsets.begin()) - 1;
  const auto own = vertex - offsets[graph];
  const auto begin = anchor_graphs_.vertex_offsets().back();
  const auto* spectrum = training.spectra.empty() ? nullptr : training.spectra[graph].get();
  if (spectrum == nullptr) {
    anchor_graphs_.graphs.push_back(training.graphs[graph]);
    anchor_graphs_.spectra.emplace_back();
    return begin + own;
  }
  anchor_graphs_.graphs.push_back(data::Graph::from_edges(1, {}));
  anchor_graphs_.spectra.push_back(
      std::make_shared<const filtration::HeatSpectrum>(spectrum->at(static_cast<data::Vertex>(own))));
  return begin;
}

void TrainedFiltrationsImpl::fit(const GraphBatch& training) {
  fit_scales(training);
  for (auto& source : sources_)
    if (!source.network.is_empty()) source.network->fit(training);
}

std::vector<double> TrainedFiltrationsImpl::times() const {
  return has_times() ? heat_->times() : std::vector<double>();
}

void TrainedFiltrationsImpl::set_threads(int threads) {
  if (has_times()) heat_->threads = threads;
  for (auto& source : sources_) source.persistence.threads = threads;
}

}  // namespace perslay::nn
