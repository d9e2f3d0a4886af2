#include "helper_threads.h"

#include <chrono>
#include <memory>

#include <unistd.h>

namespace perslay::base {
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

}  // namespace

HelperThreads::~HelperThreads() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  task_given_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void HelperThreads::run(std::size_t helpers, const std::function<void()>& work) {
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

void HelperThreads::wait_for_task(std::uint64_t last) {
  if (happens_soon([&] { return task_.load() != last; })) return;
  std::unique_lock lock(mutex_);
  task_given_.wait(lock, [&] { return stop_ || task_.load() != last; });
}

void HelperThreads::help(std::size_t number) {
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

HelperThreads& HelperThreads::mine() {
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

}  // namespace perslay::base
