#pragma once

#include <cstdint>

/// Counts what the whole program allocates: linking counting_allocator.cpp replaces the global operator new
/// and delete.
namespace perslay::test {

/// Allocations so far.
[[nodiscard]] std::int64_t allocation_count();

/// Bytes that are allocated now.
[[nodiscard]] std::int64_t live_bytes();

/// The largest number of bytes that were allocated at one time since the last reset_peak().
[[nodiscard]] std::int64_t peak_bytes();
void reset_peak();

}  // namespace perslay::test
