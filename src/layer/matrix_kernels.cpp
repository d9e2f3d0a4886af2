#include "matrix_kernels.h"

#include "targets.h"

#include <algorithm>
#include <tuple>

// clang-format off
#define HWY_TARGET_INCLUDE "matrix_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;

/// `rows` x `vectors` of c in registers: 4 x 3 of them, 3 of b and 1 of a fill the sixteen of AVX2.
template <std::size_t rows, std::size_t vectors, class T>
void multiply_tile(const Product<T>& m, std::size_t row, std::size_t column) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<decltype(d)> sum[rows][vectors];
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t v = 0; v < vectors; ++v) sum[i][v] = hn::Zero(d);
  const T* HWY_RESTRICT a = m.a + row * m.a_row;
  const T* HWY_RESTRICT b = m.b + column;
  const std::size_t a_row = m.a_row, a_inner = m.a_inner, b_stride = m.b_stride, c_stride = m.c_stride;
  for (std::size_t k = m.inner; k > 0; --k, a += a_inner, b += b_stride) {
    hn::Vec<decltype(d)> right[vectors];
    for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, b + v * lanes);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto left = hn::Set(d, a[i * a_row]);
      for (std::size_t v = 0; v < vectors; ++v) sum[i][v] = hn::MulAdd(left, right[v], sum[i][v]);
    }
  }
  T* HWY_RESTRICT c = m.c + row * c_stride + column;
  if (m.add)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t v = 0; v < vectors; ++v)
        sum[i][v] = hn::Add(hn::Load(d, c + i * c_stride + v * lanes), sum[i][v]);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t v = 0; v < vectors; ++v) hn::Store(sum[i][v], d, c + i * c_stride + v * lanes);
}

template <std::size_t vectors, class T>
void multiply_columns(const Product<T>& m, std::size_t column) {
  std::size_t row = 0;
  for (; row + 4 <= m.rows; row += 4) multiply_tile<4, vectors>(m, row, column);
  switch (m.rows - row) {
    case 3:
      return multiply_tile<3, vectors>(m, row, column);
    case 2:
      return multiply_tile<2, vectors>(m, row, column);
    case 1:
      return multiply_tile<1, vectors>(m, row, column);
    default:
      return;
  }
}

template <class T>
void multiply_run(const Product<T>& m) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  std::size_t column = 0;
  for (; column + 3 * lanes <= m.columns; column += 3 * lanes) multiply_columns<3>(m, column);
  const std::size_t left = (m.columns - column) / lanes;
  if (left == 2) multiply_columns<2>(m, column);
  if (left == 1) multiply_columns<1>(m, column);
}

/// Long sums are cut into runs: the numbers of a run stay in the cache, and rounding errors stay small.
template <class T>
void multiply(const Product<T>& m) {
  constexpr std::size_t longest = 128;
  for (std::size_t k = 0; k < m.inner; k += longest) {
    Product<T> run = m;
    run.inner = std::min(longest, m.inner - k);
    run.a += k * m.a_inner;
    run.b += k * m.b_stride;
    run.add = m.add || k > 0;
    multiply_run(run);
  }
}

/// Whole vectors, a half one, the rest one by one: masked stores cost 20 cycles on some processors.
template <class T>
void copy_scaled(std::size_t rows, std::size_t columns, T factor, const T* HWY_RESTRICT in,
                 std::size_t in_stride, T* HWY_RESTRICT out, std::size_t out_stride) {
  const Tag<T> d;
  const hn::CappedTag<T, 16 / sizeof(T)> half;
  for (std::size_t i = 0; i < rows; ++i, in += in_stride, out += out_stride) {
    std::size_t j = 0;
    for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d))
      hn::StoreU(hn::Mul(hn::Set(d, factor), hn::LoadU(d, in + j)), d, out + j);
    for (; j + hn::Lanes(half) <= columns; j += hn::Lanes(half))
      hn::StoreU(hn::Mul(hn::Set(half, factor), hn::LoadU(half, in + j)), half, out + j);
    for (; j < columns; ++j) out[j] = factor * in[j];
  }
}

/// By squares of 4 x 4 floats or 2 x 2 doubles.
template <class T>
void transpose(std::size_t rows, std::size_t columns, const T* HWY_RESTRICT in, std::size_t in_stride,
               T* HWY_RESTRICT out, std::size_t out_stride) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) out[j * out_stride + i] = in[i * in_stride + j];
#else
  constexpr std::size_t side = 16 / sizeof(T);
  const hn::FixedTag<T, side> d;
  for (std::size_t i = 0; i < rows; i += side)
    for (std::size_t j = 0; j < columns; j += side) {
      const T* from = in + i * in_stride + j;
      T* to = out + j * out_stride + i;
      const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + in_stride);
      if constexpr (side == 2) {
        hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
        hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + out_stride);
      } else {
        const auto c = hn::LoadU(d, from + 2 * in_stride), e = hn::LoadU(d, from + 3 * in_stride);
        const auto ac = hn::InterleaveLower(d, a, c), be = hn::InterleaveLower(d, b, e);
        const auto ca = hn::InterleaveUpper(d, a, c), eb = hn::InterleaveUpper(d, b, e);
        hn::StoreU(hn::InterleaveLower(d, ac, be), d, to);
        hn::StoreU(hn::InterleaveUpper(d, ac, be), d, to + out_stride);
        hn::StoreU(hn::InterleaveLower(d, ca, eb), d, to + 2 * out_stride);
        hn::StoreU(hn::InterleaveUpper(d, ca, eb), d, to + 3 * out_stride);
      }
    }
#endif
}

/// One function without templates, as Highway's table needs it.
std::tuple<MatrixKernels<float>, MatrixKernels<double>> matrix_kernels_of_target() {
  return {{multiply<float>, copy_scaled<float>, transpose<float>},
          {multiply<double>, copy_scaled<double>, transpose<double>}};
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

HWY_EXPORT(matrix_kernels_of_target);

template <class T>
MatrixKernels<T> choose_matrix_kernels() {
  return std::get<MatrixKernels<T>>(HWY_DYNAMIC_DISPATCH(matrix_kernels_of_target)());
}

template MatrixKernels<float> choose_matrix_kernels();
template MatrixKernels<double> choose_matrix_kernels();

}  // namespace perslay::layer
#endif
