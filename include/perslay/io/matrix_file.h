#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace perslay::io {

/// A matrix as it is written: `values` row by row, a name for each column, and what the items are, if that is
/// known.
struct MatrixTable {
  std::size_t rows = 0;
  std::span<const std::string> columns;
  std::span<const double> values;
  std::span<const int> labels = {};  ///< One per row, or none; indices into `classes`.
  std::span<const std::string> classes = {};
};

/// Writes a matrix file, which appears whole or not at all. The ending decides the format:
///  - .npy: the numbers alone, as NumPy saves them: float64, C order, shape (rows, columns), format
///  version 1.0;
///  - .csv: header `item,label,` and the names of the columns, a line for each item, counted from 0; the
///  label is the name
///    of its class, and the column is missing if there are no labels; numbers in the shortest form that reads
///    back as the same double.
/// The same matrix gives the same bytes.
void write_matrix(const std::filesystem::path& path, const MatrixTable& matrix);

/// Throws what write_matrix would say about `path` itself, for programs that want to know before a long
/// computation.
void check_matrix_target(const std::filesystem::path& path);

}  // namespace perslay::io
