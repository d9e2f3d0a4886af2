#include "slices.h"

#include <cstring>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "slice_sweep.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::kernel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<std::int64_t, 4>;

using Rows = std::int64_t[block_size][block_size];

/// Lets one event happen: its diagram meets all diagrams of the other block, whose first `count` lanes are in
/// use.
HWY_INLINE void happen(const SliceEvent& event, std::int64_t* own_heights, const std::int64_t* other_heights,
                       std::size_t count, Rows& above) {
  const Tag d;
  const auto lane = static_cast<std::size_t>(event.lane);
  const std::int64_t before = own_heights[lane], after = before + event.step;
  const auto level = hn::Set(d, before > after ? before : after);
  const auto place = hn::Set(d, event.place);
  std::int64_t* HWY_RESTRICT row = above[lane];
  for (std::size_t j = 0; j < count; j += hn::Lanes(d)) {
    const auto below = hn::Gt(level, hn::Load(d, other_heights + j));
    hn::Store(hn::Add(hn::Load(d, row + j), hn::IfThenElseZero(below, place)), d, row + j);
  }
  own_heights[lane] = after;
}

/// Chooses the next list without a branch: every other prediction of a branch would fail.
template <bool full>
void sweep_two(const SliceBlock& a, const SliceBlock& b, SliceSums& sums) {
  alignas(64) std::int64_t heights[2][block_size] = {};
  const std::size_t counts[2] = {a.count, b.count};
  const SliceEvent *next_a = a.events.data(), *next_b = b.events.data();
  for (std::size_t left = a.events.size() + b.events.size(); left > 0; --left) {
    const std::size_t side = next_b->key < next_a->key ? 1 : 0;
    const SliceEvent* const both[2] = {next_a, next_b};
    const SliceEvent& event = *both[side];
    next_a += 1 - side;
    next_b += side;
    happen(event, heights[side], heights[1 - side], full ? block_size : counts[1 - side], sums.above[side]);
  }
}

void sweep_two_here(const SliceBlock& a, const SliceBlock& b, SliceSums& sums) {
  std::memset(&sums, 0, sizeof(sums));
  if (a.count == block_size && b.count == block_size)
    sweep_two<true>(a, b, sums);
  else
    sweep_two<false>(a, b, sums);
}

void sweep_one_here(const SliceBlock& a, SliceSums& sums) {
  alignas(64) std::int64_t heights[block_size] = {};
  std::memset(&sums.above[0], 0, sizeof(sums.above[0]));
  for (const auto& event : a.events) happen(event, heights, heights, a.count, sums.above[0]);
}

}  // namespace perslay::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::kernel {

namespace {
HWY_EXPORT(sweep_two_here);
HWY_EXPORT(sweep_one_here);
}  // namespace

void sweep(const SliceBlock& a, const SliceBlock& b, SliceSums& sums) {
  HWY_DYNAMIC_DISPATCH(sweep_two_here)(a, b, sums);
}
void sweep(const SliceBlock& a, SliceSums& sums) { HWY_DYNAMIC_DISPATCH(sweep_one_here)(a, sums); }

}  // namespace perslay::kernel
#endif
