#pragma once

#include <cstddef>

#include <cblas.h>

namespace perslay::network {

/// c [rows, columns] = a b + beta c by BLAS, where a or b may be stored transposed. Strides are the distances
/// between rows as they are stored.
struct Product {
  CBLAS_TRANSPOSE a, b;
  std::size_t rows, columns, inner;
  std::size_t a_stride, b_stride, c_stride;

  void operator()(const float* left, const float* right, float beta, float* out) const {
    cblas_sgemm(CblasRowMajor, a, b, blasint(rows), blasint(columns), blasint(inner), 1, left,
                blasint(a_stride), right, blasint(b_stride), beta, out, blasint(c_stride));
  }
  void operator()(const double* left, const double* right, double beta, double* out) const {
    cblas_dgemm(CblasRowMajor, a, b, blasint(rows), blasint(columns), blasint(inner), 1, left,
                blasint(a_stride), right, blasint(b_stride), beta, out, blasint(c_stride));
  }
};

}  // namespace perslay::network
