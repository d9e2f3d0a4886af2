#pragma once

#include "progress.h"

#include <cstddef>
#include <optional>

#include <perslay/learn/learner.h>
#include <perslay/learn/settings.h>

namespace perslay::cli {

/// Shows the progress of training as a status line.
class EpochDisplay {
 public:
  /// `steps` as learn::Learner counts them, of a training on so many items.
  EpochDisplay(const learn::Settings& settings, std::size_t items, std::size_t steps, bool quiet)
      : settings_(settings), items_(items), steps_(steps), quiet_(quiet) {}

  void show(const learn::Epoch& epoch);

 private:
  const learn::Settings& settings_;
  std::size_t items_, steps_;
  bool quiet_;
  StatusLine line_;
  std::optional<Pace> pace_;
};

}  // namespace perslay::cli
