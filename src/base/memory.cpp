#include <unistd.h>

#include <perslay/base/memory.h>

namespace perslay::base {

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace perslay::base
