#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <perslay/base/context.h>

namespace perslay::cli {

/// Wipes the status line that stands on the terminal, if there is one. Call it before anything else is printed.
void clear_status_line();

/// A line on stderr about work under way: on a terminal it is redrawn in place, cut to its width, elsewhere it is a new
/// line every few seconds, later every minute. Work that is over within a second is not shown.
class StatusLine {
 public:
  using Clock = std::chrono::steady_clock;

  explicit StatusLine(Clock::time_point now = Clock::now()) { restart(now); }
  ~StatusLine() { clear_status_line(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  [[nodiscard]] static bool on_terminal();

  /// Other work begins.
  void restart(Clock::time_point now = Clock::now());
  /// Whether it is time to show how far the work has come; if so, the next time is later.
  bool is_due(Clock::time_point now = Clock::now());
  static void show(const std::string& text);

 private:
  Clock::time_point began_;
  Clock::time_point next_;
};

/// How fast work goes on, from the moment it is first seen. What had been done by then tells nothing: perhaps an
/// earlier run did it.
class Pace {
 public:
  using Clock = StatusLine::Clock;

  explicit Pace(std::size_t done, Clock::time_point now = Clock::now()) : done_before_(done), began_(now) {}

  /// ", 40 s left", or nothing while that is unknown.
  [[nodiscard]] std::string left(std::size_t done, std::size_t total,
                                 Clock::time_point now = Clock::now()) const;

 private:
  std::size_t done_before_;
  Clock::time_point began_;
};

/// Shows progress reports as a status line, on a terminal with a bar.
class ProgressDisplay {
 public:
  /// Call it from one thread at a time.
  void show(const base::Progress& progress);

 private:
  StatusLine line_;
  std::string stage_;
  Pace pace_{0};
};

}  // namespace perslay::cli
