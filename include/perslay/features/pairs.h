#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/features/items.h>

/// Numbers for all pairs of items, of which kernels are made. Each class is prepared once with the items of the
/// columns and then fills rows, on the calling thread and thread-safe. So a caller can spread rows over threads
/// and need not hold a matrix of all pairs.
namespace perslay::features {

/// Some rows of a matrix, first ... first + count - 1, and of each its first `columns` entries, to be stored
/// one after the other. A symmetric matrix is known from those with columns = first + count.
struct Tile {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t columns = 0;
};

/// |a_i - b_j|^2, in double precision. Rows are centred by the mean of b first, which saves the digits that
/// the difference of large products would lose. O(rows * columns * features), by BLAS.
class DensePairs {
 public:
  explicit DensePairs(const FeatureRows& b);

  void squared_distances(const FeatureRows& a, const Tile& tile, std::span<double> out) const;

 private:
  [[nodiscard]] std::vector<double> centred(const FeatureRows& matrix, std::size_t first,
                                            std::size_t count) const;

  std::size_t features_;
  std::vector<double> means_, b_, norms_;
};

/// Sums over the keys that a_i and b_j have in common.
class KeyedPairs {
 public:
  explicit KeyedPairs(const KeyedBlock& b);

  /// Sum of min(a_i[key], b_j[key]), for blocks of width 1 without negative values. Of counts it is exact as
  /// long as they add up to less than 2^24. For counts of colours this is the Weisfeiler-Lehman optimal
  /// assignment kernel (Kriege, Giscard and Wilson 2016).
  ///
  /// Walks through the list of items of every key of a_i; the lists of common keys are written out for all
  /// items and added up by vectors.
  void intersections(const KeyedBlock& a, const Tile& tile, std::span<double> out) const;

  /// Sum of the inner products of a_i[key] and b_j[key], in double precision, by BLAS key by key.
  void inner_products(const KeyedBlock& a, const Tile& tile, std::span<double> out) const;

 private:
  struct List {
    std::size_t begin = 0, end = 0;  // in places_ and values_
  };
  [[nodiscard]] const List* find(std::uint64_t key) const noexcept;

  std::size_t items_, width_;
  std::vector<std::uint64_t> keys_;  // ascending, all different
  std::vector<List> lists_;          // the items of each key, ascending
  std::vector<std::uint32_t> places_;
  std::vector<float> values_;
  std::vector<std::size_t> written_out_;  // per key: 0 or one more than its place among the common ones
  std::vector<float> common_;             // their values for all items
};

/// The inner products of rows first ... first + count - 1 with themselves; `minima`: their intersections.
[[nodiscard]] std::vector<double> with_itself(const KeyedBlock& block, std::size_t first, std::size_t count,
                                              bool minima);

/// Some rows of a block, in this order.
[[nodiscard]] KeyedBlock rows_of(const KeyedBlock& block, std::span<const std::size_t> rows);

}  // namespace perslay::features
