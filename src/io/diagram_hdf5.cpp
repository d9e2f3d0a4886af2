#include "diagram_formats.h"
#include "hdf5_format.h"
#include "hdf5_handle.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using diagram::DiagramGroup;
using diagram::DiagramSet;

class Writer {
 public:
  explicit Writer(const fs::path& path) : path_(path), file_(create(path)) {}

  void write(const DiagramSet& set) {
    write_attribute(file_.get(), "format", format_name);
    write_attribute(file_.get(), "version", format_version);
    if (!set.labels.empty()) {
      const std::vector<std::int32_t> labels(set.labels.begin(), set.labels.end());
      write_rows(file_.get(), "labels", H5T_STD_I32LE, H5T_NATIVE_INT32, labels.data(), {labels.size()});
    }
    if (!set.classes.empty()) write_strings(file_.get(), "classes", set.classes);
    for (const auto& filtration : filtrations_in_order(set)) write_filtration(filtration, set);
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail();
  }

 private:
  static hdf5::File create(const fs::path& path) {
    const hdf5::Properties creation(H5Pcreate(H5P_FILE_CREATE));
    const hdf5::Properties access(H5Pcreate(H5P_FILE_ACCESS));
    remember_order(creation);
    // The format of HDF5 1.8 has checksums over all metadata, so a damaged file is recognised as such.
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    hdf5::File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()));
    if (!file.valid()) throw base::user_error(fmt::format("{} cannot be created.", path.string()));
    return file;
  }

  /// Groups list their members in the order in which they were made. No times: the same content gives the
  /// same bytes.
  static void remember_order(const hdf5::Properties& creation) {
    H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(creation.get(), false);
  }

  static std::vector<std::string> filtrations_in_order(const DiagramSet& set) {
    std::vector<std::string> names;
    for (const auto& group : set.groups)
      if (std::ranges::find(names, group.filtration) == names.end()) names.push_back(group.filtration);
    return names;
  }

  void write_filtration(const std::string& filtration, const DiagramSet& set) {
    const auto parent = create_group(file_.get(), group_name(filtration));
    write_attribute(parent.get(), "filtration", filtration);
    for (const auto& group : set.groups)
      if (group.filtration == filtration)
        write_group(create_group(parent.get(), std::string(diagram::kind_name(group.kind))), group);
  }

  void write_group(const hdf5::Group& target, const DiagramGroup& group) {
    const auto points = group.diagrams.points();
    const auto offsets = group.diagrams.offsets();
    write_rows(target.get(), "points", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, points.data(), {points.size(), 2});
    write_rows(target.get(), "offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, offsets.data(), {offsets.size()});
    if (group.diagrams.has_vertices()) {
      const auto vertices = group.diagrams.vertices();
      write_rows(target.get(), "vertices", H5T_STD_I32LE, H5T_NATIVE_INT32, vertices.data(),
                 {vertices.size(), 2});
    }
    if (group.cycles.size() > 0) {
      const auto& [vertices, ends] = group.cycles;
      write_rows(target.get(), "cycles", H5T_STD_I32LE, H5T_NATIVE_INT32, vertices.data(), {vertices.size()});
      write_rows(target.get(), "cycle_offsets", H5T_STD_I64LE, H5T_NATIVE_INT64, ends.data(), {ends.size()});
    }
  }

  /// A name that HDF5 accepts and that no earlier group has.
  std::string group_name(const std::string& filtration) {
    std::string name = filtration;
    std::ranges::replace_if(
        name, [](char c) { return c == ':' || c == '/' || c == '\0'; }, '_');
    if (name.empty() || name == "." || name == "..") name += '_';
    std::string unique = name;
    for (int number = 2; !taken_.insert(unique).second; ++number) unique = fmt::format("{}_{}", name, number);
    return unique;
  }

  hdf5::Group create_group(hid_t parent, const std::string& name) const {
    const hdf5::Properties creation(H5Pcreate(H5P_GROUP_CREATE));
    remember_order(creation);
    hdf5::Group group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    if (!group.valid()) fail();
    return group;
  }

  void write_rows(hid_t parent, const char* name, hid_t stored, hid_t native, const void* values,
                  const std::vector<hsize_t>& shape) const {
    const hdf5::Space space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
    const hdf5::Properties creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_obj_track_times(creation.get(), false);
    const hdf5::Dataset dataset(
        H5Dcreate2(parent, name, stored, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    if (!dataset.valid()) fail();
    if (shape.front() > 0 && H5Dwrite(dataset.get(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      fail();
  }

  static hdf5::Type string_type(std::size_t length) {
    hdf5::Type type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), std::max<std::size_t>(length, 1));
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
  }

  void write_strings(hid_t parent, const char* name, std::span<const std::string> strings) const {
    const std::size_t width =
        std::max<std::size_t>(std::ranges::max(strings, {}, &std::string::size).size(), 1);
    std::string packed;
    for (const auto& text : strings) packed.append(text).append(width - text.size(), '\0');
    const auto type = string_type(width);
    write_rows(parent, name, type.get(), type.get(), packed.data(), {strings.size()});
  }

  void write_attribute(hid_t object, const char* name, std::string_view text) const {
    // An empty text still needs a byte to point at.
    const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
    write_attribute(object, name, string_type(text.size()).get(), padded.data());
  }

  void write_attribute(hid_t object, const char* name, int value) const {
    const std::int32_t number = value;
    write_attribute(object, name, H5T_NATIVE_INT32, &number);
  }

  void write_attribute(hid_t object, const char* name, hid_t type, const void* value) const {
    const hdf5::Space scalar(H5Screate(H5S_SCALAR));
    const hdf5::Attribute attribute(H5Acreate2(object, name, type, scalar.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute.valid() || H5Awrite(attribute.get(), type, value) < 0) fail();
  }

  [[noreturn]] void fail() const {
    throw base::internal_error(fmt::format("{} cannot be written; is the disk full?", path_.string()));
  }

  const fs::path& path_;
  hdf5::File file_;
  std::set<std::string> taken_{"labels", "classes", "clouds"};
};

}  // namespace

void write_hdf5(const fs::path& path, const DiagramSet& diagrams) {
  const hdf5::QuietErrors quiet;
  Writer(path).write(diagrams);
}

}  // namespace perslay::io
