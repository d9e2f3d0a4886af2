#pragma once

#include <perslay/nn/classifier.h>

namespace perslay::nn {

/// How many numbers a network trains. In floating point: names may ask for more than integers hold.
struct NetworkSize {
  double filtrations = 0;
  double channels = 0;  ///< Their norm included.
  double dense = 0;

  [[nodiscard]] double all() const noexcept { return filtrations + channels + dense; }
};

/// The size of the classifier that these would make; nothing is allocated.
[[nodiscard]] NetworkSize network_size(const learn::NetworkSettings& settings, const ClassifierShape& shape);

/// The user's error if the classifier would have more than 2^28 weights.
void refuse_giants(const learn::NetworkSettings& settings, const ClassifierShape& shape);

/// What the diagrams of a kind go through.
[[nodiscard]] const learn::ChannelSettings& channel_of(const learn::NetworkSettings& settings,
                                                       diagram::Kind kind);

/// A channel by its names.
[[nodiscard]] PersLayOptions perslay_options(const learn::ChannelSettings& channel);

}  // namespace perslay::nn
