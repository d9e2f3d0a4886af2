#include "cell_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
// clang-format off
#define HWY_TARGET_INCLUDE "cell_kernels.cpp"
#include <hwy/foreach_target.h>  // compiles the part up to HWY_AFTER_NAMESPACE once per instruction set
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace perslay::layer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Handles as many points as fill whole vectors, and returns their number.
std::size_t find_cells_of_most(const CellGrid<float>& grid, std::size_t count,
                               const float* HWY_RESTRICT points, std::int32_t* HWY_RESTRICT cells) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto low = hn::Set(d, grid.low), zero = hn::Zero(d);
  const auto cell = [&](hn::Vec<decltype(d)> x, float scale, std::int32_t number) HWY_ATTR {
    const auto place = hn::Mul(hn::Sub(x, low), hn::Set(d, scale));
    const auto last = hn::Set(d, static_cast<float>(number - 1));
    // NaN goes to the first cell, as in cell_along().
    const auto above = hn::IfThenElseZero(hn::Gt(place, zero), place);
    return hn::ConvertTo(di, hn::IfThenElse(hn::Lt(above, last), above, last));
  };
  std::size_t p = 0;
  for (; p + hn::Lanes(d) <= count; p += hn::Lanes(d)) {
    hn::Vec<decltype(d)> birth, death;
    hn::LoadInterleaved2(d, points + 2 * p, birth, death);
    const auto row = hn::Mul(cell(birth, grid.births_scale, grid.births), hn::Set(di, grid.deaths));
    hn::StoreU(hn::Add(row, cell(death, grid.deaths_scale, grid.deaths)), di, cells + p);
  }
  return p;
}

}  // namespace perslay::layer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace perslay::layer {

namespace {

HWY_EXPORT(find_cells_of_most);

template <class T>
std::int32_t cell_along(T x, T low, T scale, std::int32_t number) {
  const T place = (x - low) * scale;
  if (!(place > 0)) return 0;  // also where it is not a number
  return place < static_cast<T>(number - 1) ? static_cast<std::int32_t>(place) : number - 1;
}

template <class T>
void find_cells_from(const CellGrid<T>& grid, std::size_t first, std::span<const T> points,
                     std::int32_t* cells) {
  for (std::size_t p = first; p < points.size() / 2; ++p)
    cells[p] = cell_along(points[2 * p], grid.low, grid.births_scale, grid.births) * grid.deaths +
               cell_along(points[2 * p + 1], grid.low, grid.deaths_scale, grid.deaths);
}

}  // namespace

void find_cells(const CellGrid<float>& grid, std::span<const float> points, std::int32_t* cells) {
  const auto done = HWY_DYNAMIC_DISPATCH(find_cells_of_most)(grid, points.size() / 2, points.data(), cells);
  find_cells_from(grid, done, points, cells);
}
void find_cells(const CellGrid<double>& grid, std::span<const double> points, std::int32_t* cells) {
  find_cells_from(grid, 0, points, cells);
}

}  // namespace perslay::layer
#endif
