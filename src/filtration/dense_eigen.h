#pragma once

#include "sparse_operator.h"

#include <span>
#include <vector>

namespace perslay::filtration {

/// Eigenvalues (ascending) and eigenvectors of a sparse symmetric matrix as a dense one, by LAPACK,
/// single-threaded. Holds buffers: reuse it.
class DenseEigen {
 public:
  enum class Want { eigenvalues, eigenvectors };

  void decompose(const SparseOperator& matrix, Want want);
  /// Decomposes a dense matrix of `rows` rows, stored column by column; reads only its lower triangle.
  void decompose(std::span<const double> matrix, std::size_t rows, Want want);

  [[nodiscard]] std::span<const double> eigenvalues() const noexcept { return eigenvalues_; }
  /// The k-th eigenvector, normalized.
  [[nodiscard]] std::span<const double> eigenvector(std::size_t k) const noexcept {
    return std::span(matrix_).subspan(k * eigenvalues_.size(), eigenvalues_.size());
  }

  /// Peak memory for n rows with eigenvectors.
  [[nodiscard]] static double bytes(double rows) { return 8 * (3 * rows * rows + 8 * rows); }

 private:
  void decompose_stored(std::size_t rows, Want want);

  std::vector<double> matrix_, eigenvalues_, work_;
  std::vector<int> integer_work_;
};

}  // namespace perslay::filtration
