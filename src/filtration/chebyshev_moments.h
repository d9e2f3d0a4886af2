#pragma once

#include "sparse_operator.h"

#include <cstdint>
#include <span>

#include <hwy/aligned_allocator.h>

namespace perslay::filtration {

/// Diagonal entries of Chebyshev polynomials of a symmetric sparse matrix B with spectrum in [-1, 1], for a
/// block of columns at once. With X_k = T_k(B) e_c for k up to half the degree only,
///   T_2k(B)_cc = 2 |X_k|^2 - 1   and   T_2k-1(B)_cc = 2 <X_k, X_k-1> - T_1(B)_cc.
///
/// Holds buffers: reuse it. One sweep over B's active rows per two degrees; instruction set chosen at run
/// time.
class ChebyshevMoments {
 public:
  /// The most columns that are computed together on this machine.
  [[nodiscard]] static std::size_t widest_block();

  /// The number of columns per block that splits `columns` evenly into as few blocks as possible.
  [[nodiscard]] static std::size_t block_width(std::size_t columns);

  /// For the columns `centres`, at most widest_block(), and even `degree`. If `active` is not empty, it has
  /// degree/2 + 1 entries, and X_k is known to vanish outside the first active[k] rows.
  void compute(const SparseOperator& matrix, std::span<const std::int32_t> centres, std::size_t degree,
               std::span<const std::size_t> active = {});

  /// out[j] = sum_k coefficients[k] T_k(B)_cc for c = centres[j] of the last `compute`; `out` has
  /// widest_block() places.
  void combine(std::span<const double> coefficients, std::span<double> out) const;

  /// T_k(B)_cc for c = centres[j] of the last `compute`, k up to its degree.
  [[nodiscard]] double moment(std::size_t k, std::size_t j) const noexcept;

 private:
  void reserve(std::size_t rows, std::size_t degree);

  std::size_t vectors_ = 0;  // SIMD vectors per row in the last `compute`
  std::size_t row_capacity_ = 0, degree_capacity_ = 0;
  hwy::AlignedFreeUniquePtr<double[]> previous_, current_, moments_;
};

}  // namespace perslay::filtration
