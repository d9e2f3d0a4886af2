#pragma once

#include "sparse_operator.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perslay::filtration {

/// The part of a sparse matrix within a few hops of some rows. T_k(B) e_c vanishes beyond k hops from c, so
/// on large sparse graphs the ball is all that a column sees.
///
/// Holds buffers: reuse it. Growing a ball costs as much as reading its rows twice.
class LocalBall {
 public:
  void grow(const SparseOperator& whole, std::span<const std::int32_t> centres, std::size_t radius);

  /// The rows of the ball in order of distance from the centres; these come first, in their order.
  [[nodiscard]] SparseOperator matrix() const noexcept { return {offsets_, columns_, values_}; }
  [[nodiscard]] std::span<const std::int32_t> centres() const noexcept { return centres_; }
  /// within()[k] = the number of rows at most k hops away, for k = 0 ... radius.
  [[nodiscard]] std::span<const std::size_t> within() const noexcept { return within_; }

 private:
  std::vector<std::int32_t> members_, local_of_, centres_;  // local_of_: -1 outside the ball
  std::vector<std::size_t> within_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> columns_;
  std::vector<double> values_;
};

/// Puts all rows into `order`, breadth first, component after component: neighbouring rows stand close
/// together.
void breadth_first_order(const SparseOperator& matrix, std::vector<std::int32_t>& order);

}  // namespace perslay::filtration
