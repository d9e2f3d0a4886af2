#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <hwy/contrib/sort/vqsort.h>

namespace perslay::persistence {

/// The bits of a number in the order of numbers; 0 and -0 are one.
inline std::uint64_t ordered_bits(double x) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits & sign ? ~bits : bits | sign;
}

/// Sorts items 0 ... n-1 with vector instructions, by the upper bits of a key whose lower bits hold the item
/// itself; then sorts items with equal upper bits by comparison. Holds work buffers.
class KeyedOrder {
 public:
  using Item = std::int32_t;

  /// `key(i)` must be monotone in the strict total order `before(i, j)`. The result lives until the next
  /// call.
  template <class Key, class Before>
  std::span<const Item> sort(std::size_t count, Key key, Before before) {
    items_.resize(count);
    sort(std::span(items_), key, before);
    return items_;
  }

  /// Puts the items 0 ... n-1 into `items`, which has n places.
  template <class Key, class Before>
  void sort(std::span<Item> items, Key key, Before before) {
    const std::size_t count = items.size();
    keys_.resize(count);
    const auto item_bits = std::bit_width(count);
    const std::uint64_t item_mask = (std::uint64_t{1} << item_bits) - 1;
    for (std::size_t i = 0; i < count; ++i) keys_[i] = (key(static_cast<Item>(i)) & ~item_mask) | i;
    sorter_(keys_.data(), count, hwy::SortAscending());
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      do {
        items[end] = static_cast<Item>(keys_[end] & item_mask);
      } while (++end < count && (keys_[end] ^ keys_[begin]) <= item_mask);
      const auto run = items.subspan(begin, end - begin);
      if (!std::is_sorted(run.begin(), run.end(), before)) std::sort(run.begin(), run.end(), before);
    }
  }

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<Item> items_;
  hwy::Sorter sorter_;
};

}  // namespace perslay::persistence
