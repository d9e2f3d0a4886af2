#pragma once

#include <unistd.h>

namespace perslay::base {

/// The physical memory of this machine, in bytes.
[[nodiscard]] inline double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace perslay::base
