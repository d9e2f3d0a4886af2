#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <perslay/learn/architecture.h>
#include <perslay/learn/learner.h>
#include <perslay/network/architecture.h>
#include <perslay/network/batch.h>

namespace perslay::learn {

/// The spectra of the graphs of some items, computed once for all folds.
struct ItemSpectra {
  std::shared_ptr<const features::ItemGraphs> graphs{};
  std::vector<network::SharedSpectrum> spectra{};
};

/// The items of a part as a network reads them, batch by batch. Diagrams are scaled and packed when a batch
/// is asked for, so that all folds share one copy of them.
class NetworkData {
 public:
  /// What the part refers to lives as long. `spectra` are those of its items, if they are known. A point that
  /// single precision cannot hold is the user's error.
  NetworkData(const Part& part, const Settings& settings, const base::Context& context,
              const ItemSpectra& spectra = {});

  /// Fills a batch; `places` are places in part.rows.
  void fill(std::span<const std::size_t> places, network::Batch<float>& batch) const;

  /// The graphs of the part, for what is fitted to them; none if no filtration is trained.
  [[nodiscard]] network::GraphBatch all_graphs() const;
  /// Of the part.
  [[nodiscard]] std::span<const int> labels() const noexcept { return labels_; }
  [[nodiscard]] const Part& part() const noexcept { return part_; }
  [[nodiscard]] std::size_t size() const noexcept { return part_.rows.size(); }
  [[nodiscard]] const network::Architecture& architecture() const noexcept { return architecture_; }

 private:
  [[nodiscard]] network::GraphBatch graphs(std::span<const std::size_t> places) const;

  Part part_;
  features::FeatureRows features_;
  network::Architecture architecture_;
  std::vector<bool> from_times_;  // for each group whether its diagrams come from trained times
  std::vector<int> labels_;
  std::vector<network::SharedSpectrum> spectra_;  // per row of the part; empty if no time is trained
};

}  // namespace perslay::learn
