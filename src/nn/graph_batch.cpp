#include <perslay/base/parallel.h>
#include <perslay/nn/graph_batch.h>

namespace perslay::nn {

std::vector<std::int64_t> GraphBatch::vertex_offsets() const {
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(graphs.size() + 1);
  for (const auto& graph : graphs) offsets.push_back(offsets.back() + graph.vertex_count());
  return offsets;
}

std::vector<SharedSpectrum> heat_spectra(std::span<const data::Graph> graphs, const base::Context& context) {
  constexpr std::size_t most_classes = 700;
  std::vector<SharedSpectrum> spectra(graphs.size());
  base::parallel_for(context, "spectra", graphs.size(), [&](std::size_t g) {
    if (filtration::HeatSpectrum::class_count(graphs[g]) <= most_classes)
      spectra[g] = std::make_shared<const filtration::HeatSpectrum>(graphs[g]);
  });
  return spectra;
}

}  // namespace perslay::nn
