#include "run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <perslay/base/error.h>
#include <perslay/base/processors.h>

namespace perslay::python {
namespace {

namespace py = pybind11;

/// A thread that works while the main thread listens. It lives on, because its helpers (see base/parallel.h)
/// are worth keeping, and is never destroyed: the end of the process ends it.
class Worker {
 public:
  Worker() {
    std::thread([this] { work(); }).detach();
  }

  void start(const std::function<void()>& task) {
    {
      const std::scoped_lock lock(mutex_);
      task_ = &task;
    }
    given_.notify_one();
  }

  /// Whether the task is finished, after at most that long.
  bool wait(std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, longest, [this] { return task_ == nullptr; });
  }

  /// That of this process: a fork leaves threads behind.
  static Worker& mine() {
    static pid_t owner = 0;
    static Worker* worker = nullptr;
    if (owner != getpid()) {
      worker = new Worker;  // NOLINT(cppcoreguidelines-owning-memory)
      owner = getpid();
    }
    return *worker;
  }

 private:
  [[noreturn]] void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      given_.wait(lock, [this] { return task_ != nullptr; });
      const auto& task = *task_;
      lock.unlock();
      task();
      lock.lock();
      task_ = nullptr;
      lock.unlock();
      done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable given_, done_;
  const std::function<void()>* task_ = nullptr;
};

/// Python handles signals on this thread only.
bool on_main_thread() { return getpid() == gettid(); }

/// Waits for the worker; a signal handler that raises sets `cancel`, and its exception remains set.
void listen(Worker& worker, std::atomic<bool>& cancel) {
  constexpr std::chrono::milliseconds between_looks(50);
  while (true) {
    {
      const py::gil_scoped_release release;
      if (worker.wait(between_looks)) return;
    }
    if (!cancel && PyErr_CheckSignals() != 0) cancel = true;
  }
}

}  // namespace

base::Context make_context(Threads threads, std::uint64_t seed) {
  base::Context context;
  context.threads = threads.count > 0 ? threads.count : base::default_threads();
  context.seed = seed;
  return context;
}

Threads to_threads(py::handle object) {
  if (object.is_none()) return {};
  constexpr long most = 1 << 30;
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  int overflow = 0;
  const long count = number ? PyLong_AsLongAndOverflow(number.ptr(), &overflow) : 0;
  PyErr_Clear();
  if (count == 0 || overflow != 0 || count > most || count < -most || PyBool_Check(object.ptr()))
    throw base::user_error(
        fmt::format("threads must be the number of threads, or -1 for one per processor, not {}.",
                    py::repr(object).cast<std::string>()));
  if (count > 0) return {static_cast<int>(count)};
  return count == -1 ? Threads{}
                     : Threads{std::max(1, base::default_threads() + 1 + static_cast<int>(count))};
}

std::uint64_t whole_number(py::handle object, const char* what, std::uint64_t most) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  const std::uint64_t value = number ? PyLong_AsUnsignedLongLong(number.ptr()) : 0;
  const bool failed = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (failed || value > most)
    throw base::user_error(fmt::format("{} must be a whole number from 0 to {}, not {}.", what, most,
                                       py::repr(object).cast<std::string>()));
  return value;
}

void detail::run(base::Context context, const std::function<void(const base::Context&)>& work) {
  // The process whose main thread listens, known to that thread alone; a signal handler may call us again. In a child
  // that another thread forked meanwhile, nobody listens yet.
  static pid_t listening = 0;
  if (!on_main_thread() || listening == getpid()) {
    const py::gil_scoped_release release;
    return work(context);
  }

  std::atomic<bool> cancel{false};
  context.cancel = &cancel;
  std::exception_ptr error;
  const std::function<void()> task = [&] {
    try {
      work(context);
    } catch (...) {
      error = std::current_exception();
    }
  };
  auto& worker = Worker::mine();
  listening = getpid();
  worker.start(task);
  listen(worker, cancel);
  listening = 0;
  if (cancel) throw py::error_already_set();
  if (error) std::rethrow_exception(error);
}

}  // namespace perslay::python
