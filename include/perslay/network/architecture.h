#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <perslay/layer/channel.h>
#include <perslay/layer/initialise.h>
#include <perslay/network/trained_times.h>

namespace perslay::network {

/// A channel of a group of diagrams.
struct ChannelPlan {
  layer::Channel perslay{};
  std::optional<layer::Convolution> convolution{};
  /// Whether the arrays of the PersLay are called channel0.perslay.phi.births, ... instead of channel0.phi.births, ...
  /// It is so for the paper's short forms and for channels with a convolution.
  bool nested = true;

  /// Numbers per diagram that the dense layers read.
  [[nodiscard]] std::size_t size() const {
    if (!convolution) return perslay.size();
    const auto maps = convolution->filters * convolution->places(layer::image_of(perslay));
    return convolution->of_points ? maps * perslay.op.width() : maps;
  }
};

/// The shape of a network (figure 1 of the paper): trained times first, if there are any; then an independent
/// PersLay, or several, for each group of diagrams, side by side with the features; then rho: dropout of its inputs,
/// hidden layers with batch norm, ReLU and dropout, and a dense layer with one output per class.
struct Architecture {
  std::vector<ChannelPlan> channels{};
  std::vector<std::size_t> groups{};  ///< The group that each channel reads. Empty: channel i reads group i.
  std::size_t features = 0;
  std::size_t outputs = 2;
  std::vector<std::size_t> hidden{};
  bool batch_norm = false;    ///< After each hidden layer, before its ReLU.
  bool channel_norm = false;  ///< Batch norm of the channels' outputs.
  double input_dropout = 0;
  double dropout = 0;  ///< After each hidden layer.
  layer::Initialisation initialisation = layer::Initialisation::ours;
  TrainedTimesOptions times{};
  /// Multiply convolutions into the dense layer that reads them, if nothing stands between the two. Faster;
  /// the numbers are the same up to rounding.
  bool fold = true;

  [[nodiscard]] std::size_t group_of(std::size_t channel) const {
    return groups.empty() ? channel : groups.at(channel);
  }
  /// Whether a convolution follows an operation, and whether `fold` says of it what it does.
  [[nodiscard]] bool convolves() const;
  [[nodiscard]] bool folds() const { return fold && convolves() && !channel_norm && input_dropout == 0; }
};

/// The numbers that a network trains, counted in floating point: names may ask for more than integers hold.
struct WeightCounts {
  double times = 0;
  double channels = 0;  ///< Their norm included.
  double dense = 0;

  [[nodiscard]] double all() const noexcept { return times + channels + dense; }
};

/// The numbers that a network of this architecture would train; nothing is allocated.
[[nodiscard]] WeightCounts weight_counts(const Architecture& architecture);

/// The bytes that a network in single precision takes while a batch of so many items passes through it: its numbers,
/// what every block gives, the chosen points, numbers_at_once of points that are convolved; for training also
/// derivatives and what the optimiser keeps. About as many, and not less. Batch and trained times are not counted.
[[nodiscard]] double bytes_of_pass(const Architecture& architecture, std::size_t items, bool training);

/// Throws the user's error if the network has nothing to read or would have more than 2^28 weights.
void require_sensible(const Architecture& architecture);

}  // namespace perslay::network
