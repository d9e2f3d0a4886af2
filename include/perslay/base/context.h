#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include <perslay/base/error.h>

namespace perslay::base {

/// How far a stage of work has come. `stage` is a short phrase such as "heat kernel signatures".
struct Progress {
  std::string_view stage;
  std::size_t done = 0;
  std::size_t total = 0;
};

/// Everything about *how* a computation runs, passed to every call that may take long; never global, and
/// without influence on the result except through `seed`.
struct Context {
  /// Worker threads; 0 means one per available processor.
  int threads = 0;

  /// Root of all random streams (see random.h).
  std::uint64_t seed = 0;

  /// Receives progress reports, a few per second, from one thread at a time. May be empty.
  std::function<void(const Progress&)> progress;

  /// Set to true (from any thread or a signal handler) to make running work stop with Fault::cancelled. May
  /// be null.
  const std::atomic<bool>* cancel = nullptr;

  [[nodiscard]] bool cancelled() const noexcept {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
  }

  /// Call it in loops that can take longer than a tenth of a second.
  void stop_if_cancelled() const {
    if (cancelled()) throw Error(Fault::cancelled, "Interrupted.");
  }
};

/// Reports the progress of one long loop to the context's sink, a few times per second; for use on one
/// thread.
class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;

  ProgressMeter(const Context& context, std::string_view stage, std::size_t total,
                Clock::time_point now = Clock::now())
      : context_(context), stage_(stage), total_(total), last_report_(now) {}

  void operator()(std::size_t done) {
    if (context_.progress) (*this)(done, Clock::now());
  }

  void operator()(std::size_t done, Clock::time_point now) {
    if (!context_.progress || now - last_report_ < std::chrono::milliseconds(100)) return;
    last_report_ = now;
    context_.progress({stage_, done, total_});
  }

 private:
  const Context& context_;
  std::string_view stage_;
  std::size_t total_;
  Clock::time_point last_report_;
};

}  // namespace perslay::base
