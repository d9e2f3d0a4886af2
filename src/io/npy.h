#pragma once

#include "text.h"

#include <cstddef>
#include <string>
#include <vector>

namespace perslay::io {

/// An array of numbers as NumPy saves it (.npy, format versions 1 to 3), in C order whatever the file's
/// order.
struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// Floating point numbers of 4 or 8 bytes and integers of 1 to 8 bytes, of either byte order. Anything else,
/// and a file that is damaged or shorter or longer than its header says, is the user's error.
[[nodiscard]] NpyArray parse_npy(const Text& file);

/// "(3, 2)", as Python writes it.
[[nodiscard]] std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace perslay::io
