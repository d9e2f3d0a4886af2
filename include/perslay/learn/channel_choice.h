#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <perslay/learn/model_file.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// Which of network.candidates a stored model has, and how all of them did in the cross-validation that chose it.
struct ChosenChannel {
  std::size_t place = 0;
  std::vector<double> accuracies;
};

/// Nothing if there was no choice.
[[nodiscard]] std::optional<ChosenChannel> chosen_channel(const ModelFile& model);

/// The settings of a stored model with the channel that it has as the only one.
[[nodiscard]] Settings with_chosen_channel(const ModelFile& model);

/// A channel as settings write it: its short form, or { phi = "line:25", weight = "one", op = "sum" }.
[[nodiscard]] std::string channel_name(const ChannelSettings& channel);

}  // namespace perslay::learn
