#include "batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::nn {
namespace {

/// x -> factor (x - origin), as diagram::UnitScale has it.
struct Affine {
  double origin = 0;
  double factor = 1;

  float operator()(double x) const noexcept { return static_cast<float>((x - origin) * factor); }
};

Affine affine(const diagram::UnitScale& scale) {
  return {scale.min, scale.max > scale.min ? 1 / (scale.max - scale.min) : 0};
}

struct PlaneMap {
  Affine births, deaths;
};

PlaneMap plane_map(const learn::Preparation& preparation, std::size_t group) {
  if (preparation.scales.empty()) return {};
  return {affine(preparation.scales[group].births), affine(preparation.scales[group].deaths)};
}

/// The diagrams of some items.
RaggedBatch gather(const diagram::DiagramBatch& diagrams, const learn::Part& part,
                   std::span<const std::size_t> places, const PlaneMap& scale) {
  const auto offsets = torch::empty({static_cast<std::int64_t>(places.size()) + 1}, torch::kInt64);
  auto* offset = offsets.data_ptr<std::int64_t>();
  offset[0] = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    offset[i + 1] = offset[i] + static_cast<std::int64_t>(diagrams[part.rows[places[i]]].size());
  const auto points = torch::empty({offset[places.size()], 2});
  auto* out = points.data_ptr<float>();
  for (const auto place : places)
    for (const auto& point : diagrams[part.rows[place]]) {
      *out++ = scale.births(point.birth);
      *out++ = scale.deaths(point.death);
    }
  return {points, offsets};
}

/// The network computes in single precision, where numbers that were finite may not be.
void require_finite(const learn::Part& part, std::size_t group) {
  const auto& diagrams = part.items.groups[group].diagrams;
  const auto scale = plane_map(part.preparation, group);
  for (const auto row : part.rows)
    for (const auto& [birth, death] : diagrams[row])
      if (!std::isfinite(scale.births(birth)) || !std::isfinite(scale.deaths(death)))
        throw base::user_error(
            fmt::format("Item {}: The point ({}, {}) of {} is too large for a network, which computes in "
                        "single precision.",
                        row, base::shortest(birth), base::shortest(death), part.items.groups[group].title()));
}

/// In the place of diagrams that are computed from graphs.
RaggedBatch no_points(std::size_t items) {
  return {torch::empty({0, 2}), torch::zeros({static_cast<std::int64_t>(items) + 1}, torch::kInt64)};
}

TrainedFiltrationsOptions trained_groups(const learn::Part& part, const learn::Settings& settings) {
  TrainedFiltrationsOptions trained;
  const auto& groups = part.items.groups;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (learn::is_trained_filtration(settings, groups[g].filtration))
      trained.groups.push_back({g, groups[g].filtration, groups[g].kind});
  trained.scale = settings.network.scale != learn::Scaling::none;
  trained.pace = settings.network.filtration_pace;
  trained.keep_diagonal = settings.data.keep_diagonal;
  trained.prominent = learn::prominent_points(settings.data);
  if (!trained.groups.empty() && part.items.graphs == nullptr)
    throw base::user_error("A filtration is to be trained, but the items came without their graphs.");
  return trained;
}

/// Those of the part's rows.
std::vector<SharedSpectrum> spectra_of(const learn::Part& part, const ItemSpectra& known,
                                       const base::Context& context) {
  const auto& items = part.items.graphs;
  if (known.graphs == items) {
    std::vector<SharedSpectrum> spectra;
    for (const auto row : part.rows) spectra.push_back(known.spectra[row]);
    return spectra;
  }
  std::vector<data::Graph> graphs;
  for (const auto row : part.rows) graphs.push_back(items->graphs[row]);
  return heat_spectra(graphs, context);
}

}  // namespace

Batches::Batches(const learn::Part& part, const learn::Settings& settings, const base::Context& context,
                 const ItemSpectra& spectra)
    : part_(part),
      groups_(settings.network.use_diagrams ? part.items.groups.size() : 0),
      features_(part.preparation.features(part.items, part.rows, context)),
      trained_(trained_groups(part, settings)) {
  for (std::size_t g = 0; g < groups_; ++g) require_finite(part, g);
  const auto needs_spectra = [](const TrainedGroup& group) {
    return !learn::is_learned_filtration(group.filtration);
  };
  if (std::ranges::any_of(trained_.groups, needs_spectra)) spectra_ = spectra_of(part, spectra, context);
}

ClassifierInput Batches::input(std::span<const std::size_t> places) const {
  ClassifierInput input;
  const auto is_trained = [&](std::size_t g) {
    return std::ranges::find(trained_.groups, g, &TrainedGroup::place) != trained_.groups.end();
  };
  for (std::size_t g = 0; g < groups_; ++g)
    input.diagrams.push_back(is_trained(g) ? no_points(places.size())
                                           : gather(part_.items.groups[g].diagrams, part_, places,
                                                    plane_map(part_.preparation, g)));
  input.graphs = graphs(places);
  const auto columns = features_.columns;
  input.features =
      torch::empty({static_cast<std::int64_t>(places.size()), static_cast<std::int64_t>(columns)});
  auto* out = input.features.data_ptr<float>();
  for (const auto place : places) {
    const auto row = features_.values.begin() + static_cast<std::ptrdiff_t>(place * columns);
    out = std::copy_n(row, columns, out);
  }
  return input;
}

GraphBatch Batches::graphs(std::span<const std::size_t> places) const {
  GraphBatch batch;
  if (trained_.groups.empty()) return batch;
  const auto& all = *part_.items.graphs;
  for (const auto place : places) {
    const auto row = part_.rows[place];
    batch.graphs.push_back(all.graphs[row]);
    if (!spectra_.empty()) batch.spectra.push_back(spectra_[place]);
    if (all.node_labels.empty()) continue;
    const auto labels = all.node_labels.begin();
    batch.node_labels.insert(batch.node_labels.end(), labels + all.vertex_offsets[row],
                             labels + all.vertex_offsets[row + 1]);
  }
  return batch;
}

GraphBatch Batches::all_graphs() const {
  std::vector<std::size_t> places(size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return graphs(places);
}

torch::Tensor Batches::labels(std::span<const std::size_t> places) const {
  const auto labels = torch::empty({static_cast<std::int64_t>(places.size())}, torch::kInt64);
  std::transform(places.begin(), places.end(), labels.data_ptr<std::int64_t>(),
                 [&](std::size_t place) { return part_.items.labels[part_.rows[place]]; });
  return labels;
}

ClassifierShape Batches::shape() const {
  ClassifierShape shape;
  for (std::size_t g = 0; g < groups_; ++g) shape.groups.push_back(part_.items.groups[g].kind);
  shape.features = static_cast<std::int64_t>(features_.columns);
  shape.classes = static_cast<std::int64_t>(part_.items.classes.size());
  shape.trained = trained_;
  return shape;
}

}  // namespace perslay::nn
