#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <perslay/learn/learner.h>
#include <perslay/learn/settings.h>

namespace perslay::cli {

/// Shows the progress of training on stderr: on a terminal as one line that is redrawn, elsewhere as a line every
/// few seconds.
class EpochDisplay {
 public:
  /// `steps` as learn::Learner counts them.
  EpochDisplay(const learn::Settings& settings, std::size_t steps, bool quiet);
  ~EpochDisplay();
  EpochDisplay(const EpochDisplay&) = delete;
  EpochDisplay& operator=(const EpochDisplay&) = delete;

  void show(const learn::Epoch& epoch);

 private:
  [[nodiscard]] std::string text(const learn::Epoch& epoch) const;

  using Clock = std::chrono::steady_clock;

  const learn::Settings& settings_;
  std::size_t steps_;
  bool quiet_;
  bool on_terminal_;
  bool line_is_drawn_ = false;
  Clock::time_point next_;
};

}  // namespace perslay::cli
