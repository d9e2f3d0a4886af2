#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <torch/torch.h>

#include <perslay/learn/learner.h>
#include <perslay/nn/classifier.h>
#include <perslay/nn/graph_batch.h>

namespace perslay::nn {

/// The spectra of the graphs of some items, computed once for all folds.
struct ItemSpectra {
  std::shared_ptr<const features::ItemGraphs> graphs{};
  std::vector<SharedSpectrum> spectra{};
};

/// The items of a part as tensors, batch by batch. Diagrams are scaled and packed when a batch is asked for,
/// so that all folds share one copy of them.
class Batches {
 public:
  /// Without diagrams if the network reads none. `spectra` are those of the part's items, if they are known.
  Batches(const learn::Part& part, const learn::Settings& settings, const base::Context& context,
          const ItemSpectra& spectra = {});

  /// `places` are places in part.rows.
  [[nodiscard]] ClassifierInput input(std::span<const std::size_t> places) const;
  /// The graphs of all items, for what is fitted to them; none if no filtration is trained.
  [[nodiscard]] GraphBatch all_graphs() const;
  /// [B], int64.
  [[nodiscard]] torch::Tensor labels(std::span<const std::size_t> places) const;

  [[nodiscard]] std::size_t size() const noexcept { return part_.rows.size(); }

  [[nodiscard]] ClassifierShape shape() const;

 private:
  [[nodiscard]] GraphBatch graphs(std::span<const std::size_t> places) const;

  learn::Part part_;
  std::size_t groups_;
  features::Matrix features_;
  TrainedFiltrationsOptions trained_;
  std::vector<SharedSpectrum> spectra_;  // per row of the part; empty if no heat kernel is trained
};

}  // namespace perslay::nn
