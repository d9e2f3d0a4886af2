#pragma once

#include "hdf5_handle.h"

#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/io/atomic_file.h>

namespace perslay::io {

/// How the numbers of a dataset look in the file and in memory.
struct NumberType {
  hid_t stored;
  hid_t native;
  std::size_t bytes;
};
[[nodiscard]] NumberType float64();
[[nodiscard]] NumberType int64();
[[nodiscard]] NumberType int32();

/// A new diagram file and the ways to fill it. Nothing that depends on the time is stored, and groups list
/// their members in the order in which they were made: the same calls give the same bytes.
class Hdf5Writer {
 public:
  /// Creates the partial file with the attributes `format` and `version`.
  explicit Hdf5Writer(const AtomicFile& file);

  [[nodiscard]] hid_t root() const noexcept { return file_.get(); }

  [[nodiscard]] hdf5::Group create_group(hid_t parent, const std::string& name) const;
  /// The group of a filtration, named so that HDF5 accepts it and no earlier group has the name.
  [[nodiscard]] hdf5::Group create_filtration(const std::string& filtration);

  void write_rows(hid_t parent, const char* name, const NumberType& type, const void* values,
                  const std::vector<hsize_t>& shape) const;
  void write_strings(hid_t parent, const char* name, std::span<const std::string> strings) const;

  void flush() const;
  [[noreturn]] void fail() const;

 private:
  void write_attribute(hid_t object, const char* name, std::string_view text) const;
  void write_attribute(hid_t object, const char* name, int value) const;
  void write_attribute(hid_t object, const char* name, hid_t type, const void* value) const;
  void write_rows(hid_t parent, const char* name, hid_t stored, hid_t native, const void* values,
                  const std::vector<hsize_t>& shape) const;

  std::filesystem::path target_;
  hdf5::File file_;
  std::set<std::string> taken_{"labels", "classes", "clouds"};
};

/// A dataset of rows that grows while it is written. Rows reach the file in whole chunks, so what is stored
/// does not depend on how many came at a time.
class GrowingDataset {
 public:
  /// One number per row, or `columns` of them.
  GrowingDataset(const Hdf5Writer& writer, hid_t parent, const char* name, const NumberType& type,
                 hsize_t columns);

  void append(const void* rows, std::size_t count);
  /// Writes the remaining rows; call it once, at the end.
  void finish();

 private:
  void write_chunk(std::size_t rows);

  const Hdf5Writer* writer_;
  NumberType type_;
  std::vector<hsize_t> shape_;
  hdf5::Dataset dataset_;
  std::vector<std::byte> waiting_;
  std::size_t row_bytes_;
};

}  // namespace perslay::io
