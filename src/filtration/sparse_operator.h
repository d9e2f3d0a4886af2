#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace perslay::filtration {

/// A symmetric sparse matrix in compressed sparse row form; a view.
struct SparseOperator {
  std::span<const std::int64_t> offsets;  ///< rows() + 1 entries, the first is 0.
  std::span<const std::int32_t> columns;
  std::span<const double> values;

  [[nodiscard]] std::size_t rows() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::size_t entries() const noexcept { return static_cast<std::size_t>(offsets.back()); }
  [[nodiscard]] std::span<const std::int32_t> row_columns(std::size_t row) const noexcept {
    return columns.subspan(static_cast<std::size_t>(offsets[row]),
                           static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
  }
  [[nodiscard]] std::span<const double> row_values(std::size_t row) const noexcept {
    return values.subspan(static_cast<std::size_t>(offsets[row]),
                          static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
  }
};

}  // namespace perslay::filtration
