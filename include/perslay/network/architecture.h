#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <perslay/layer/channel.h>
#include <perslay/layer/initialise.h>
#include <perslay/network/trained_times.h>

namespace perslay::network {

/// The channel of one group of diagrams.
struct ChannelPlan {
  layer::Channel perslay{};
  std::optional<layer::Convolution> convolution{};  ///< Over the image of a Gaussian grid.
  /// Whether the channel was written as one of the paper's short forms. Its arrays are then called
  /// channel0.perslay.phi.births, ... instead of channel0.phi.births, ...
  bool paper = true;

  /// Numbers per diagram that the dense layers read.
  [[nodiscard]] std::size_t size() const {
    if (!convolution) return perslay.size();
    const auto& [filters, side] = *convolution;
    return filters * (perslay.phi.count + 1 - side) * (perslay.phi.rows + 1 - side);
  }
};

/// The shape of a network (figure 1 of the paper): trained times first, if there are any; then an independent
/// PersLay for each group of diagrams, side by side with the features; then rho: dropout of its inputs, hidden
/// layers with batch norm, ReLU and dropout, and a dense layer with one output per class.
struct Architecture {
  std::vector<ChannelPlan> channels{};  ///< One for each group of diagrams.
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

/// Throws the user's error if the network has nothing to read or would have more than 2^28 weights.
void require_sensible(const Architecture& architecture);

}  // namespace perslay::network
