#pragma once

#include "sparse_operator.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace perslay::filtration {

/// The part of a sparse matrix within a few hops of some rows. T_k(B) e_c vanishes beyond k hops from c, so
/// on large sparse graphs the ball is all that a column sees.
///
/// Holds buffers: reuse it. Growing a ball costs as much as reading its rows twice.
class LocalBall {
 public:
  void grow(const SparseOperator& whole, std::span<const std::int32_t> centres, std::size_t radius) {
    for (const std::int32_t row : members_)
      if (index(row) < local_of_.size()) local_of_[index(row)] = -1;
    local_of_.resize(whole.rows(), -1);
    members_.assign(centres.begin(), centres.end());
    centres_.resize(centres.size());
    std::iota(centres_.begin(), centres_.end(), 0);
    for (const std::int32_t c : centres_) local_of_[index(centres[index(c)])] = c;

    within_.assign(1, members_.size());
    for (std::size_t hop = 1, begin = 0; hop <= radius; ++hop) {
      const std::size_t end = members_.size();
      for (; begin < end; ++begin)
        for (const std::int32_t neighbour : whole.row_columns(index(members_[begin])))
          if (local_of_[index(neighbour)] < 0) {
            local_of_[index(neighbour)] = static_cast<std::int32_t>(members_.size());
            members_.push_back(neighbour);
          }
      within_.push_back(members_.size());
    }

    offsets_.assign(1, 0);
    columns_.clear();
    values_.clear();
    for (const std::int32_t row : members_) {
      const auto columns = whole.row_columns(index(row));
      const auto values = whole.row_values(index(row));
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::int32_t local = local_of_[index(columns[i])];
        if (local < 0) continue;
        columns_.push_back(local);
        values_.push_back(values[i]);
      }
      offsets_.push_back(static_cast<std::int64_t>(columns_.size()));
    }
  }

  /// The rows of the ball in order of distance from the centres; these come first, in their order.
  [[nodiscard]] SparseOperator matrix() const noexcept { return {offsets_, columns_, values_}; }
  [[nodiscard]] std::span<const std::int32_t> centres() const noexcept { return centres_; }
  /// within()[k] = the number of rows at most k hops away, for k = 0 ... radius.
  [[nodiscard]] std::span<const std::size_t> within() const noexcept { return within_; }

 private:
  static std::size_t index(std::int32_t row) { return static_cast<std::size_t>(row); }

  std::vector<std::int32_t> members_, local_of_, centres_;  // local_of_: -1 outside the ball
  std::vector<std::size_t> within_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
};

/// Puts all rows into `order`, breadth first, component after component: neighbouring rows stand close
/// together.
inline void breadth_first_order(const SparseOperator& matrix, std::vector<std::int32_t>& order) {
  order.clear();
  std::vector<char> seen(matrix.rows(), 0);
  for (std::size_t start = 0; start < matrix.rows(); ++start) {
    if (seen[start]) continue;
    seen[start] = 1;
    order.push_back(static_cast<std::int32_t>(start));
    for (std::size_t i = order.size() - 1; i < order.size(); ++i)
      for (const std::int32_t neighbour : matrix.row_columns(static_cast<std::size_t>(order[i])))
        if (!std::exchange(seen[static_cast<std::size_t>(neighbour)], 1)) order.push_back(neighbour);
  }
}

}  // namespace perslay::filtration
