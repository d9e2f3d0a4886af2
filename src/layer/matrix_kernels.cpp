#include "matrix_kernels.h"

#include <algorithm>

// Vectors are kept in arrays, which those of the scalable instruction sets cannot be.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#undef HWY_TARGET_INCLUDE
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
  for (std::size_t k = 0; k < m.inner; ++k, a += m.a_inner, b += m.b_stride) {
    hn::Vec<decltype(d)> right[vectors];
    for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::LoadU(d, b + v * lanes);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto left = hn::Set(d, a[i * m.a_row]);
      for (std::size_t v = 0; v < vectors; ++v) sum[i][v] = hn::MulAdd(left, right[v], sum[i][v]);
    }
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t v = 0; v < vectors; ++v) {
      T* c = m.c + (row + i) * m.c_stride + column + v * lanes;
      hn::Store(m.add ? hn::Add(hn::Load(d, c), sum[i][v]) : sum[i][v], d, c);
    }
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

/// Long sums by runs: what a run reads stays in the cache, and rounding errors stay small.
template <class T>
void multiply_any(const Product<T>& m) {
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

// Tables of functions hold no templates.
void multiply_float(const Product<float>& product) { multiply_any(product); }
void multiply_double(const Product<double>& product) { multiply_any(product); }

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

namespace {
HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);
}  // namespace

void multiply(const Product<float>& product) { HWY_DYNAMIC_DISPATCH(multiply_float)(product); }
void multiply(const Product<double>& product) { HWY_DYNAMIC_DISPATCH(multiply_double)(product); }

}  // namespace perslay::layer
#endif
