#pragma once

#include "slice_sweep.h"

#include <cstdint>
#include <vector>

namespace perslay::kernel {

/// Working memory of sort_events().
struct SortMemory {
  std::vector<std::uint32_t> bucket, begin;
  std::vector<SliceEvent> events;
};

/// Sorts by key: dealt out to half as many buckets as there are events, evenly between the extreme positions,
/// then std::sort within buckets. O(n) for positions spread out, O(n log n) at worst.
void sort_events(std::vector<SliceEvent>& events, SortMemory& memory);

}  // namespace perslay::kernel
