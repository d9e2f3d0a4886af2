#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <perslay/base/registry.h>

namespace perslay::learn {

/// How the learning rate changes from step to step.
///
///  - constant: never;
///  - halving:E: it is halved after every E epochs, as the paper's network does on graphs;
///  - cosine: rate (1 + cos(pi x)) / 2, x the part of all steps that is done;
///  - one-cycle (Smith and Topin 2019): in the first 30 % of all steps it rises from rate / 25 to the rate,
///  in
///    the rest it falls to rate / 250000, along half a cosine each time.
struct Schedule {
  enum class Type { constant, halving, cosine, one_cycle };

  Type type = Type::constant;
  std::size_t epochs = 0;  ///< halving: how many epochs pass between two changes.

  /// The factor of the rate in step `step` (from 0) of `epochs_in_all` epochs of `steps` steps each.
  [[nodiscard]] double factor(std::size_t step, std::size_t steps, std::size_t epochs_in_all) const;
};

[[nodiscard]] Schedule parse_schedule(std::string_view name);

/// The names of all schedules, with their help.
[[nodiscard]] const base::Registry<Schedule>& schedules();

}  // namespace perslay::learn
