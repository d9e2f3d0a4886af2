#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <hdf5.h>

#include <perslay/base/hasher.h>
#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram.h>

/// What writing and reading HDF5 diagram files share: the marks of the format and owners of HDF5 identifiers.
namespace perslay::io::hdf5 {

inline const std::string format_name = "perslay diagrams";
inline constexpr std::int32_t format_version = 1;

/// The root says so if every dataset of the format has a checksum; files of other programs need none.
inline constexpr auto has_checksums_name = "checksums";
inline const std::string has_checksums_value = "XXH3";
/// The attribute of a dataset: 32 hexadecimal digits of XXH3 with 128 bits.
inline constexpr auto checksum_name = "checksum";

/// The checksum of a dataset begins with its path, such as hks_10/ext1/points, and a zero byte. Its numbers follow, row
/// by row, as this format stores them; of classes, each text and a zero byte.
inline void add_text(base::Hasher& hash, std::string_view text) {
  hash.update(std::as_bytes(std::span(text))).add('\0');
}
inline base::Hasher begin_checksum(std::string_view path) {
  base::Hasher hash;
  add_text(hash, path);
  return hash;
}

// Packed points, also those of clouds, and vertex pairs are stored as rows of two numbers.
static_assert(sizeof(diagram::Point) == 2 * sizeof(double));
static_assert(sizeof(data::PlanePoint) == 2 * sizeof(double));
static_assert(sizeof(diagram::VertexPair) == 2 * sizeof(std::int32_t));

template <herr_t (*Close)(hid_t)>
class Handle {
 public:
  explicit Handle(hid_t id) noexcept : id_(id) {}
  ~Handle() {
    if (id_ >= 0) Close(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  /// Closes it now; false if something that waited could not be written, as on a full disk.
  [[nodiscard]] bool close() noexcept { return Close(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

  /// Whether the library gave an identifier at all.
  [[nodiscard]] bool valid() const noexcept { return id_ >= 0; }
  [[nodiscard]] hid_t get() const noexcept { return id_; }

 private:
  hid_t id_;
};

using File = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Object = Handle<H5Oclose>;
using Dataset = Handle<H5Dclose>;
using Attribute = Handle<H5Aclose>;
using Space = Handle<H5Sclose>;
using Type = Handle<H5Tclose>;
using Properties = Handle<H5Pclose>;

/// While it lives, HDF5 prints no error stacks: our own sentences say what went wrong.
class QuietErrors {
 public:
  QuietErrors() noexcept {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace perslay::io::hdf5
