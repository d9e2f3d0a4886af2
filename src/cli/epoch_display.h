#pragma once

#include <chrono>

#include <perslay/learn/learner.h>
#include <perslay/learn/settings.h>

namespace perslay::cli {

/// Shows on stderr how training goes: on a terminal in one line that is redrawn, elsewhere by a line every
/// few seconds.
class EpochDisplay {
 public:
  EpochDisplay(const learn::TrainingSettings& training, bool quiet);
  ~EpochDisplay();
  EpochDisplay(const EpochDisplay&) = delete;
  EpochDisplay& operator=(const EpochDisplay&) = delete;

  void show(const learn::Epoch& epoch);

 private:
  using Clock = std::chrono::steady_clock;

  const learn::TrainingSettings& training_;
  bool quiet_;
  bool on_terminal_;
  bool line_is_drawn_ = false;
  Clock::time_point next_;
};

}  // namespace perslay::cli
