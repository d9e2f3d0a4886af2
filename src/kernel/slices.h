#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace perslay::kernel {

/// The number of diagrams of a block, a multiple of the width of vectors.
inline constexpr std::size_t block_size = 64;

/// A change of the height of a diagram's step function by `step` (1 or -1) at a position. `place` is the position
/// as an integer in the diagram's own unit, times step; `key` orders positions of all diagrams.
struct SliceEvent {
  std::int64_t key = 0;
  std::int64_t place = 0;
  std::int32_t lane = 0;  ///< The diagram within its block.
  std::int32_t step = 0;
};

/// Integers in the order of numbers, except that -0 is below 0. position_of() is the inverse.
[[nodiscard]] inline std::int64_t key_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits ^ (bits >> 63 & std::numeric_limits<std::int64_t>::max());
}
[[nodiscard]] inline double position_of(std::int64_t key) {
  return std::bit_cast<double>(key ^ (key >> 63 & std::numeric_limits<std::int64_t>::max()));
}

/// The event that comes after all events of a block.
inline constexpr SliceEvent last_event{std::numeric_limits<std::int64_t>::max(), 0, 0, 0};

/// Working memory of sort_events().
struct SortMemory {
  std::vector<std::uint32_t> bucket, begin;
  std::vector<SliceEvent> events;
};

/// Sorts events by key. It deals them out to half as many buckets, evenly between the extreme positions, sorts
/// full buckets, and then exchanges neighbours that are not in order; going from bucket to bucket was slower.
/// The cost is O(n) where positions are spread out and O(n log n) at worst.
void sort_events(std::vector<SliceEvent>& events, SortMemory& memory);

/// Sums for diagrams i of a block A and j of a block B. above[0][i][j] is the sum of `place` over the events of i
/// at which h_j < max(h_i before, h_i after); above[1][j][i] is the same with the roles of A and B exchanged.
struct SliceSums {
  alignas(64) std::int64_t above[2][block_size][block_size];
};

/// A block of `count` diagrams. Its events are sorted by key, and last_event follows them.
struct SliceBlock {
  std::span<const SliceEvent> events;  ///< Without the last one.
  std::size_t count = 0;
};

/// Computes the sums of two blocks in O(events * block_size). All arithmetic is on integers, so the order of
/// events at the same position does not matter for above[0] + above[1] transposed (see sliced_wasserstein.cpp).
void sweep(const SliceBlock& a, const SliceBlock& b, SliceSums& sums);

/// Computes above[0] of a block with itself, in half the time.
void sweep(const SliceBlock& a, SliceSums& sums);

}  // namespace perslay::kernel
