#include "epoch_display.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include <perslay/learn/models.h>
#include <perslay/learn/schedule.h>

namespace perslay::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet_time = 1s;  // training that ends within it is not shown
constexpr auto between_drawings = 100ms;
constexpr auto between_lines = 5s;

}  // namespace

EpochDisplay::EpochDisplay(const learn::Settings& settings, std::size_t steps, bool quiet)
    : settings_(settings),
      steps_(steps),
      quiet_(quiet),
      on_terminal_(::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + quiet_time) {}

EpochDisplay::~EpochDisplay() {
  if (line_is_drawn_) std::fputs("\r\033[K", stderr);
}

std::string EpochDisplay::text(const learn::Epoch& epoch) const {
  const auto judged = fmt::format("loss {:.4f}, accuracy {:.3f}", epoch.loss, epoch.accuracy);
  if (!model_kind(settings_).has_epochs)
    return fmt::format("candidate {} of {}: {}", epoch.epoch + 1, steps_, judged);
  const auto& training = settings_.training;
  const std::string net =
      training.nets == 1 ? "" : fmt::format("net {} of {}, ", epoch.net + 1, training.nets);
  return fmt::format("{}epoch {} of {}: {}", net, epoch.epoch + 1, learn::effective_epochs(training), judged);
}

void EpochDisplay::show(const learn::Epoch& epoch) {
  const auto now = Clock::now();
  if (quiet_ || now < next_) return;
  next_ = now + (on_terminal_ ? Clock::duration(between_drawings) : Clock::duration(between_lines));
  std::fputs(fmt::format(fmt::runtime(on_terminal_ ? "\r\033[K{}" : "perslay: {}\n"), text(epoch)).c_str(),
             stderr);
  line_is_drawn_ = on_terminal_;
}

}  // namespace perslay::cli
