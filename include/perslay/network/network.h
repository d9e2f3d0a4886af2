#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <perslay/network/architecture.h>
#include <perslay/network/batch.h>
#include <perslay/network/block.h>
#include <perslay/network/channels.h>
#include <perslay/network/convolved.h>
#include <perslay/network/layout.h>
#include <perslay/network/trained_times.h>

namespace perslay::network {

/// What one pass computes and the next one reuses; one object for each thread that uses a network.
template <class T>
struct Workspace {
  std::vector<PackedDiagrams<T>> diagrams{};  ///< The batch's, with those of trained times filled in.
  Rows<T> features{};                         ///< Likewise, if there are trained times.
  typename TrainedTimes<T>::Memory times{};
  typename Channels<T>::Memory channels{};
  std::vector<Rows<T>> values{};           ///< Before the first block, and after each.
  std::vector<std::vector<T>> memories{};  ///< One for each block.
  Rows<T> gradient{}, next_gradient{};     ///< By values.back(), and by the values before it.
  std::vector<std::vector<T>> by_points{};

  /// The output of forward(), one row per item.
  [[nodiscard]] const Rows<T>& output() const { return values.back(); }
};

/// A network: channels side by side with features, then a list of blocks, over one flat array of parameters.
///
/// Arrays are called `filtrations.heat.shift`, `channel0.perslay.phi.births`, `channel0.convolution.weight`,
/// `channel_norm.weight`, `dense0.weight`, `norm0.weight`, ... Random numbers at the start come
/// from the seed alone. forward() and backward() change nothing but the workspace; several threads may use one
/// network, each with its own.
template <class T>
class Network {
 public:
  /// Throws the user's error if require_sensible() does.
  Network(Architecture architecture, std::uint64_t seed);

  /// Computes the outputs of a batch, into work.output().
  void forward(const Batch<T>& batch, const Pass& pass, Workspace<T>& work) const;

  /// From work.gradient, the derivatives of a loss by work.output(), computes those by all trained numbers, in
  /// their order, into `gradient`. Call it after forward() with the same batch, pass and workspace. It uses up
  /// work.gradient.
  void backward(const Batch<T>& batch, const Pass& pass, Workspace<T>& work, std::span<T> gradient) const;

  /// Call it after a step of training: updates running moments by what forward() saw of the batch.
  void fit_moments(const Workspace<T>& work);

  /// The trained numbers; those of trained times are the first.
  [[nodiscard]] std::span<T> trained() noexcept { return trained_; }
  [[nodiscard]] std::span<const T> trained() const noexcept { return trained_; }
  [[nodiscard]] const Layout& trained_layout() const noexcept { return trained_layout_; }
  /// The fitted numbers: running moments.
  [[nodiscard]] std::span<T> fitted() noexcept { return fitted_; }
  [[nodiscard]] std::span<const T> fitted() const noexcept { return fitted_; }
  [[nodiscard]] const Layout& fitted_layout() const noexcept { return fitted_layout_; }

  /// The trained times; null unless the architecture has trained groups.
  [[nodiscard]] TrainedTimes<T>* times() noexcept { return times_ ? &*times_ : nullptr; }
  [[nodiscard]] const TrainedTimes<T>* times() const noexcept { return times_ ? &*times_ : nullptr; }

  [[nodiscard]] const Architecture& architecture() const noexcept { return architecture_; }

 private:
  void add_channels(std::uint64_t seed);
  void add_head(std::uint64_t seed);
  void add_norm(const std::string& name, std::size_t columns);
  Slot add_array(std::string name, std::vector<std::int64_t> shape, T start = 0);
  [[nodiscard]] const std::vector<PackedDiagrams<T>>& diagrams(const Batch<T>& batch,
                                                               const Workspace<T>& work) const {
    return times_ ? work.diagrams : batch.diagrams;
  }

  Architecture architecture_;
  Layout trained_layout_, fitted_layout_;
  std::vector<T> trained_, fitted_;
  std::optional<TrainedTimes<T>> times_;
  std::vector<bool> wants_points_;  // of each group
  std::optional<Channels<T>> channels_;
  std::vector<Segment> segments_;
  std::vector<std::unique_ptr<const Block<T>>> blocks_;
  std::size_t first_dense_ = 0;  // among the blocks
};

extern template class Network<float>;
extern template class Network<double>;

}  // namespace perslay::network
