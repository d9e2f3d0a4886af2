#pragma once

#include <mutex>

#include <pthread.h>

namespace perslay::base {

/// Makes fork() wait until no thread holds the mutex, so that the child finds it free, and what it protects whole. The
/// child has only the thread that forked: what another thread held would be held there for ever. Of two mutexes that
/// one thread holds at a time, call it last for the one that is locked first. Only the first call for a mutex counts.
/// Returns whether it worked, so that it can initialise a constant. Thread-safe.
template <std::mutex& mutex>
bool free_after_fork() {
  static const bool registered =
      pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); }) == 0;
  return registered;
}

}  // namespace perslay::base
