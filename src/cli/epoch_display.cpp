#include "epoch_display.h"

#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace perslay::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet_time = 1s;  // what is over within this is not shown
constexpr auto between_drawings = 100ms;
constexpr auto between_lines = 5s;

}  // namespace

EpochDisplay::EpochDisplay(const learn::TrainingSettings& training, bool quiet)
    : training_(training),
      quiet_(quiet),
      on_terminal_(::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + quiet_time) {}

EpochDisplay::~EpochDisplay() {
  if (line_is_drawn_) std::fputs("\r\033[K", stderr);
}

void EpochDisplay::show(const learn::Epoch& epoch) {
  const auto now = Clock::now();
  if (quiet_ || now < next_) return;
  next_ = now + (on_terminal_ ? Clock::duration(between_drawings) : Clock::duration(between_lines));
  const std::string net =
      training_.nets == 1 ? "" : fmt::format("net {} of {}, ", epoch.net + 1, training_.nets);
  const std::string text = fmt::format("{}epoch {} of {}: loss {:.4f}, accuracy {:.3f}", net, epoch.epoch + 1,
                                       training_.epochs, epoch.loss, epoch.accuracy);
  std::fputs(fmt::format(fmt::runtime(on_terminal_ ? "\r\033[K{}" : "perslay: {}\n"), text).c_str(), stderr);
  line_is_drawn_ = on_terminal_;
}

}  // namespace perslay::cli
