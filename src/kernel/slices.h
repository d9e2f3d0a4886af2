#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace perslay::kernel {

/// So many diagrams make a block; a multiple of the width of vectors.
inline constexpr std::size_t block_size = 64;

/// The height of a diagram's step function changes by `step` (1 or -1) at a position. `place` is the position
/// as an integer in the diagram's own unit, times step; `key` orders positions of all diagrams.
struct SliceEvent {
  std::int64_t key = 0;
  std::int64_t place = 0;
  std::int32_t lane = 0;  ///< The diagram within its block.
  std::int32_t step = 0;
};

/// Integers in the order of numbers, -0 apart; and back.
[[nodiscard]] inline std::int64_t key_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits ^ (bits >> 63 & std::numeric_limits<std::int64_t>::max());
}
[[nodiscard]] inline double position_of(std::int64_t key) {
  return std::bit_cast<double>(key ^ (key >> 63 & std::numeric_limits<std::int64_t>::max()));
}

/// Comes after all events of a block.
inline constexpr SliceEvent last_event{std::numeric_limits<std::int64_t>::max(), 0, 0, 0};

/// Working memory of sort_events().
struct SortMemory {
  std::vector<std::uint32_t> bucket, begin;
  std::vector<SliceEvent> events;
};

/// Sorts by key: events are dealt out to half as many buckets, evenly between the extreme positions; full
/// buckets are sorted, then neighbours are exchanged where they are not in order, which was faster than going
/// from bucket to bucket. O(n) for positions spread out, O(n log n) at worst.
void sort_events(std::vector<SliceEvent>& events, SortMemory& memory);

/// above[0][i][j], for diagrams i of a block A and j of a block B: the sum of `place` over the events of i at
/// which h_j < max(h_i before, h_i after); above[1][j][i] likewise with the roles of A and B exchanged.
struct SliceSums {
  alignas(64) std::int64_t above[2][block_size][block_size];
};

/// Computes these. Events are sorted by key and followed by last_event; `count` is the number of diagrams in
/// a block. All is integer arithmetic, so that the order of events at the same position does not matter for
/// above[0] + above[1] transposed (see sliced_wasserstein.cpp). O(events * block_size).
struct SliceBlock {
  std::span<const SliceEvent> events;  ///< Without the last one.
  std::size_t count = 0;
};
void sweep(const SliceBlock& a, const SliceBlock& b, SliceSums& sums);

/// A block with itself: above[0] alone, in half the time.
void sweep(const SliceBlock& a, SliceSums& sums);

}  // namespace perslay::kernel
