#include "diagram_formats.h"
#include "hdf5_format.h"
#include "hdf5_handle.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/repeated.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using diagram::DiagramGroup;
using diagram::DiagramSet;
using diagram::Point;
using diagram::VertexPair;

class Reader {
 public:
  explicit Reader(const fs::path& path)
      : path_(path),
        file_(open(path)),
        root_(H5Gopen2(file_.get(), "/", H5P_DEFAULT)),
        bytes_(fs::file_size(path)) {
    if (!root_.valid()) fail("", "is damaged");
    if (read_attribute(root_.get(), "", "format") != format_name)
      fail("", fmt::format("is an HDF5 file, but not one of diagrams: its attribute 'format' is not '{}'",
                           format_name));
    if (const auto version = read_version(); version != format_version)
      fail("", fmt::format("has version {} of the format of diagram files; this program reads version {}",
                           version, format_version));
  }

  DiagramSet read() {
    DiagramSet set;
    for (const auto& filtration : groups_in(root_.get(), "")) read_filtration(filtration, set.groups);
    check_item_counts(set.groups);
    std::tie(set.labels, set.classes) = read_labels(set.item_count());
    return set;
  }

  std::vector<std::string> filtrations() {
    std::vector<std::string> names;
    for (const auto& name : groups_in(root_.get(), "")) {
      const hdf5::Group group(H5Gopen2(root_.get(), name.c_str(), H5P_DEFAULT));
      if (!group.valid()) fail(name, "is damaged");
      if (H5Aexists(group.get(), "filtration") > 0 && !groups_in(group.get(), name).empty())
        names.push_back(read_attribute(group.get(), name, "filtration"));
    }
    return names;
  }

  [[nodiscard]] bool has_clouds() const { return has(root_.get(), "clouds"); }

  data::PointCloudDataset read_clouds() {
    if (!has_clouds()) fail("", "holds diagrams, but no point clouds");
    const hdf5::Group group(H5Gopen2(root_.get(), "clouds", H5P_DEFAULT));
    if (!group.valid()) fail("clouds", "is damaged or no group");
    data::PointCloudDataset clouds;
    clouds.name = path_.stem().string();
    clouds.points = read_points<data::PlanePoint>(group.get(), "clouds");
    clouds.offsets = read_integers<std::int64_t>(group.get(), "clouds", "offsets", 1);
    check_offsets("clouds/offsets", clouds.offsets, clouds.points.size());
    check_finite(clouds.points);
    std::tie(clouds.labels, clouds.classes) = read_labels(clouds.size());
    return clouds;
  }

 private:
  static hdf5::File open(const fs::path& path) {
    if (H5Fis_hdf5(path.c_str()) <= 0)
      throw base::user_error(
          fmt::format("{}: This is not an HDF5 file, or it cannot be read.", path.string()));
    hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file.valid())
      throw base::user_error(fmt::format("{}: This HDF5 file is damaged or truncated.", path.string()));
    return file;
  }

  void read_filtration(const std::string& name, std::vector<DiagramGroup>& groups) {
    const hdf5::Group parent(H5Gopen2(root_.get(), name.c_str(), H5P_DEFAULT));
    if (!parent.valid()) fail(name, "is damaged");
    if (H5Aexists(parent.get(), "filtration") <= 0) return;
    const std::string filtration = read_attribute(parent.get(), name, "filtration");
    for (const auto& kind : groups_in(parent.get(), name)) {
      const std::string where = fmt::format("{}/{}", name, kind);
      groups.push_back(with_place(where, [&] { return read_group(parent.get(), where, filtration, kind); }));
      for (const auto& other : std::span(groups).first(groups.size() - 1))
        if (other.filtration == filtration && other.kind == groups.back().kind)
          fail(where, fmt::format("repeats the kind '{}' of the filtration '{}'", kind, filtration));
    }
  }

  DiagramGroup read_group(hid_t parent, const std::string& where, const std::string& filtration,
                          const std::string& kind) {
    DiagramGroup result;
    result.filtration = filtration;
    result.kind = diagram::parse_kind(kind);
    const hdf5::Group group(H5Gopen2(parent, kind.c_str(), H5P_DEFAULT));
    if (!group.valid()) fail(where, "is damaged");
    auto points = read_points<Point>(group.get(), where);
    auto offsets = read_integers<std::int64_t>(group.get(), where, "offsets", 1);
    std::vector<VertexPair> vertices;
    if (has(group.get(), "vertices")) vertices = read_vertices(group.get(), where, points.size());
    const bool with_cycles = has(group.get(), "cycles");
    const auto stored = with_cycles ? points : std::vector<Point>{};
    const auto stored_vertices = with_cycles ? vertices : std::vector<VertexPair>{};
    result.diagrams = {std::move(points), std::move(offsets), std::move(vertices)};
    if (with_cycles) {
      if (!std::ranges::equal(stored, result.diagrams.points()) ||
          !std::ranges::equal(stored_vertices, result.diagrams.vertices()))
        fail(where, "has cycles, so its points must be sorted by (birth, death, vertices) within each item");
      result.cycles = read_cycles(group.get(), where, stored.size());
    }
    return result;
  }

  template <class Row>
  std::vector<Row> read_points(hid_t group, const std::string& where) {
    const auto dataset = open_dataset(group, where, "points");
    std::vector<Row> points(rows_of(dataset, where + "/points", H5T_FLOAT, 2, sizeof(double)));
    read_all(dataset, where + "/points", H5T_NATIVE_DOUBLE, points.data(), points.size());
    return points;
  }

  std::vector<VertexPair> read_vertices(hid_t group, const std::string& where, std::size_t expected) {
    const auto flat = read_integers<std::int32_t>(group, where, "vertices", 2);
    if (flat.size() != 2 * expected)
      fail(where, fmt::format("has {} points but {} pairs of vertices", expected, flat.size() / 2));
    std::vector<VertexPair> pairs(expected);
    for (std::size_t i = 0; i < expected; ++i) pairs[i] = {flat[2 * i], flat[2 * i + 1]};
    return pairs;
  }

  diagram::CycleBatch read_cycles(hid_t group, const std::string& where, std::size_t points) {
    diagram::CycleBatch cycles;
    cycles.vertices = read_integers<std::int32_t>(group, where, "cycles", 1);
    cycles.offsets = read_integers<std::int64_t>(group, where, "cycle_offsets", 1);
    if (cycles.offsets.size() != points + 1 || cycles.offsets.front() != 0 ||
        !std::ranges::is_sorted(cycles.offsets) ||
        cycles.offsets.back() != static_cast<std::int64_t>(cycles.vertices.size()))
      fail(where + "/cycle_offsets",
           fmt::format("must ascend in {} steps from 0 to {}, the number of vertices in cycles", points,
                       cycles.vertices.size()));
    return cycles;
  }

  void check_item_counts(const std::vector<DiagramGroup>& groups) const {
    for (const auto& group : groups)
      if (group.diagrams.size() != groups.front().diagrams.size())
        fail("", fmt::format("has {} items in its group {} {} but {} in {} {}", group.diagrams.size(),
                             group.filtration, diagram::kind_name(group.kind), groups.front().diagrams.size(),
                             groups.front().filtration, diagram::kind_name(groups.front().kind)));
  }

  void check_offsets(const std::string& where, const std::vector<std::int64_t>& offsets,
                     std::size_t rows) const {
    if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
        offsets.back() != static_cast<std::int64_t>(rows))
      fail(where, fmt::format("must ascend from 0 to {}, the number of points", rows));
  }

  void check_finite(const std::vector<data::PlanePoint>& points) const {
    for (std::size_t row = 0; row < points.size(); ++row)
      if (!std::isfinite(points[row].x) || !std::isfinite(points[row].y))
        fail("clouds/points",
             fmt::format("holds ({}, {}) in row {}, counted from 0; coordinates must be finite",
                         points[row].x, points[row].y, row));
  }

  /// The labels of `items` items and the classes' names.
  std::pair<std::vector<int>, std::vector<std::string>> read_labels(std::size_t items) const {
    std::vector<std::string> classes;
    if (has(root_.get(), "classes")) classes = read_strings(root_.get(), "classes");
    if (const auto* const name = base::repeated(classes))
      fail("classes", fmt::format("holds the name {} twice", io::quoted(*name)));
    if (!has(root_.get(), "labels")) return {{}, classes};
    const auto labels = read_integers<std::int32_t>(root_.get(), "", "labels", 1);
    if (!labels.empty() && labels.size() != items)
      fail("labels", fmt::format("has {} entries for {} items", labels.size(), items));
    for (const int label : labels)
      if (label < 0 || static_cast<std::size_t>(label) >= classes.size())
        fail("labels", fmt::format("holds the label {}, but there are {} classes", label, classes.size()));
    return {{labels.begin(), labels.end()}, classes};
  }

  // ---- the objects of the file

  static bool has(hid_t parent, const char* name) { return H5Lexists(parent, name, H5P_DEFAULT) > 0; }

  /// The groups within `parent`, in the order in which they were made if the file remembers it. Links that
  /// lead out of the file or elsewhere within it are not followed.
  std::vector<std::string> groups_in(hid_t parent, const std::string& where) const {
    H5G_info_t info;
    if (H5Gget_info(parent, &info) < 0) fail(where, "is damaged");
    const H5_index_t index = remembers_order(parent) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      H5L_info_t link;
      if (H5Lget_info_by_idx(parent, ".", index, H5_ITER_INC, i, &link, H5P_DEFAULT) < 0)
        fail(where, "is damaged");
      if (link.type != H5L_TYPE_HARD) continue;
      const auto length = H5Lget_name_by_idx(parent, ".", index, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
      if (length <= 0) fail(where, "is damaged");
      std::string name(static_cast<std::size_t>(length), '\0');
      H5Lget_name_by_idx(parent, ".", index, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT);
      const hdf5::Object object(H5Oopen(parent, name.c_str(), H5P_DEFAULT));
      if (!object.valid()) fail(name, "is damaged");
      if (H5Iget_type(object.get()) == H5I_GROUP) names.push_back(std::move(name));
    }
    return names;
  }

  static bool remembers_order(hid_t group) {
    const hdf5::Properties creation(H5Gget_create_plist(group));
    unsigned flags = 0;
    return creation.valid() && H5Pget_link_creation_order(creation.get(), &flags) >= 0 &&
           (flags & H5P_CRT_ORDER_INDEXED) != 0;
  }

  hdf5::Dataset open_dataset(hid_t parent, const std::string& where, const char* name) const {
    if (!has(parent, name)) fail(where, fmt::format("has no dataset '{}'", name));
    hdf5::Dataset dataset(H5Dopen2(parent, name, H5P_DEFAULT));
    if (!dataset.valid()) fail(where, fmt::format("has a '{}' that is damaged or no dataset", name));
    return dataset;
  }

  /// The number of rows of a dataset that must hold `columns` numbers per row and be of the given class.
  std::size_t rows_of(const hdf5::Dataset& dataset, const std::string& where, H5T_class_t wanted,
                      hsize_t columns, std::size_t value_bytes) const {
    const hdf5::Type type(H5Dget_type(dataset.get()));
    if (!type.valid() || H5Tget_class(type.get()) != wanted)
      fail(where, fmt::format("does not hold {}", wanted == H5T_FLOAT     ? "floating point numbers"
                                                  : wanted == H5T_INTEGER ? "integers"
                                                                          : "strings"));
    const hdf5::Space space(H5Dget_space(dataset.get()));
    const int rank = columns == 1 ? 1 : 2;
    hsize_t shape[2] = {0, 1};
    if (!space.valid() || H5Sget_simple_extent_ndims(space.get()) != rank ||
        H5Sget_simple_extent_dims(space.get(), shape, nullptr) != rank || (rank == 2 && shape[1] != columns))
      fail(where, rank == 1 ? "must be a list" : fmt::format("must have shape N x {}", columns));
    // No compression of HDF5 does better than 1032 to 1; a claim beyond that would only exhaust the memory.
    if (shape[0] > 1032 * bytes_ / (columns * value_bytes))
      fail(where, fmt::format("claims {} rows, more than a file of {} bytes can hold", shape[0], bytes_));
    return static_cast<std::size_t>(shape[0]);
  }

  void read_all(const hdf5::Dataset& dataset, const std::string& where, hid_t native, void* values,
                std::size_t rows) const {
    if (rows > 0 && H5Dread(dataset.get(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      fail(where, "is damaged or truncated");
  }

  /// Integers of any width in the file, row after row; a value outside the range of T is an error.
  template <class T>
  std::vector<T> read_integers(hid_t parent, const std::string& where, const char* name,
                               hsize_t columns) const {
    const auto dataset = open_dataset(parent, where, name);
    const std::string place = where.empty() ? name : where + '/' + name;
    // HDF5 integers have at least one byte each.
    std::vector<std::int64_t> wide(rows_of(dataset, place, H5T_INTEGER, columns, 1) * columns);
    read_all(dataset, place, H5T_NATIVE_INT64, wide.data(), wide.size());
    if constexpr (std::is_same_v<T, std::int64_t>) return wide;
    for (const auto value : wide)
      if (!std::in_range<T>(value)) fail(place, fmt::format("holds {}, which is out of range", value));
    return {wide.begin(), wide.end()};
  }

  // ---- texts, which others may have written with variable length

  std::vector<std::string> read_strings(hid_t parent, const char* name) const {
    const auto dataset = open_dataset(parent, "The root", name);
    const std::size_t rows = rows_of(dataset, name, H5T_STRING, 1, 1);
    const hdf5::Type type(H5Dget_type(dataset.get()));
    return read_texts(name, type, rows, [&](hid_t memory, void* values) {
      return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    });
  }

  std::string read_attribute(hid_t object, const std::string& where, const char* name) const {
    if (H5Aexists(object, name) <= 0) return {};
    const hdf5::Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
    const hdf5::Type type(attribute.valid() ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
    const hdf5::Space space(attribute.valid() ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
    if (!type.valid() || !space.valid() || H5Tget_class(type.get()) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space.get()) != 1)
      fail(where, fmt::format("has an attribute '{}' that is not one text", name));
    return read_texts(where, type, 1,
                      [&](hid_t memory, void* values) { return H5Aread(attribute.get(), memory, values); })
        .front();
  }

  int read_version() const {
    if (H5Aexists(root_.get(), "version") <= 0) fail("", "has no attribute 'version'");
    const hdf5::Attribute attribute(H5Aopen(root_.get(), "version", H5P_DEFAULT));
    const hdf5::Type type(attribute.valid() ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
    const hdf5::Space space(attribute.valid() ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
    std::int32_t version = 0;
    if (!type.valid() || !space.valid() || H5Tget_class(type.get()) != H5T_INTEGER ||
        H5Sget_simple_extent_npoints(space.get()) != 1 ||
        H5Aread(attribute.get(), H5T_NATIVE_INT32, &version) < 0)
      fail("", "has an attribute 'version' that is not one integer");
    return version;
  }

  template <class Read>
  std::vector<std::string> read_texts(const std::string& where, const hdf5::Type& stored, std::size_t count,
                                      Read&& read) const {
    std::vector<std::string> texts(count);
    if (count == 0) return texts;
    const hdf5::Type memory(H5Tcopy(H5T_C_S1));
    H5Tset_cset(memory.get(), H5Tget_cset(stored.get()));
    if (H5Tis_variable_str(stored.get()) > 0) {
      H5Tset_size(memory.get(), H5T_VARIABLE);
      std::vector<char*> pointers(count, nullptr);
      const bool good = read(memory.get(), static_cast<void*>(pointers.data())) >= 0;
      for (std::size_t i = 0; i < count; ++i) {
        if (good && pointers[i] != nullptr) texts[i] = pointers[i];
        H5free_memory(pointers[i]);
      }
      if (!good) fail(where, "is damaged");
      return texts;
    }
    const std::size_t width = H5Tget_size(stored.get());
    if (width == 0 || width > bytes_ || count * width > 1032 * bytes_) fail(where, "is damaged");
    H5Tset_size(memory.get(), width);
    H5Tset_strpad(memory.get(), H5T_STR_NULLPAD);
    std::string packed(count * width, '\0');
    if (read(memory.get(), static_cast<void*>(packed.data())) < 0) fail(where, "is damaged");
    for (std::size_t i = 0; i < count; ++i) {
      texts[i] = packed.substr(i * width, width);
      texts[i].resize(std::min(texts[i].find('\0'), texts[i].size()));
    }
    return texts;
  }

  // ---- errors

  /// Adds file and group to what the diagrams themselves say about wrong contents.
  template <class Body>
  DiagramGroup with_place(const std::string& where, Body&& body) const {
    try {
      return body();
    } catch (const base::Error& error) {
      const std::string sentence = error.what();
      if (sentence.starts_with(path_.string())) throw;
      throw base::Error(error.fault(), fmt::format("{}: {}: {}", path_.string(), where, sentence));
    }
  }

  /// "file: group does such and such."
  [[noreturn]] void fail(const std::string& where, const std::string& predicate) const {
    throw base::user_error(where.empty() ? fmt::format("{} {}.", path_.string(), predicate)
                                         : fmt::format("{}: {} {}.", path_.string(), where, predicate));
  }

  const fs::path& path_;
  hdf5::File file_;
  hdf5::Group root_;
  std::uintmax_t bytes_;
};

}  // namespace

DiagramSet read_hdf5(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  return Reader(path).read();
}

std::vector<std::string> hdf5_filtrations(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  return Reader(path).filtrations();
}

bool has_hdf5_clouds(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  return Reader(path).has_clouds();
}

data::PointCloudDataset read_hdf5_clouds(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  return Reader(path).read_clouds();
}

}  // namespace perslay::io
