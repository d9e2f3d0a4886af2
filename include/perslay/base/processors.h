#pragma once

#include <filesystem>
#include <optional>

namespace perslay::base {

/// Threads are kept, and a thousand would serve nobody.
inline constexpr int most_threads = 256;

/// The processors that this process may use, from 1 to most_threads: those that the scheduler gives it (taskset), but
/// no more than the quota of its control groups, rounded up. The quota is read once.
[[nodiscard]] int available_processors();

/// The number of threads where the user asks for none: PERSLAY_THREADS; else the first number of OMP_NUM_THREADS; else
/// available_processors(). A PERSLAY_THREADS that is no integer from 1 to most_threads is the user's error. An
/// OMP_NUM_THREADS that the OpenMP standard does not allow is ignored. The program and the Python package ask here; a
/// Context with 0 threads does not look at the environment.
[[nodiscard]] int default_threads();

namespace detail {

/// What the two variables say: null is a variable that is not set, and an empty one says nothing.
[[nodiscard]] std::optional<int> threads_in(const char* perslay_threads, const char* omp_num_threads);

/// How many processors the control groups of this process (Linux, version 1 or 2) may use at a time, perhaps a
/// fraction; nothing if they have no limit. The lowest quota of the group and those above it counts. Files are looked
/// for below `root`.
[[nodiscard]] std::optional<double> processor_quota(const std::filesystem::path& root);

}  // namespace detail
}  // namespace perslay::base
