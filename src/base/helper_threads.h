#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace perslay::base {

/// Threads that help their owner and wait in between: starting a thread takes ten times as long as waking one,
/// and a step of training is short. Every thread that hands out work has helpers of its own.
class HelperThreads {
 public:
  HelperThreads() = default;
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;
  ~HelperThreads();

  /// Runs `work` on `helpers` threads and on this one; returns when all have finished. `work` must not throw.
  void run(std::size_t helpers, const std::function<void()>& work);

  /// The helpers of the calling thread.
  static HelperThreads& mine();

 private:
  void help(std::size_t number);
  void wait_for_task(std::uint64_t last);

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

}  // namespace perslay::base
