#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <perslay/base/hidden.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// The part of a graph's heat kernel signatures that is the same at all times: rates of decay and squared modes
/// of its quotient by its twins. Use it where one graph needs signatures at many times.
///
/// Costs O(q^3) time once and q^2 doubles for q classes of twins; then a signature takes q^2 operations. Safe
/// to read from several threads.
class HeatSpectrum {
 public:
  static constexpr double longest_time = 1000;

  explicit HeatSpectrum(const data::Graph& graph);

  /// Buffers of compute(), one object per thread.
  class Buffer {
   public:
    Buffer();

   private:
    friend class HeatSpectrum;
    struct Work;
    base::Hidden<Work> work_;
  };

  /// values[v] = hks_t(v), snapped, and derivatives[v] = d hks_t(v) / dt, as accurate as HeatKernelSignature
  /// computes them, for 0 <= t <= longest_time.
  void compute(double time, std::span<double> values, std::span<double> derivatives, Buffer& buffer) const;

  /// The spectrum of one vertex, as if the graph had no other: a signature then takes q operations.
  [[nodiscard]] HeatSpectrum at(data::Vertex vertex) const;

  [[nodiscard]] std::size_t vertex_count() const noexcept { return class_of_.size(); }

  /// The number of classes of twins of a graph. O(n + m).
  [[nodiscard]] static std::size_t class_count(const data::Graph& graph);

 private:
  HeatSpectrum() = default;

  std::vector<std::int32_t> class_of_;  // per vertex; the last class is that of isolated vertices
  std::vector<double> rates_;           // ascending
  std::vector<double> squares_;         // [mode][class]: the signature's weight of a mode
  std::vector<double> twin_rates_;      // per class: at which what twins do not share decays,
  std::vector<double> twin_weights_;    // and its weight: 1 - 1 / size
  bool has_isolated_ = false;
};

}  // namespace perslay::filtration
