#include <perslay/base/parallel.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/network/graph_batch.h>

namespace perslay::network {

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

Signatures heat_signatures(std::span<const double> times, const GraphBatch& batch,
                           const base::Context& context) {
  const auto offsets = batch.vertex_offsets();
  const auto vertices = static_cast<std::size_t>(offsets.back());
  Signatures result{std::vector<double>(times.size() * vertices),
                    std::vector<double>(times.size() * vertices)};
  struct Buffer {
    filtration::HeatSpectrum::Buffer spectrum;
    filtration::HeatKernelSignature signature;
  };
  base::parallel_for(
      context, "heat kernel signatures", batch.size(), [] { return Buffer(); },
      [&](std::size_t g, Buffer& buffer) {
        const auto n = static_cast<std::size_t>(batch.graphs[g].vertex_count());
        const auto* spectrum = batch.spectra.empty() ? nullptr : batch.spectra[g].get();
        for (std::size_t i = 0; i < times.size(); ++i) {
          const auto begin = i * vertices + static_cast<std::size_t>(offsets[g]);
          const auto own = std::span(result.values).subspan(begin, n);
          const auto slopes = std::span(result.derivatives).subspan(begin, n);
          if (spectrum != nullptr)
            spectrum->compute(times[i], own, slopes, buffer.spectrum);
          else
            buffer.signature.compute(batch.graphs[g], times.subspan(i, 1), own, slopes);
        }
      });
  return result;
}

}  // namespace perslay::network
