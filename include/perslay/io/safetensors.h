#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace perslay::io {

/// A tensor with a name, row by row: of float32 in `values` or of float64 in `doubles`; the other is empty.
struct NamedArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  std::vector<double> doubles{};

  friend bool operator==(const NamedArray&, const NamedArray&) = default;
};

/// The content of a safetensors file.
struct Safetensors {
  std::vector<NamedArray> arrays;
  std::map<std::string, std::string> metadata;
  bool checked = false;  ///< The file had a checksum, and it was right.
};

/// Writes the file aside and renames it. The same content gives the same bytes. In the file, the metadata
/// begin with one more entry, `checksum`, which covers all bytes (see checksum.h).
void write_safetensors(const std::filesystem::path& file, std::span<const NamedArray> arrays,
                       const std::map<std::string, std::string>& metadata);

/// Reads a safetensors file of float32 and float64 tensors. Anything else is the user's error: a truncated or
/// foreign file, overlapping or missing bytes, another type, a header that promises more than the file holds, a
/// checksum that the bytes do not match. The checksum comes first: nothing else is looked at if it is wrong.
[[nodiscard]] Safetensors read_safetensors(const std::filesystem::path& file);

}  // namespace perslay::io
