#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <perslay/base/parallel.h>

namespace perslay::base {

/// Items per chunk: enough to be worth a call, few enough for all threads to have work.
inline constexpr std::size_t chunk_size = 64;

[[nodiscard]] inline std::size_t chunk_count(std::size_t items) noexcept {
  return (items + chunk_size - 1) / chunk_size;
}

/// Calls `body(first, count)`, in parallel, for chunks of `size` that cover 0 ... items - 1. They do not depend
/// on the number of threads.
template <class Body>
void for_chunks(const Context& context, std::string_view stage, std::size_t items, Body&& body,
                std::size_t size = chunk_size) {
  parallel_for(context, stage, (items + size - 1) / size, [&](std::size_t chunk) {
    const std::size_t first = chunk * size;
    body(first, std::min(size, items - first));
  });
}

}  // namespace perslay::base
