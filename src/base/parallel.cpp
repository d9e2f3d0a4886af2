#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include <unistd.h>

#include <perslay/base/parallel.h>
#include <perslay/base/processors.h>

namespace perslay::base {

int worker_count(const Context& context) {
  return context.threads > 0 ? std::min(context.threads, most_threads) : available_processors();
}

namespace detail {
namespace {

/// Waits for something that often happens at once, without going to sleep. False if it has not happened.
template <class Condition>
bool happens_soon(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition()) return true;
      std::this_thread::yield();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// Threads that help their owner and wait in between: starting a thread takes ten times as long as waking one,
/// and a step of training is short. Every thread that hands out work has helpers of its own.
class HelperThreads {
 public:
  HelperThreads() = default;
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;
  ~HelperThreads() {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    task_given_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  /// Runs `work` on `helpers` threads and on this one; returns when all have finished. `work` must not throw.
  void run(std::size_t helpers, const std::function<void()>& work) {
    if (helpers == 0) return work();
    if (busy_) {  // a loop within a loop, on the thread that owns the outer one
      HelperThreads others;
      return others.run(helpers, work);
    }
    {
      const std::scoped_lock lock(mutex_);
      while (threads_.size() < helpers)
        threads_.emplace_back([this, number = threads_.size()] { help(number); });
      work_ = &work;
      wanted_ = helpers;
      pending_ = helpers;
      ++task_;
    }
    task_given_.notify_all();
    busy_ = true;
    work();
    const auto finished = [this] { return pending_.load() == 0; };
    if (!happens_soon(finished)) {
      std::unique_lock lock(mutex_);
      task_done_.wait(lock, finished);
    }
    busy_ = false;
  }

  /// The helpers of the calling thread.
  static HelperThreads& mine() {
    // A fork copies the thread that calls it and no other: the child starts anew, and leaves what it was copied
    // alone.
    thread_local std::unique_ptr<HelperThreads> helpers;
    thread_local pid_t owner = 0;
    if (owner != getpid()) {
      static_cast<void>(helpers.release());
      helpers = std::make_unique<HelperThreads>();
      owner = getpid();
    }
    return *helpers;
  }

 private:
  void wait_for_task(std::uint64_t last) {
    if (happens_soon([&] { return task_.load() != last; })) return;
    std::unique_lock lock(mutex_);
    task_given_.wait(lock, [&] { return stop_ || task_.load() != last; });
  }

  void help(std::size_t number) {
    std::uint64_t last = 0;
    while (true) {
      wait_for_task(last);
      const std::function<void()>* work = nullptr;
      {
        const std::scoped_lock lock(mutex_);
        if (stop_) return;
        last = task_;
        if (number < wanted_) work = work_;
      }
      if (work == nullptr) continue;
      (*work)();
      {
        const std::scoped_lock lock(mutex_);
        --pending_;
      }
      task_done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable task_given_, task_done_;
  const std::function<void()>* work_ = nullptr;
  std::size_t wanted_ = 0;                // helpers that take part in the task
  std::atomic<std::size_t> pending_ = 0;  // of them, those that have not finished
  std::atomic<std::uint64_t> task_ = 0;   // number of the task
  bool stop_ = false;
  bool busy_ = false;  // seen by the owner alone
  std::vector<std::thread> threads_;
};

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
