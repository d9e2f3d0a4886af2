#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <perslay/base/registry.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// How the learning rate changes from step to step.
///
///  - constant: never;
///  - halving:E: it is halved after every E epochs, as the paper's network does on graphs;
///  - cosine: rate (1 + cos(pi x)) / 2, x the part of all steps that is done;
///  - one-cycle (Smith and Topin 2019): in the first 30 % of all steps it rises from rate / 25 to the rate,
///    in the rest it falls to rate / 250000, along half a cosine each time.
struct Schedule {
  enum class Type { constant, halving, cosine, one_cycle };

  Type type = Type::constant;
  std::size_t epochs = 0;  ///< halving: how many epochs pass between two changes.

  /// The factor of the rate in step `step` (from 0) of `epochs_in_all` epochs of `steps` steps each.
  [[nodiscard]] double factor(std::size_t step, std::size_t steps, std::size_t epochs_in_all) const;

  /// How many of `epochs_in_all` epochs are worth running. With a rate that was halved 24 times, all epochs
  /// to come together move a weight by less than 2^-23 of what it may move before the first halving, which is
  /// the precision of a float: halving:20 is over after 480 epochs. The other schedules use all their epochs.
  [[nodiscard]] std::size_t effective_epochs(std::size_t epochs_in_all) const noexcept;
};

[[nodiscard]] Schedule parse_schedule(std::string_view name);

/// How many epochs training by these settings runs.
[[nodiscard]] std::size_t effective_epochs(const TrainingSettings& settings);

/// The names of all schedules, with their help.
[[nodiscard]] const base::Registry<Schedule>& schedules();

}  // namespace perslay::learn
