#include "csv.h"
#include "output_file.h"

#include <bit>

#include <perslay/io/matrix_file.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

enum class Format { npy, csv };

Format format_of(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".npy") return Format::npy;
  if (ending == ".csv") return Format::csv;
  refuse("{}: The name of a matrix file ends in .npy or .csv.", path.string());
}

void check(const MatrixTable& matrix) {
  if (matrix.values.size() != matrix.rows * matrix.columns.size())
    refuse("A matrix of {} rows and {} columns has {} numbers.", matrix.rows, matrix.columns.size(),
           matrix.values.size());
  if (!matrix.labels.empty() && matrix.labels.size() != matrix.rows)
    refuse("A matrix of {} rows has {} labels.", matrix.rows, matrix.labels.size());
  for (const int label : matrix.labels)
    if (label < 0 || static_cast<std::size_t>(label) >= matrix.classes.size())
      refuse("A matrix has a label {} but {} classes.", label, matrix.classes.size());
}

// ---- .npy

/// Magic, version 1.0, and a Python dictionary, padded so that the numbers begin at a multiple of 64 bytes.
std::string npy_header(std::size_t rows, std::size_t columns) {
  static_assert(std::endian::native == std::endian::little);
  std::string dictionary =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  constexpr std::size_t before = 10;
  const std::size_t unpadded = before + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

void write_npy(const AtomicFile& target, const MatrixTable& matrix) {
  OutputFile file(target);
  file.write(npy_header(matrix.rows, matrix.columns.size()));
  file.write({reinterpret_cast<const char*>(matrix.values.data()), matrix.values.size_bytes()});
  file.close();
}

// ---- .csv

void write_csv(const AtomicFile& target, const MatrixTable& matrix) {
  const bool labelled = !matrix.labels.empty();
  std::string line = labelled ? "item,label" : "item";
  for (const auto& column : matrix.columns) line += ',' + csv_field(column);
  line += '\n';

  OutputFile file(target);
  file.write(line);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    line.clear();
    append_number(line, row);
    if (labelled) line += ',' + csv_field(matrix.classes[static_cast<std::size_t>(matrix.labels[row])]);
    for (const double value : matrix.values.subspan(row * matrix.columns.size(), matrix.columns.size())) {
      line += ',';
      append_number(line, value);
    }
    line += '\n';
    file.write(line);
  }
  file.close();
}

}  // namespace

void write_matrix(const fs::path& path, const MatrixTable& matrix) {
  const Format format = format_of(path);
  check(matrix);
  AtomicFile file(path);
  format == Format::npy ? write_npy(file, matrix) : write_csv(file, matrix);
  file.commit();
}

void check_matrix_target(const fs::path& path) {
  (void)format_of(path);
  const AtomicFile would_be_written(path);
}

}  // namespace perslay::io
