#include "dense_eigen.h"

#include <fmt/format.h>
#include <lapacke.h>

#include <perslay/base/blas.h>
#include <perslay/base/error.h>

namespace perslay::filtration {

void DenseEigen::decompose(const SparseOperator& matrix, Want want) {
  const std::size_t n = matrix.rows();
  matrix_.assign(n * n, 0.0);
  for (std::size_t row = 0; row < n; ++row) {
    const auto columns = matrix.row_columns(row);
    for (std::size_t i = 0; i < columns.size(); ++i)
      matrix_[row * n + static_cast<std::size_t>(columns[i])] = matrix.row_values(row)[i];
  }
  decompose_stored(n, want);
}

void DenseEigen::decompose(std::span<const double> matrix, std::size_t rows, Want want) {
  matrix_.assign(matrix.begin(), matrix.end());
  decompose_stored(rows, want);
}

void DenseEigen::decompose_stored(std::size_t n, Want want) {
  const base::OneBlasThread one_thread;
  eigenvalues_.resize(n);
  if (n == 0) return;
  const char job = want == Want::eigenvectors ? 'V' : 'N';
  const auto size = static_cast<lapack_int>(n);
  double best_work = 0;
  lapack_int best_integer_work = 0;
  const auto call = [&](double* work, lapack_int length, lapack_int* integer_work,
                        lapack_int integer_length) {
    return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', size, matrix_.data(), size, eigenvalues_.data(),
                               work, length, integer_work, integer_length);
  };
  lapack_int info = call(&best_work, -1, &best_integer_work, -1);
  if (info == 0) {
    work_.resize(static_cast<std::size_t>(best_work));
    integer_work_.resize(static_cast<std::size_t>(best_integer_work));
    // Lengths as asked for, not as left over from a larger matrix: they decide block sizes, and so the last
    // bits.
    info = call(work_.data(), static_cast<lapack_int>(best_work), integer_work_.data(), best_integer_work);
  }
  if (info != 0)
    throw base::internal_error(
        fmt::format("LAPACK's dsyevd failed with code {} on a matrix of {} rows.", info, n));
}

}  // namespace perslay::filtration
