#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <torch/torch.h>

#include <perslay/diagram/kind.h>
#include <perslay/nn/extended_persistence.h>
#include <perslay/nn/graph_batch.h>
#include <perslay/nn/heat_kernel.h>
#include <perslay/nn/ragged_batch.h>
#include <perslay/nn/vertex_network.h>

namespace perslay::nn {

/// Diagrams of one filtration and kind that are computed anew at each step.
struct TrainedGroup {
  std::size_t place = 0;   ///< Among all groups.
  std::string filtration;  ///< "hks:10" or "learned:16x16".
  diagram::Kind kind = diagram::Kind::ord0;
};

struct TrainedFiltrationsOptions {
  std::vector<TrainedGroup> groups{};
  bool scale = true;          ///< Diagrams of heat kernel signatures to the unit square.
  double pace = 1;            ///< Of the heat kernel's times, see HeatKernel.
  bool keep_diagonal = true;  ///< As in ExtendedPersistenceOptions,
  std::optional<std::size_t> prominent{};
};

/// Filtrations as part of a network: vertex functions with parameters, and the diagrams they give.
///
/// Scales. Values of learned functions lie between 0 and 1. Those of heat kernel signatures do too, but fill
/// an interval that moves with t; a scale that was fitted to the first t would soon leave the unit square,
/// and one that is fitted again and again but constant to the gradient would let t drift, since the network
/// would be paid for shifts that the next fit takes back. Therefore fit_scales() finds, for each group, the
/// vertices of the training graphs that give the lowest and the highest coordinate: these two are put to 0
/// and 1, and as functions of t they take part in the gradient. Only what t does to the shape of diagrams
/// counts. In evaluation mode the scale is constant: that of the last fit.
class TrainedFiltrationsImpl : public torch::nn::Module {
 public:
  TrainedFiltrationsImpl(TrainedFiltrationsOptions options, std::uint64_t seed);

  /// The diagrams of each group, in float32.
  std::vector<RaggedBatch> forward(const GraphBatch& batch);

  /// To be called with all training graphs, at the beginning of each epoch.
  void fit_scales(const GraphBatch& training);

  /// To be called with all training graphs after training: fits everything that evaluation mode reads.
  void fit(const GraphBatch& training);

  /// The times of the heat kernel signatures, in the order of their groups.
  [[nodiscard]] std::vector<double> times() const;
  [[nodiscard]] bool has_times() const noexcept { return !heat_.is_empty(); }

  [[nodiscard]] const std::vector<TrainedGroup>& groups() const noexcept { return options_.groups; }

  void set_threads(int threads);

 private:
  /// One vertex function and its groups.
  struct Source {
    std::string filtration;
    std::vector<std::size_t> groups;  // places in options_.groups
    ExtendedPersistenceOptions persistence;
    VertexNetwork network = nullptr;  // empty: the heat kernel signature at
    std::int64_t time = 0;            // this place among times
  };

  void add_source(const TrainedGroup& group, std::size_t place, std::vector<double>& times,
                  std::uint64_t seed);
  void set_anchor(std::size_t group, const ExtremeVertices& extremes, const torch::Tensor& values,
                  const GraphBatch& training);
  /// Gives the place of the vertex among those of `anchor_graphs_`.
  std::int64_t add_anchor(const GraphBatch& training, std::int64_t vertex);
  [[nodiscard]] torch::Tensor scaled(const torch::Tensor& points, const Source& source, std::size_t group,
                                     const torch::Tensor& anchor_values) const;

  TrainedFiltrationsOptions options_;
  std::vector<Source> sources_;
  HeatKernel heat_ = nullptr;
  torch::Tensor scales_;  // float64, [group, 2]: lowest and highest coordinate at the last fit
  // The extremes of each group at the last fit; only their vertices, where there is a spectrum.
  GraphBatch anchor_graphs_;
  std::vector<std::optional<ExtremeVertices>> anchors_;
};
TORCH_MODULE(TrainedFiltrations);

}  // namespace perslay::nn
