#pragma once

#include <algorithm>

#include <sys/resource.h>
#include <unistd.h>

namespace perslay::base {

/// The memory that this process may have, in bytes: that of the machine, or less if `ulimit -v` or `ulimit -d` say so.
[[nodiscard]] inline double machine_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  for (const auto what : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  }
  return bytes;
}

/// What a computation may plan to take of it. Data, the program, other programs and what estimates leave out need the
/// rest.
[[nodiscard]] inline double usable_memory() { return 0.75 * machine_memory(); }

}  // namespace perslay::base
