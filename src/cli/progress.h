#pragma once

#include <chrono>
#include <string>

#include <perslay/base/context.h>

namespace perslay::cli {

/// Shows progress reports on stderr: on a terminal as a bar that is redrawn in place, elsewhere as a line
/// every few seconds; stages that are over within a second are not shown.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay() { clear(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Call it from one thread at a time.
  void show(const base::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  void begin(std::string_view stage, Clock::time_point now);
  void draw_bar(const base::Progress& progress, double seconds);
  void clear();

  bool on_terminal_;
  bool bar_is_drawn_ = false;
  std::string stage_;
  Clock::time_point began_;
  Clock::time_point next_;
};

}  // namespace perslay::cli
