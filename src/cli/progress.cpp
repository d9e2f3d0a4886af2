#include "progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace perslay::cli {

using namespace std::chrono_literals;

StatusLine::StatusLine() : on_terminal_(::isatty(STDERR_FILENO) == 1) { restart(); }

void StatusLine::restart() {
  clear();
  began_ = Clock::now();
  next_ = began_ + 1s;
}

bool StatusLine::is_due() {
  const auto now = Clock::now();
  if (now < next_) return false;
  next_ = now + (on_terminal_ ? Clock::duration(100ms) : Clock::duration(5s));
  return true;
}

void StatusLine::show(const std::string& text) {
  std::fputs((on_terminal_ ? "\r\033[K" + text : "perslay: " + text + '\n').c_str(), stderr);
  is_drawn_ = on_terminal_;
}

void StatusLine::clear() {
  if (is_drawn_) std::fputs("\r\033[K", stderr);
  is_drawn_ = false;
}

void ProgressDisplay::show(const base::Progress& progress) {
  const auto& [stage, done, total] = progress;
  if (stage != stage_) line_.restart();
  stage_ = stage;
  if (done >= total) {
    line_.clear();
    stage_.clear();
    return;
  }
  if (!line_.is_due()) return;
  constexpr std::size_t width = 24;
  const double part = static_cast<double>(done) / static_cast<double>(total);
  if (!line_.on_terminal())
    return line_.show(fmt::format("{}: {} of {} ({:.0f} %)", stage, done, total, 100 * part));
  const auto full = std::min(width, static_cast<std::size_t>(part * static_cast<double>(width)));
  const std::string left =
      done == 0 ? "" : fmt::format(", {:.0f} s left", line_.seconds() * (1 - part) / part);
  line_.show(
      fmt::format("{} [{:#>{}}{:.>{}}] {:.0f} %{}", stage, "", full, "", width - full, 100 * part, left));
}

}  // namespace perslay::cli
