#include "progress.h"

#include "output.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace perslay::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto wipe = "\r\033[K";

std::atomic<bool> is_drawn{false};

/// A longer line would go on in the next, where redrawing leaves it. Texts are ASCII.
std::string cut_to_terminal(const std::string& text) {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return text.substr(0, (known ? size.ws_col : 80U) - 1U);
}

}  // namespace

void clear_status_line() {
  if (is_drawn.exchange(false)) std::fputs(wipe, stderr);
}

bool StatusLine::on_terminal() {
  static const bool yes = [] {
    const char* const type = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): the program changes none
    return ::isatty(STDERR_FILENO) == 1 && type != nullptr && std::string_view(type) != "dumb";
  }();
  return yes;
}

void StatusLine::restart(Clock::time_point now) {
  clear_status_line();
  began_ = now;
  next_ = began_ + 1s;
}

bool StatusLine::is_due(Clock::time_point now) {
  if (now < next_) return false;
  next_ = now + (on_terminal() ? Clock::duration(100ms)
                               : std::clamp<Clock::duration>((now - began_) / 10, 5s, 60s));
  return true;
}

void StatusLine::show(const std::string& text) {
  const auto line = on_terminal() ? wipe + cut_to_terminal(text) : "perslay: " + text + '\n';
  std::fputs(line.c_str(), stderr);
  is_drawn = on_terminal();
}

std::string Pace::left(std::size_t done, std::size_t total, Clock::time_point now) const {
  if (done <= done_before_ || done > total) return "";
  const std::chrono::duration<double> spent = now - began_;
  return fmt::format(", {} left", duration(spent.count() / static_cast<double>(done - done_before_) *
                                           static_cast<double>(total - done)));
}

void ProgressDisplay::show(const base::Progress& progress) {
  const auto& [stage, done, total] = progress;
  if (done >= total) {
    clear_status_line();
    stage_.clear();
    return;
  }
  if (stage != stage_) {
    line_.restart();
    stage_ = stage;
    pace_ = Pace(done);
  }
  if (!line_.is_due()) return;
  const auto left = pace_.left(done, total);
  const double part = static_cast<double>(done) / static_cast<double>(total);
  if (!StatusLine::on_terminal())
    return StatusLine::show(fmt::format("{}: {} of {} ({:.0f} %){}", stage, done, total, 100 * part, left));
  constexpr std::size_t width = 24;
  const auto full = std::min(width, static_cast<std::size_t>(part * static_cast<double>(width)));
  StatusLine::show(
      fmt::format("{} [{:#>{}}{:.>{}}] {:.0f} %{}", stage, "", full, "", width - full, 100 * part, left));
}

}  // namespace perslay::cli
