#pragma once

#include <chrono>
#include <string>

#include <perslay/base/context.h>

namespace perslay::cli {

/// A line on stderr about work under way: on a terminal it is redrawn in place, elsewhere it is a new line every few
/// seconds. Work that is over within a second is not shown.
class StatusLine {
 public:
  using Clock = std::chrono::steady_clock;

  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  [[nodiscard]] bool on_terminal() const noexcept { return on_terminal_; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

  /// Other work begins.
  void restart();
  /// Whether it is time to show how far the work has come; if so, the next time is later.
  bool is_due();
  void show(const std::string& text);
  void clear();

 private:
  bool on_terminal_;
  bool is_drawn_ = false;
  Clock::time_point began_;
  Clock::time_point next_;
};

/// Shows progress reports as a status line, on a terminal with a bar.
class ProgressDisplay {
 public:
  /// Call it from one thread at a time.
  void show(const base::Progress& progress);

 private:
  StatusLine line_;
  std::string stage_;
};

}  // namespace perslay::cli
