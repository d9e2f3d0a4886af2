#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace perslay::io {

/// A matrix to write: `values` row by row, a name for each column and, if known, the items' classes.
struct MatrixTable {
  std::size_t rows = 0;
  std::span<const std::string> columns;
  std::span<const double> values;
  std::span<const int> labels = {};  ///< One per row, or none; indices into `classes`.
  std::span<const std::string> classes = {};
};

/// Writes a matrix file, which appears whole or not at all. The ending decides the format:
///  - .npy: the numbers alone, as NumPy saves them: float64, C order, shape (rows, columns), format version 1.0.
///  - .csv: a header of `item,label,` and the names of the columns, then a line for each item, counted from 0.
///    The label is the name of its class; without labels there is no such column. Numbers have the shortest
///    form that reads back as the same double.
/// The same matrix gives the same bytes.
void write_matrix(const std::filesystem::path& path, const MatrixTable& matrix);

/// Throws the errors of write_matrix about `path` itself. Call it before a long computation.
void check_matrix_target(const std::filesystem::path& path);

}  // namespace perslay::io
