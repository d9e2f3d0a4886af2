#include "network_data.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

/// What the diagrams of a group go through; from 0 to 1 where they are not scaled.
diagram::PlaneScale scale_of(const Preparation& preparation, std::size_t group) {
  return preparation.scales.empty() ? diagram::PlaneScale{{0, 1}, {0, 1}} : preparation.scales[group];
}

/// The diagrams of some items.
void gather(const diagram::DiagramBatch& diagrams, const Part& part, std::span<const std::size_t> places,
            const diagram::PlaneScale& scale, network::PackedDiagrams<float>& packed) {
  packed.offsets.assign(1, 0);
  for (const auto place : places)
    packed.offsets.push_back(packed.offsets.back() +
                             static_cast<std::int64_t>(diagrams[part.rows[place]].size()));
  packed.points.resize(2 * static_cast<std::size_t>(packed.offsets.back()));
  for (std::size_t i = 0; i < places.size(); ++i)
    scale(diagrams[part.rows[places[i]]], packed.points.data() + 2 * packed.offsets[i]);
}

/// The network computes in single precision, where numbers that were finite may not be.
void require_finite(const Part& part, std::size_t group) {
  const auto scale = scale_of(part.preparation, group);
  std::vector<float> numbers;
  for (const auto row : part.rows) {
    const auto points = part.items.groups[group].diagrams[row];
    numbers.resize(2 * points.size());
    scale(points, numbers.data());
    const auto bad = std::ranges::find_if_not(numbers, [](float x) { return std::isfinite(x); });
    if (bad == numbers.end()) continue;
    const auto& [birth, death] = points[static_cast<std::size_t>(bad - numbers.begin()) / 2];
    throw base::user_error(fmt::format(
        "Item {}: The point ({}, {}) of {} is too large for a network, which computes in single precision.",
        row, base::shortest(birth), base::shortest(death), part.items.groups[group].title()));
  }
}

/// Those of the part's rows.
std::vector<network::SharedSpectrum> spectra_of(const Part& part, const ItemSpectra& known,
                                                const base::Context& context) {
  const auto& items = part.items.graphs;
  if (known.graphs == items) {
    std::vector<network::SharedSpectrum> spectra;
    for (const auto row : part.rows) spectra.push_back(known.spectra[row]);
    return spectra;
  }
  std::vector<data::Graph> graphs;
  for (const auto row : part.rows) graphs.push_back(items->graphs[row]);
  return network::heat_spectra(graphs, context);
}

}  // namespace

NetworkData::NetworkData(const Part& part, const Settings& settings, const base::Context& context,
                         const ItemSpectra& spectra)
    : part_(part),
      features_(part.preparation.features(part.items, part.rows, context)),
      architecture_(learn::architecture(settings, part.items, part.preparation.features)),
      from_times_(settings.network.use_diagrams ? part.items.groups.size() : 0) {
  for (const auto& group : architecture_.times.groups) from_times_[group.place] = true;
  for (std::size_t g = 0; g < from_times_.size(); ++g)
    if (!from_times_[g]) require_finite(part, g);
  if (!part.items.labels.empty()) labels_ = part.labels();
  if (!architecture_.times.groups.empty()) spectra_ = spectra_of(part, spectra, context);
}

void NetworkData::fill(std::span<const std::size_t> places, network::Batch<float>& batch) const {
  batch.diagrams.resize(from_times_.size());
  for (std::size_t g = 0; g < from_times_.size(); ++g)
    if (!from_times_[g])
      gather(part_.items.groups[g].diagrams, part_, places, scale_of(part_.preparation, g),
             batch.diagrams[g]);
  if (!architecture_.times.groups.empty()) batch.graphs = graphs(places);
  const auto columns = features_.columns;
  batch.features.resize(places.size(), columns);
  for (std::size_t i = 0; i < places.size(); ++i)
    std::copy_n(features_.values.begin() + static_cast<std::ptrdiff_t>(places[i] * columns), columns,
                batch.features.row(i).begin());
}

network::GraphBatch NetworkData::graphs(std::span<const std::size_t> places) const {
  network::GraphBatch batch;
  for (const auto place : places) {
    batch.graphs.push_back(part_.items.graphs->graphs[part_.rows[place]]);
    batch.spectra.push_back(spectra_[place]);
  }
  return batch;
}

network::GraphBatch NetworkData::all_graphs() const {
  if (architecture_.times.groups.empty()) return {};
  const auto places = all_rows(size());
  return graphs(places);
}

}  // namespace perslay::learn
