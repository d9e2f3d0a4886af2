#pragma once

#include <atomic>

namespace perslay::cli {

/// The exit code after Ctrl-C.
inline constexpr int exit_interrupted = 130;

/// From now on Ctrl-C, SIGTERM and SIGHUP set the returned flag, so that running work can stop in good order. If
/// the program has not ended half a second later, unfinished files are removed, and it ends at once with
/// exit_interrupted.
const std::atomic<bool>& watch_for_interrupts();

/// From now on there is a state to write after an interrupt: ten seconds instead of half of one, unless the program is
/// interrupted again.
void allow_time_to_keep_state();

/// Call it when the work is done and its files are in place, or when it has stopped: an interrupt no longer matters.
void stop_watching_for_interrupts();

}  // namespace perslay::cli
