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

/// Sorts by key: events are dealt out to half as many buckets, evenly between the extreme positions; full
/// buckets are sorted, then neighbours are exchanged where they are not in order, which was faster than going
/// from bucket to bucket. O(n) for positions spread out, O(n log n) at worst.
void sort_events(std::vector<SliceEvent>& events, SortMemory& memory);

}  // namespace perslay::kernel
