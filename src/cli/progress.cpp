#include "progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace perslay::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet_time = 1s;  // stages shorter than this are not shown
constexpr auto between_bars = 100ms;
constexpr auto between_lines = 5s;

double fraction(const base::Progress& progress) {
  return progress.total == 0 ? 1.0 : static_cast<double>(progress.done) / static_cast<double>(progress.total);
}

}  // namespace

ProgressDisplay::ProgressDisplay() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressDisplay::show(const base::Progress& progress) {
  const auto now = Clock::now();
  if (progress.stage != stage_) begin(progress.stage, now);
  if (progress.done >= progress.total) {
    clear();
    stage_.clear();
    return;
  }
  if (now < next_) return;
  next_ = now + (on_terminal_ ? Clock::duration(between_bars) : Clock::duration(between_lines));
  if (on_terminal_) {
    draw_bar(progress, std::chrono::duration<double>(now - began_).count());
  } else {
    std::fputs(fmt::format("perslay: {}: {} of {} ({:.0f} %)\n", stage_, progress.done, progress.total,
                           100 * fraction(progress))
                   .c_str(),
               stderr);
  }
}

void ProgressDisplay::begin(std::string_view stage, Clock::time_point now) {
  clear();
  stage_ = stage;
  began_ = now;
  next_ = now + quiet_time;
}

void ProgressDisplay::draw_bar(const base::Progress& progress, double seconds) {
  constexpr std::size_t width = 24;
  const double part = fraction(progress);
  const auto full = std::min(width, static_cast<std::size_t>(part * static_cast<double>(width)));
  const std::string left =
      progress.done == 0 ? "" : fmt::format(", {:.0f} s left", seconds * (1 - part) / part);
  std::fputs(fmt::format("\r\033[K{} [{:#>{}}{:.>{}}] {:.0f} %{}", stage_, "", full, "", width - full,
                         100 * part, left)
                 .c_str(),
             stderr);
  bar_is_drawn_ = true;
}

void ProgressDisplay::clear() {
  if (bar_is_drawn_) std::fputs("\r\033[K", stderr);
  bar_is_drawn_ = false;
}

}  // namespace perslay::cli
