#pragma once

#include <cstddef>

namespace perslay::layer {

/// c [rows][columns] = a b, or += if `add`, for small matrices. a(i, k) is at a[i * a_row + k * a_inner], so
/// a may be transposed; rows of b [inner][columns] and c are contiguous, aligned and padded: `columns`,
/// `b_stride` and `c_stride` are multiples of the lanes.
template <class T>
struct Product {
  std::size_t rows = 0;
  std::size_t inner = 0;
  std::size_t columns = 0;
  const T* a = nullptr;
  std::size_t a_row = 0;
  std::size_t a_inner = 0;
  const T* b = nullptr;
  std::size_t b_stride = 0;
  T* c = nullptr;
  std::size_t c_stride = 0;
  bool add = true;
};

template <class T>
struct MatrixKernels {
  void (*multiply)(const Product<T>& product);

  /// out(i, j) = factor in(i, j); nothing beyond `columns` is read or written.
  void (*copy_scaled)(std::size_t rows, std::size_t columns, T factor, const T* in, std::size_t in_stride,
                      T* out, std::size_t out_stride);

  /// out(j, i) = in(i, j) for whole blocks: `rows` and `columns` are rounded up to multiples of four, and both
  /// matrices have room for that.
  void (*transpose)(std::size_t rows, std::size_t columns, const T* in, std::size_t in_stride, T* out,
                    std::size_t out_stride);
};

template <class T>
[[nodiscard]] MatrixKernels<T> choose_matrix_kernels();

/// Those for the processor at hand.
template <class T>
const MatrixKernels<T>& matrix_kernels() {
  static const auto chosen = choose_matrix_kernels<T>();
  return chosen;
}

}  // namespace perslay::layer
