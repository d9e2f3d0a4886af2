#include "require_memory.h"

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/memory.h>

namespace perslay::learn {

void require_memory(const Cost& cost, std::size_t items) {
  constexpr double gigabyte = 1e9;
  if (cost.bytes > base::machine_memory())
    throw base::user_error(
        fmt::format("Learning from {} items would need about {:.1f} GB, and this machine has {:.1f} GB; take "
                    "fewer items, "
                    "or another model.",
                    items, cost.bytes / gigabyte, base::machine_memory() / gigabyte));
}

}  // namespace perslay::learn
