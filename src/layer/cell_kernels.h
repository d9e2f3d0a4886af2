#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace perslay::layer {

/// A grid of half-open cells over (birth, death). Both axes begin at `low`. Points outside belong to the border
/// cells.
template <class T>
struct CellGrid {
  T low = 0;
  T births_scale = 0, deaths_scale = 0;  ///< Cells per length.
  std::int32_t births = 0, deaths = 0;   ///< Numbers of cells.
};

/// cells [point] = (cell of the birth) * deaths + (cell of the death), for points (birth, death, birth, ...).
void find_cells(const CellGrid<float>& grid, std::span<const float> points, std::int32_t* cells);
void find_cells(const CellGrid<double>& grid, std::span<const double> points, std::int32_t* cells);

}  // namespace perslay::layer
