#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/graph.h>
#include <perslay/filtration/heat_spectrum.h>

namespace perslay::network {

using SharedSpectrum = std::shared_ptr<const filtration::HeatSpectrum>;

/// Graphs one after the other. Numbers per vertex are packed in the same way: graph g's vertices are
/// vertex_offsets()[g] ... vertex_offsets()[g + 1] - 1.
struct GraphBatch {
  std::vector<data::Graph> graphs;
  /// The spectrum of each graph, for its heat kernel signatures. Null, or no spectra at all, where signatures
  /// are computed without one.
  std::vector<SharedSpectrum> spectra{};

  [[nodiscard]] std::size_t size() const noexcept { return graphs.size(); }
  [[nodiscard]] std::vector<std::int64_t> vertex_offsets() const;
};

/// The spectra of graphs; null for graphs of more than 700 classes of twins, because a spectrum takes q^2
/// doubles for q classes.
[[nodiscard]] std::vector<SharedSpectrum> heat_spectra(std::span<const data::Graph> graphs,
                                                       const base::Context& context = {});

/// Heat kernel signatures of all vertices and their derivatives by t, [time][vertex] each. Signatures are
/// snapped (see HeatKernelOptions), so that the pairing of persistence does not depend on rounding.
struct Signatures {
  std::vector<double> values, derivatives;
};

/// Computes signatures. Each time is above 0 and at most filtration::HeatSpectrum::longest_time. The bytes are
/// the same for any number of threads.
[[nodiscard]] Signatures heat_signatures(std::span<const double> times, const GraphBatch& batch,
                                         const base::Context& context = {});

}  // namespace perslay::network
