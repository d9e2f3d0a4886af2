#pragma once

#include "text.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Arrays in NumPy's format, versions 1 to 3, of numbers in either byte order.
namespace perslay::io {

/// The header: a Python dictionary with the keys descr, fortran_order and shape.
struct NpyHeader {
  std::string type;  ///< Such as "<f8".
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data_begin = 0;
};

/// Whether the bytes begin as those of an .npy file.
[[nodiscard]] bool is_npy_content(std::string_view bytes);

/// `file` may end anywhere behind the header.
[[nodiscard]] NpyHeader parse_npy_header(const Text& file);

/// How the numbers of an array are stored.
struct NpyElement {
  std::size_t bytes;
  bool is_integer;
  double (*real)(const char* from);
  /// Of integers; those of uint64 that do not fit become negative.
  std::int64_t (*integer)(const char* from);
};

/// Other types than floating point numbers of 4 or 8 bytes and integers of 1 to 8 bytes are refused.
[[nodiscard]] NpyElement npy_element(const std::string& file, const std::string& type);

/// Refuses a file that has other than the bytes of its numbers.
void require_npy_size(const Text& file, const NpyHeader& header, const NpyElement& element);

/// The shape as Python writes it: "(3, 2)".
[[nodiscard]] std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace perslay::io
