#include "slice_sort.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perslay::kernel {
namespace {

bool precedes(const SliceEvent& a, const SliceEvent& b) { return a.key < b.key; }

/// Fewer than events: the counters stay in a nearer cache.
std::size_t bucket_count(std::size_t events) { return events / 2; }

/// The bucket of every event, in the order of positions.
void choose_buckets(const std::vector<SliceEvent>& events, std::vector<std::uint32_t>& bucket) {
  std::int64_t lowest = events[0].key, highest = lowest;
  for (const auto& event : events) {
    lowest = std::min(lowest, event.key);
    highest = std::max(highest, event.key);
  }
  const double low = position_of(lowest), length = position_of(highest) - low;
  const auto last = static_cast<double>(bucket_count(events.size()) - 1);
  const double scale = std::isfinite(last / length) ? last / length : 0;  // 0: all in one
  bucket.resize(events.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    bucket[i] = static_cast<std::uint32_t>(std::min((position_of(events[i].key) - low) * scale, last));
}

using Iterator = std::vector<SliceEvent>::iterator;

/// Most buckets hold a few.
void sort_bucket(Iterator begin, Iterator end) {
  if (end - begin > 16) {
    std::sort(begin, end, precedes);
    return;
  }
  for (auto next = begin; next < end; ++next)
    for (auto at = next; at > begin && precedes(*at, *(at - 1)); --at) std::iter_swap(at, at - 1);
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
  // Where a bucket began, it ends now, and the one before it ends where it began.
  auto first = moved.begin();
  for (std::size_t b = 0; b < buckets; ++b) {
    const auto end = moved.begin() + begin[b];
    sort_bucket(first, end);
    first = end;
  }
  std::swap(events, moved);
}

}  // namespace perslay::kernel
