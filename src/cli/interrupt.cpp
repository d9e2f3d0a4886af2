#include "interrupt.h"

#include "progress.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

#include <perslay/io/atomic_file.h>

namespace perslay::cli {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> interrupted{false};
std::atomic<bool> state_is_kept{false};
std::atomic<bool> work_is_done{false};
sem_t interrupt_arrived;

static_assert(std::atomic<bool>::is_always_lock_free);

// A handler instead of a mask with sigwait(): OpenBLAS starts threads while the program is being loaded, before
// any mask could be set, and a signal would reach those.
void handle(int) {
  interrupted.store(true);
  sem_post(&interrupt_arrived);
}

/// Says what happened, unless nobody takes it.
void say_interrupted() {
  pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&standard_error, 1, 0) != 1 || (standard_error.revents & POLLOUT) == 0) return;
  clear_status_line();
  std::fputs("perslay: Interrupted.\n", stderr);
}

void wait_for_state_or_interrupt() {
  // What arrives within the first half second is the same interrupt: a terminal sends it, and so may a parent process.
  while (sem_trywait(&interrupt_arrived) == 0) {
  }
  const auto end = std::chrono::steady_clock::now() + 9500ms;
  while (sem_trywait(&interrupt_arrived) != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(20ms);
}

void leave_soon_after_interrupt() {
  while (sem_wait(&interrupt_arrived) != 0) {
  }
  std::this_thread::sleep_for(500ms);
  if (state_is_kept.load()) wait_for_state_or_interrupt();
  if (work_is_done.load()) return;
  say_interrupted();
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

void allow_time_to_keep_state() { state_is_kept.store(true); }

void stop_watching_for_interrupts() { work_is_done.store(true); }

}  // namespace perslay::cli
