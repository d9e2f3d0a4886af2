#include "helper_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include <perslay/base/parallel.h>

namespace perslay::base {

int worker_count(const Context& context) {
  constexpr int most = 256;  // threads are kept, and a thousand would serve nobody
  if (context.threads > 0) return std::min(context.threads, most);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace detail {
namespace {

/// What the workers of one loop share.
class Loop {
 public:
  Loop(const Context& context, std::string_view stage, std::size_t count)
      : context_(context), stage_(stage), count_(count), meter_(context, stage, count) {}

  void work(const std::function<Worker()>& make_worker) {
    std::size_t item = 0;
    try {
      const Worker worker = make_worker();
      while (!stopped_.load() && (item = next_.fetch_add(1, std::memory_order_relaxed)) < count_) {
        context_.stop_if_cancelled();
        worker(item);
        done_.fetch_add(1, std::memory_order_relaxed);
        report();
      }
    } catch (...) {
      fail(item);
    }
  }

  void finish() {
    if (error_) std::rethrow_exception(error_);
    if (context_.progress) context_.progress({stage_, count_, count_});
  }

 private:
  // Items are claimed in ascending order and a claimed item always runs, so every item below the lowest
  // failing one has run: which error is kept does not depend on timing.
  void fail(std::size_t item) {
    const std::scoped_lock lock(mutex_);
    stopped_.store(true);
    if (!error_ || item < failed_item_) {
      error_ = std::current_exception();
      failed_item_ = item;
    }
  }

  void report() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) meter_(done_.load(std::memory_order_relaxed));
  }

  const Context& context_;
  std::string_view stage_;
  std::size_t count_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t failed_item_ = std::numeric_limits<std::size_t>::max();
  ProgressMeter meter_;
};

}  // namespace

void run_parallel(const Context& context, std::string_view stage, std::size_t count,
                  const std::function<Worker()>& make_worker) {
  Loop loop(context, stage, count);
  const auto workers = std::min(static_cast<std::size_t>(worker_count(context)), count);
  if (workers > 0) HelperThreads::mine().run(workers - 1, [&] { loop.work(make_worker); });
  loop.finish();
}

}  // namespace detail
}  // namespace perslay::base
