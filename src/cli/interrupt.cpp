#include "interrupt.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <semaphore.h>

#include <perslay/io/atomic_file.h>

namespace perslay::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<bool> work_is_done{false};
sem_t interrupt_arrived;

static_assert(std::atomic<bool>::is_always_lock_free);

// A handler instead of a mask with sigwait(): OpenBLAS starts threads while the program is being loaded, before
// any mask could be set, and a signal would reach those.
void handle(int) {
  interrupted.store(true);
  sem_post(&interrupt_arrived);
}

void leave_soon_after_interrupt() {
  while (sem_wait(&interrupt_arrived) != 0) {
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  if (work_is_done.load()) return;
  io::remove_unfinished_files();
  std::_Exit(exit_interrupted);
}

/// Signals that the caller ignores (nohup, a shell's background job) stay ignored.
void watch(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& watch_for_interrupts() {
  sem_init(&interrupt_arrived, 0, 0);
  std::thread(leave_soon_after_interrupt).detach();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) watch(signal);
  return interrupted;
}

void stop_watching_for_interrupts() { work_is_done.store(true); }

}  // namespace perslay::cli
