#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perslay::network {

/// Numbers of some items, one row each, row after row. Memory grows and is kept: a step of training does not
/// allocate once it has seen its largest batch.
template <class T>
struct Rows {
  std::size_t count = 0;
  std::size_t width = 0;
  std::vector<T> values{};

  /// Changes the shape; the old numbers are lost.
  void resize(std::size_t rows, std::size_t columns) {
    count = rows;
    width = columns;
    values.resize(rows * columns);
  }

  [[nodiscard]] std::span<T> row(std::size_t i) { return std::span(values).subspan(i * width, width); }
  [[nodiscard]] std::span<const T> row(std::size_t i) const {
    return std::span(values).subspan(i * width, width);
  }
};

}  // namespace perslay::network
