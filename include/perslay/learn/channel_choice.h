#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <perslay/learn/model_file.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// Whether a model with these settings chooses among network.candidates.
[[nodiscard]] bool chooses_channel(const Settings& settings);

/// The folds of the cross-validation that chooses: network.choice_folds, but not more than the items that it has.
[[nodiscard]] std::size_t choice_folds(const NetworkSettings& network, std::size_t items) noexcept;

/// Which of network.candidates a stored model has, and how all of them did in the cross-validation that chose it.
struct ChosenChannel {
  std::size_t place = 0;
  std::vector<double> accuracies;
};

/// What the arrays of a model with these settings say. Nothing if there was no choice.
[[nodiscard]] std::optional<ChosenChannel> chosen_channel(const Settings& settings,
                                                          std::span<const io::NamedArray> arrays);
[[nodiscard]] std::optional<ChosenChannel> chosen_channel(const ModelFile& model);

/// The settings of a stored model with the channel that it has as the only one.
[[nodiscard]] Settings with_chosen_channel(const ModelFile& model);

/// A channel as settings write it: its short form, or { phi = "line:25", weight = "one", op = "sum" }.
[[nodiscard]] std::string channel_name(const ChannelSettings& channel);

}  // namespace perslay::learn
