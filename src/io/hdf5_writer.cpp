#include "hdf5_writer.h"

#include "hdf5_format.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::io {
namespace {

/// Groups list their members in the order in which they were made. No times: the same content gives the
/// same bytes.
void remember_order(const hdf5::Properties& creation) {
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(creation.get(), false);
}

hdf5::File create(const AtomicFile& target) {
  const hdf5::Properties creation(H5Pcreate(H5P_FILE_CREATE));
  const hdf5::Properties access(H5Pcreate(H5P_FILE_ACCESS));
  remember_order(creation);
  // The format of HDF5 1.8 has checksums over all metadata, so a damaged file is recognised as such.
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  hdf5::File file(H5Fcreate(target.partial().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()));
  if (!file.valid()) throw base::user_error(fmt::format("{} cannot be created.", target.target().string()));
  return file;
}

hdf5::Type string_type(std::size_t length) {
  hdf5::Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), std::max<std::size_t>(length, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

NumberType float64() { return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double)}; }
NumberType int64() { return {H5T_STD_I64LE, H5T_NATIVE_INT64, sizeof(std::int64_t)}; }
NumberType int32() { return {H5T_STD_I32LE, H5T_NATIVE_INT32, sizeof(std::int32_t)}; }

// ---- the file

Hdf5Writer::Hdf5Writer(const AtomicFile& file) : target_(file.target()), file_(create(file)) {
  write_attribute(root(), "format", format_name);
  write_attribute(root(), "version", format_version);
}

hdf5::Group Hdf5Writer::create_group(hid_t parent, const std::string& name) const {
  const hdf5::Properties creation(H5Pcreate(H5P_GROUP_CREATE));
  remember_order(creation);
  hdf5::Group group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  if (!group.valid()) fail();
  return group;
}

hdf5::Group Hdf5Writer::create_filtration(const std::string& filtration) {
  std::string name = filtration;
  std::ranges::replace_if(
      name, [](char c) { return c == ':' || c == '/' || c == '\0'; }, '_');
  if (name.empty() || name == "." || name == "..") name += '_';
  std::string unique = name;
  for (int number = 2; !taken_.insert(unique).second; ++number) unique = fmt::format("{}_{}", name, number);
  auto group = create_group(root(), unique);
  write_attribute(group.get(), "filtration", filtration);
  return group;
}

void Hdf5Writer::write_rows(hid_t parent, const char* name, const NumberType& type, const void* values,
                            const std::vector<hsize_t>& shape) const {
  write_rows(parent, name, type.stored, type.native, values, shape);
}

void Hdf5Writer::write_rows(hid_t parent, const char* name, hid_t stored, hid_t native, const void* values,
                            const std::vector<hsize_t>& shape) const {
  const hdf5::Space space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  const hdf5::Properties creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  const hdf5::Dataset dataset(
      H5Dcreate2(parent, name, stored, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  if (!dataset.valid()) fail();
  if (shape.front() > 0 && H5Dwrite(dataset.get(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail();
}

void Hdf5Writer::write_strings(hid_t parent, const char* name, std::span<const std::string> strings) const {
  const std::size_t width =
      std::max<std::size_t>(std::ranges::max(strings, {}, &std::string::size).size(), 1);
  std::string packed;
  for (const auto& text : strings) packed.append(text).append(width - text.size(), '\0');
  const auto type = string_type(width);
  write_rows(parent, name, type.get(), type.get(), packed.data(), {strings.size()});
}

void Hdf5Writer::write_attribute(hid_t object, const char* name, std::string_view text) const {
  // An empty text still needs a byte to point at.
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  write_attribute(object, name, string_type(text.size()).get(), padded.data());
}

void Hdf5Writer::write_attribute(hid_t object, const char* name, int value) const {
  const std::int32_t number = value;
  write_attribute(object, name, H5T_NATIVE_INT32, &number);
}

void Hdf5Writer::write_attribute(hid_t object, const char* name, hid_t type, const void* value) const {
  const hdf5::Space scalar(H5Screate(H5S_SCALAR));
  const hdf5::Attribute attribute(H5Acreate2(object, name, type, scalar.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.valid() || H5Awrite(attribute.get(), type, value) < 0) fail();
}

void Hdf5Writer::flush() const {
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail();
}

void Hdf5Writer::fail() const {
  throw base::internal_error(fmt::format("{} cannot be written; is the disk full?", target_.string()));
}

// ---- datasets that grow

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;

}  // namespace

GrowingDataset::GrowingDataset(const Hdf5Writer& writer, hid_t parent, const char* name,
                               const NumberType& type, hsize_t columns)
    : writer_(&writer), type_(type), dataset_(H5I_INVALID_HID), row_bytes_(columns * type.bytes) {
  shape_ = columns == 1 ? std::vector<hsize_t>{0} : std::vector<hsize_t>{0, columns};
  auto limits = shape_;
  limits.front() = H5S_UNLIMITED;
  auto chunk = shape_;
  chunk.front() = chunk_bytes / row_bytes_;
  const int rank = static_cast<int>(shape_.size());
  const hdf5::Space space(H5Screate_simple(rank, shape_.data(), limits.data()));
  const hdf5::Properties creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_chunk(creation.get(), rank, chunk.data());
  dataset_ = hdf5::Dataset(
      H5Dcreate2(parent, name, type.stored, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  if (!dataset_.valid()) writer.fail();
  waiting_.reserve(chunk_bytes);
}

void GrowingDataset::append(const void* rows, std::size_t count) {
  auto bytes = std::span(static_cast<const std::byte*>(rows), count * row_bytes_);
  const std::size_t full = chunk_bytes / row_bytes_ * row_bytes_;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), full - waiting_.size()));
    waiting_.insert(waiting_.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
    if (waiting_.size() == full) write_chunk(full / row_bytes_);
  }
}

void GrowingDataset::finish() {
  if (!waiting_.empty()) write_chunk(waiting_.size() / row_bytes_);
}

void GrowingDataset::write_chunk(std::size_t rows) {
  std::vector<hsize_t> begin(shape_.size(), 0);
  begin.front() = shape_.front();
  auto size = shape_;
  size.front() = rows;
  shape_.front() += rows;
  if (H5Dset_extent(dataset_.get(), shape_.data()) < 0) writer_->fail();
  const hdf5::Space file(H5Dget_space(dataset_.get()));
  const hdf5::Space memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
  if (H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr) < 0 ||
      H5Dwrite(dataset_.get(), type_.native, memory.get(), file.get(), H5P_DEFAULT, waiting_.data()) < 0)
    writer_->fail();
  waiting_.clear();
}

}  // namespace perslay::io
