#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <perslay/diagram/kind.h>
#include <perslay/diagram/transforms.h>
#include <perslay/network/block.h>
#include <perslay/network/graph_batch.h>
#include <perslay/network/input.h>
#include <perslay/network/layout.h>
#include <perslay/persistence/vertex_diagrams.h>

namespace perslay::network {

/// Diagrams of one heat kernel signature and kind, which are computed anew at each step.
struct TrainedGroup {
  std::size_t place = 0;  ///< Among all groups of diagrams.
  std::string filtration{};
  double time = 0;  ///< Where it starts: above 0, at most filtration::HeatSpectrum::longest_time.
  diagram::Kind kind = diagram::Kind::ord0;
};

struct TrainedTimesOptions {
  std::vector<TrainedGroup> groups{};  ///< Those of the same filtration share a time.
  bool scale = true;                   ///< Diagrams to the unit square.
  double pace = 1;
  bool drop_diagonal = false;              ///< As in persistence::VertexDiagramOptions.
  std::optional<std::size_t> prominent{};  ///< As in persistence::VertexDiagramOptions.
};

/// Heat kernel signatures whose times are trained: graphs in, diagrams out, gradients back to the times by
/// d hks / dt = - sum_k lambda_k exp(-t lambda_k) psi_k^2 and the vertices that the points are.
///
/// Times. t = start exp(pace shift) with one parameter `shift` for each filtration, 0 at first. Times thus
/// stay above 0, and an optimiser whose steps have the size of the rate (Adam) moves log t by pace times the
/// rate. They are cut off at filtration::HeatSpectrum::longest_time.
///
/// Scales. Signatures fill an interval that moves with t; a scale that was fitted to the first t would soon
/// leave the unit square, and one that is fitted again and again but constant to the gradient would let t
/// drift, since the network would be paid for shifts that the next fit takes back. Therefore fit_scales()
/// finds, for each group, the vertices of the training graphs that give the lowest and the highest
/// coordinate: these two are put to 0 and 1, and as functions of t they take part in the gradient. Only what
/// t does to the shape of diagrams counts. In evaluation the scale is constant: that of the last fit.
template <class T>
class TrainedTimes {
 public:
  /// Adds `filtrations.heat.shift` to the layout.
  TrainedTimes(TrainedTimesOptions options, Layout& layout);

  /// What a pass computes.
  struct Memory {
    Signatures signatures, anchors;
    std::vector<persistence::VertexDiagrams> diagrams;  ///< Of each group.
  };

  /// Fills the places of the trained groups in `diagrams`.
  void forward(std::span<const T> trained, const GraphBatch& batch, const Pass& pass, Memory& memory,
               std::vector<PackedDiagrams<T>>& diagrams) const;

  /// From the derivatives by the points of all groups, [place][point][coordinate], to those by the shifts.
  void backward(std::span<const T> trained, const Memory& memory, const Pass& pass,
                std::span<const std::vector<T>> by_points, std::span<T> gradient) const;

  /// To be called with all training graphs at the beginning of each epoch, and after the last.
  void fit_scales(std::span<const T> trained, const GraphBatch& training, const base::Context& context);

  /// The times as they are now, one for each filtration.
  [[nodiscard]] std::vector<double> times(std::span<const T> trained) const;

  [[nodiscard]] const std::vector<TrainedGroup>& groups() const noexcept { return options_.groups; }

  /// The lowest and the highest coordinate of each group at the last fit.
  [[nodiscard]] std::span<diagram::UnitScale> scales() noexcept { return scales_; }
  [[nodiscard]] std::span<const diagram::UnitScale> scales() const noexcept { return scales_; }

 private:
  /// One filtration and its groups.
  struct Source {
    double start = 0;
    std::vector<std::size_t> groups{};  // places in options_.groups
    persistence::VertexDiagramOptions persistence{};
  };

  [[nodiscard]] double time(const Source& source, T shift) const;
  /// Of a group: constant, or with derivatives by t.
  struct Scale {
    diagram::UnitScale range{};
    double min_slope = 0, max_slope = 0;
  };
  [[nodiscard]] Scale scale_of(std::size_t source, std::size_t group, const Memory& memory,
                               const Pass& pass) const;
  /// Gives the place of the vertex among those of anchor_graphs_.
  std::size_t add_anchor(const GraphBatch& training, std::int64_t vertex);

  TrainedTimesOptions options_;
  std::vector<Source> sources_;
  Slot shifts_;
  std::vector<diagram::UnitScale> scales_;
  // The extremes of each group at the last fit; only their vertices, where there is a spectrum.
  struct Anchor {
    std::size_t low = 0, high = 0;
  };
  GraphBatch anchor_graphs_;
  std::vector<std::optional<Anchor>> anchors_;
};

extern template class TrainedTimes<float>;
extern template class TrainedTimes<double>;

}  // namespace perslay::network
