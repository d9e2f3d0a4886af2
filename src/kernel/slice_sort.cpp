#include "slices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perslay::kernel {
namespace {

bool precedes(const SliceEvent& a, const SliceEvent& b) { return a.key < b.key; }

/// There are fewer buckets than events, so that the counters stay in a nearer cache.
std::size_t bucket_count(std::size_t events) { return events / 2; }

/// Chooses the bucket of every event; buckets are in the order of positions.
void choose_buckets(const std::vector<SliceEvent>& events, std::vector<std::uint32_t>& bucket) {
  std::int64_t lowest = events[0].key, highest = lowest;
  for (const auto& event : events) {
    lowest = std::min(lowest, event.key);
    highest = std::max(highest, event.key);
  }
  const double low = position_of(lowest), length = position_of(highest) - low;
  const auto last = static_cast<double>(bucket_count(events.size()) - 1);
  const double scale = std::isfinite(last / length) ? last / length : 0;  // 0 puts all events in one bucket
  bucket.resize(events.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    bucket[i] = static_cast<std::uint32_t>(std::min((position_of(events[i].key) - low) * scale, last));
}

/// Sorts events that are nearly in order.
void sort_neighbours(std::vector<SliceEvent>& events) {
  for (std::size_t next = 1; next < events.size(); ++next) {
    if (!precedes(events[next], events[next - 1])) continue;
    const SliceEvent moving = events[next];
    std::size_t at = next;
    for (; at > 0 && precedes(moving, events[at - 1]); --at) events[at] = events[at - 1];
    events[at] = moving;
  }
}

}  // namespace

void sort_events(std::vector<SliceEvent>& events, SortMemory& memory) {
  if (events.size() < 64 || events.size() > std::numeric_limits<std::uint32_t>::max() / 2) {
    std::ranges::sort(events, precedes);
    return;
  }
  auto& [bucket, begin, moved] = memory;
  choose_buckets(events, bucket);
  const std::size_t buckets = bucket_count(events.size());
  begin.assign(buckets + 1, 0);
  for (const auto b : bucket) ++begin[b + 1];
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) begin[b + 1] += begin[b];
  moved.reserve(events.capacity());
  moved.resize(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) moved[begin[bucket[i]]++] = events[i];
  // begin[b] has become the end of bucket b, where the next bucket begins. Most buckets hold a few events.
  std::uint32_t first = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    if (begin[b] - first > 16) std::sort(moved.begin() + first, moved.begin() + begin[b], precedes);
    first = begin[b];
  }
  sort_neighbours(moved);
  std::swap(events, moved);
}

}  // namespace perslay::kernel
