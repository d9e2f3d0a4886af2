#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <perslay/diagram/kind.h>
#include <perslay/diagram/transforms.h>
#include <perslay/network/batch.h>
#include <perslay/network/block.h>
#include <perslay/network/graph_batch.h>
#include <perslay/network/layout.h>
#include <perslay/network/rows.h>
#include <perslay/persistence/vertex_diagrams.h>

namespace perslay::network {

/// Diagrams of one heat kernel signature and kind, computed at each step.
struct TrainedGroup {
  std::size_t place = 0;  ///< The group's place among all groups of diagrams.
  std::string filtration{};
  double time = 0;  ///< The start: above 0, at most filtration::HeatSpectrum::longest_time.
  diagram::Kind kind = diagram::Kind::ord0;
};

/// Features that follow a trained time: the quantiles of the signature on the vertices of each graph, see
/// base::quantile_place.
struct TrainedQuantiles {
  std::string filtration{};  ///< That of a group.
  std::size_t column = 0;    ///< The first of them among the features.
  std::size_t count = 0;     ///< How many there are.
  std::vector<double> means{},
      deviations{};  ///< They are standardised by these, one for each; empty: not at all.
  double clip = 0;   ///< Standardised numbers are cut to +-clip; 0: not at all.
};

struct TrainedTimesOptions {
  std::vector<TrainedGroup> groups{};         ///< Groups of the same filtration share a time.
  std::vector<TrainedQuantiles> quantiles{};  ///< Features that are computed with the diagrams.
  bool scale = true;                          ///< Scale diagrams to the unit square.
  double pace = 1;
  bool drop_diagonal = false;              ///< As in persistence::VertexDiagramOptions.
  std::optional<std::size_t> prominent{};  ///< As in persistence::VertexDiagramOptions.
};

/// Heat kernel signatures whose times are trained: graphs in, diagrams out, gradients back to the times by
/// d hks / dt = - sum_k lambda_k exp(-t lambda_k) psi_k^2 and the vertices that the points are.
///
/// Times. t = start exp(pace shift) with one parameter `shift` for each filtration, 0 at first. Times thus
/// stay above 0, and an optimiser whose steps have the size of the rate (Adam) moves log t by pace times the
/// rate. They never exceed filtration::HeatSpectrum::longest_time.
///
/// Scales. Signatures fill an interval that moves with t. With a scale fitted to the first t, diagrams would
/// soon leave the unit square. With a scale fitted at each epoch but constant to the gradient, t would drift,
/// because the network would be rewarded for shifts that the next fit takes back. Therefore fit_scales() finds,
/// for each group, the vertices of the training graphs with the lowest and the highest coordinate. Their values
/// are mapped to 0 and 1 and, as functions of t, take part in the gradient, so only changes of the diagrams'
/// shape count. In evaluation the scale is constant: that of the last fit.
template <class T>
class TrainedTimes {
 public:
  /// Adds `filtrations.heat.shift` to the layout.
  TrainedTimes(TrainedTimesOptions options, Layout& layout);

  /// The results of a pass.
  struct Memory {
    Signatures signatures, anchors;
    std::vector<persistence::VertexDiagrams> diagrams;  ///< Of each group.
    std::vector<Rows<double>> quantile_slopes;          ///< By time, of each entry of options.quantiles.
  };

  /// Computes the diagrams of the trained groups, into their places in `diagrams`, and the features that follow, into
  /// their columns of `features`.
  void forward(std::span<const T> trained, const GraphBatch& batch, const Pass& pass, Memory& memory,
               std::vector<PackedDiagrams<T>>& diagrams, Rows<T>& features) const;

  /// Computes derivatives by the shifts from those by the points of all groups, [place][point][coordinate], and from
  /// those by the features, which begin at a column of `by_features`.
  void backward(std::span<const T> trained, const Memory& memory, const Pass& pass,
                std::span<const std::vector<T>> by_points, const Rows<T>& by_features,
                std::size_t first_feature, std::span<T> gradient) const;

  /// The numbers of the times among the trained ones.
  [[nodiscard]] const Slot& shifts() const noexcept { return shifts_; }

  /// Fits the scales. Call it with all training graphs at the beginning of each epoch, and after the last.
  void fit_scales(std::span<const T> trained, const GraphBatch& training, const base::Context& context);

  /// The current times, one for each filtration.
  [[nodiscard]] std::vector<double> times(std::span<const T> trained) const;

  [[nodiscard]] const std::vector<TrainedGroup>& groups() const noexcept { return options_.groups; }

  /// The lowest and the highest coordinate of each group at the last fit.
  [[nodiscard]] std::span<diagram::UnitScale> scales() noexcept { return scales_; }
  [[nodiscard]] std::span<const diagram::UnitScale> scales() const noexcept { return scales_; }

 private:
  /// One filtration and its groups.
  struct Source {
    double start = 0;
    std::vector<std::size_t> groups{};     // places in options_.groups
    std::vector<std::size_t> quantiles{};  // places in options_.quantiles
    persistence::VertexDiagramOptions persistence{};
  };

  [[nodiscard]] double time(const Source& source, T shift) const;
  void add_quantiles(std::size_t source, std::size_t quantiles, const GraphBatch& batch, const Pass& pass,
                     Memory& memory, Rows<T>& features) const;
  [[nodiscard]] double by_time_of_diagrams(std::size_t source, const Memory& memory, const Pass& pass,
                                           std::span<const std::vector<T>> by_points) const;
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
