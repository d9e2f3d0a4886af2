#include "diagram_formats.h"
#include "diagram_hdf5.h"
#include "text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <system_error>
#include <tuple>
#include <type_traits>

#include <perslay/base/repeated.h>
#include <perslay/io/checksum.h>
#include <perslay/io/diagram_file.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;
using diagram::DiagramGroup;
using diagram::VertexPair;

class Reader {
 public:
  explicit Reader(const fs::path& path)
      : path_(path),
        file_(open(path)),
        root_(H5Gopen2(file_.get(), "/", H5P_DEFAULT)),
        bytes_(bytes_of(path)) {
    if (!root_.valid()) fail("", "is damaged");
    if (read_attribute(root_.get(), "", "format") != hdf5::format_name)
      fail("", "is an HDF5 file, but not one of diagrams: its attribute 'format' is not '{}'",
           hdf5::format_name);
    if (const auto version = read_version(); version != hdf5::format_version)
      fail("", "has version {} of the format of diagram files; this program reads version {}", version,
           hdf5::format_version);
    has_checksums_ = read_attribute(root_.get(), "", hdf5::has_checksums_name) == hdf5::has_checksums_value;
  }

  [[nodiscard]] bool has_checksums() const noexcept { return has_checksums_; }

  diagram::DiagramSet read() {
    diagram::DiagramSet set;
    for_filtrations([&](const std::string& name, hid_t parent, const std::string& filtration) {
      for (const auto& kind : kinds_in(parent, name))
        read_group(parent, fmt::format("{}/{}", name, kind), filtration, kind, set.groups);
    });
    check_item_counts(set.groups);
    std::tie(set.labels, set.classes) = read_labels(set.item_count());
    return set;
  }

  std::vector<std::string> filtrations() {
    std::vector<std::string> names;
    for_filtrations([&](const std::string& name, hid_t parent, const std::string& filtration) {
      if (!kinds_in(parent, name).empty()) names.push_back(filtration);
    });
    return names;
  }

  [[nodiscard]] bool has_clouds() const { return has(root_.get(), "clouds"); }

  data::PointCloudDataset read_clouds() {
    if (!has_clouds()) fail("", "holds diagrams, but no point clouds");
    const auto group = open_group(root_.get(), "clouds", "clouds", "is damaged or no group");
    data::PointCloudDataset clouds;
    clouds.name = path_.stem().string();
    clouds.points = read_points<data::PlanePoint>(group.get(), "clouds");
    clouds.offsets = read_integers<std::int64_t>(group.get(), "clouds", "offsets", 1);
    if (!leads_to(clouds.offsets, clouds.points.size()))
      fail("clouds/offsets", "must ascend from 0 to {}, the number of points", clouds.points.size());
    check_finite(clouds.points);
    std::tie(clouds.labels, clouds.classes) = read_labels(clouds.size());
    if (!has_checksums_) clouds.notes.push_back(no_checksum_remark(path_));
    return clouds;
  }

 private:
  static std::uintmax_t bytes_of(const fs::path& path) {
    std::error_code error;
    const auto bytes = fs::file_size(path, error);
    if (error) refuse("{} cannot be read: {}.", path.string(), error.message());
    return bytes;
  }

  static hdf5::File open(const fs::path& path) {
    if (H5Fis_hdf5(path.c_str()) <= 0)
      refuse("{}: This is not an HDF5 file, or it cannot be read.", path.string());
    hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file.valid()) refuse("{}: This HDF5 file is damaged or truncated.", path.string());
    return file;
  }

  /// Calls `use(name, group, filtration)` for the groups of filtrations.
  template <class Use>
  void for_filtrations(Use use) const {
    for (const auto& name : groups_in(root_.get(), "")) {
      const auto group = open_group(root_.get(), name, name);
      if (H5Aexists(group.get(), "filtration") > 0)
        use(name, group.get(), read_attribute(group.get(), name, "filtration"));
    }
  }

  /// Adds file and group to what the diagrams themselves say about wrong contents.
  void read_group(hid_t parent, const std::string& where, const std::string& filtration,
                  const std::string& kind, std::vector<DiagramGroup>& groups) {
    try {
      groups.push_back(read_group(parent, where, filtration, kind));
    } catch (const base::Error& error) {
      const std::string sentence = error.what();
      if (sentence.starts_with(path_.string())) throw;
      throw base::Error(error.fault(), fmt::format("{}: {}: {}", path_.string(), where, sentence));
    }
    if (!seen_.emplace(filtration, groups.back().kind).second)
      fail(where, "repeats the kind '{}' of the filtration '{}'", kind, filtration);
  }

  DiagramGroup read_group(hid_t parent, const std::string& where, const std::string& filtration,
                          const std::string& kind) const {
    DiagramGroup result{filtration, diagram::parse_kind(kind), {}, {}};
    const auto group = open_group(parent, kind, where);
    auto points = read_points<diagram::Point>(group.get(), where);
    auto offsets = read_integers<std::int64_t>(group.get(), where, "offsets", 1);
    std::vector<VertexPair> vertices;
    if (has(group.get(), "vertices")) vertices = read_vertices(group.get(), where, points.size());
    const bool with_cycles = has(group.get(), "cycles");
    const auto stored = with_cycles ? points : std::vector<diagram::Point>{};
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
  std::vector<Row> read_points(hid_t group, const std::string& where) const {
    const auto dataset = open_dataset(group, where, "points");
    std::vector<Row> points(rows_of(dataset, where + "/points", H5T_FLOAT, 2, sizeof(double)));
    read_all(dataset, where + "/points", H5T_NATIVE_DOUBLE, points.data(), points.size());
    check(dataset, where + "/points", std::span<const Row>(points));
    return points;
  }

  std::vector<VertexPair> read_vertices(hid_t group, const std::string& where, std::size_t expected) const {
    const auto flat = read_integers<std::int32_t>(group, where, "vertices", 2);
    if (flat.size() != 2 * expected)
      fail(where, "has {} points but {} pairs of vertices", expected, flat.size() / 2);
    std::vector<VertexPair> pairs(expected);
    for (std::size_t i = 0; i < expected; ++i) pairs[i] = {flat[2 * i], flat[2 * i + 1]};
    return pairs;
  }

  diagram::CycleBatch read_cycles(hid_t group, const std::string& where, std::size_t points) const {
    diagram::CycleBatch cycles;
    cycles.vertices = read_integers<std::int32_t>(group, where, "cycles", 1);
    cycles.offsets = read_integers<std::int64_t>(group, where, "cycle_offsets", 1);
    if (cycles.offsets.size() != points + 1 || !leads_to(cycles.offsets, cycles.vertices.size()))
      fail(where + "/cycle_offsets", "must ascend in {} steps from 0 to {}, the number of vertices in cycles",
           points, cycles.vertices.size());
    return cycles;
  }

  void check_item_counts(const std::vector<DiagramGroup>& groups) const {
    for (const auto& group : groups)
      if (group.diagrams.size() != groups.front().diagrams.size())
        fail("", "has {} items in its group {} {} but {} in {} {}", group.diagrams.size(), group.filtration,
             diagram::kind_name(group.kind), groups.front().diagrams.size(), groups.front().filtration,
             diagram::kind_name(groups.front().kind));
  }

  static bool leads_to(const std::vector<std::int64_t>& offsets, std::size_t rows) {
    return !offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
           offsets.back() == static_cast<std::int64_t>(rows);
  }

  void check_finite(const std::vector<data::PlanePoint>& points) const {
    for (std::size_t row = 0; row < points.size(); ++row)
      if (!std::isfinite(points[row].x) || !std::isfinite(points[row].y))
        fail("clouds/points", "holds ({}, {}) in row {}, counted from 0; coordinates must be finite",
             points[row].x, points[row].y, row);
  }

  /// The labels of `items` items and the classes' names.
  std::pair<std::vector<int>, std::vector<std::string>> read_labels(std::size_t items) const {
    std::vector<std::string> classes;
    if (has(root_.get(), "classes")) classes = read_strings(root_.get(), "classes");
    if (const auto* const name = base::repeated(classes))
      fail("classes", "holds the name {} twice", io::quoted(*name));
    if (!has(root_.get(), "labels")) return {{}, classes};
    const auto labels = read_integers<std::int32_t>(root_.get(), "", "labels", 1);
    if (!labels.empty() && labels.size() != items)
      fail("labels", "has {} entries for {} items", labels.size(), items);
    for (const int label : labels)
      if (label < 0 || static_cast<std::size_t>(label) >= classes.size())
        fail("labels", "holds the label {}, but there are {} classes", label, classes.size());
    return {{labels.begin(), labels.end()}, classes};
  }

  // ---- the objects of the file

  hdf5::Group open_group(hid_t parent, const std::string& name, const std::string& where,
                         const char* otherwise = "is damaged") const {
    require_own(parent, name, where);
    hdf5::Group group(H5Gopen2(parent, name.c_str(), H5P_DEFAULT));
    if (!group.valid()) fail(where, "{}", otherwise);
    return group;
  }

  static bool has(hid_t parent, const char* name) { return H5Lexists(parent, name, H5P_DEFAULT) > 0; }

  /// What a link leads to may be in another file, of which nobody spoke.
  void require_own(hid_t parent, const std::string& name, const std::string& where) const {
    H5L_info_t link;
    if (H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT) >= 0 && link.type != H5L_TYPE_HARD)
      fail(where, "is a link to another place or file, and such links are not followed");
  }

  /// The groups within `parent`, in the order in which they were made if the file remembers it. A link that leads out
  /// of the file, or elsewhere within it, could be one of them, so it is refused.
  std::vector<std::string> groups_in(hid_t parent, const std::string& where) const {
    const H5_index_t index = remembers_order(parent) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    std::vector<std::string> names;
    const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* kept) -> herr_t {
      static_cast<std::vector<std::string>*>(kept)->emplace_back(name);
      return 0;
    };
    if (H5Literate(parent, index, H5_ITER_INC, nullptr, keep, &names) < 0) fail(where, "is damaged");
    std::erase_if(names, [&](const std::string& name) {
      require_own(parent, name, where.empty() ? name : fmt::format("{}/{}", where, name));
      const hdf5::Object object(H5Oopen(parent, name.c_str(), H5P_DEFAULT));
      if (!object.valid()) fail(name, "is damaged");
      return H5Iget_type(object.get()) != H5I_GROUP;
    });
    return names;
  }

  /// The groups of diagrams within a filtration's: those called after a kind, and those that hold points and should be.
  std::vector<std::string> kinds_in(hid_t parent, const std::string& where) const {
    const auto kinds = diagram::kind_names();
    auto names = groups_in(parent, where);
    std::erase_if(names, [&](const std::string& name) {
      return std::ranges::find(kinds, name, &diagram::KindName::name) == kinds.end() &&
             !has(parent, (name + "/points").c_str());
    });
    return names;
  }

  static bool remembers_order(hid_t group) {
    const hdf5::Properties creation(H5Gget_create_plist(group));
    unsigned flags = 0;
    return creation.valid() && H5Pget_link_creation_order(creation.get(), &flags) >= 0 &&
           (flags & H5P_CRT_ORDER_INDEXED) != 0;
  }

  hdf5::Dataset open_dataset(hid_t parent, const std::string& where, const char* name) const {
    if (!has(parent, name)) fail(where, "has no dataset '{}'", name);
    const std::string place = where.empty() ? name : fmt::format("{}/{}", where, name);
    require_own(parent, name, place);
    hdf5::Dataset dataset(H5Dopen2(parent, name, H5P_DEFAULT));
    if (!dataset.valid()) fail(where, "has a '{}' that is damaged or no dataset", name);
    require_readable(dataset, place);
    return dataset;
  }

  /// Numbers may be in any other file, such as /etc/passwd, or packed by a filter that only other machines have.
  void require_readable(const hdf5::Dataset& dataset, const std::string& where) const {
    const hdf5::Properties creation(H5Dget_create_plist(dataset.get()));
    if (!creation.valid()) fail(where, "is damaged");
    if (H5Pget_external_count(creation.get()) != 0 || H5Pget_layout(creation.get()) == H5D_VIRTUAL)
      fail(where, "keeps its numbers in another file, and only this one is read");
    const int filters = H5Pget_nfilters(creation.get());
    for (int i = 0; i < filters; ++i) {
      unsigned flags = 0;
      std::size_t values = 0;
      char name[80] = "";
      const auto filter = H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &values, nullptr,
                                         sizeof(name), name, nullptr);
      if (filter >= 0 && H5Zfilter_avail(filter) <= 0)
        fail(where, "is packed by the filter {} (number {}), which HDF5 does not have here", io::quoted(name),
             filter);
    }
  }

  /// The number of rows of a dataset that must hold `columns` numbers per row and be of the given class.
  std::size_t rows_of(const hdf5::Dataset& dataset, const std::string& where, H5T_class_t wanted,
                      hsize_t columns, std::size_t value_bytes) const {
    const hdf5::Type type(H5Dget_type(dataset.get()));
    if (!type.valid() || H5Tget_class(type.get()) != wanted)
      fail(where, "does not hold {}",
           wanted == H5T_FLOAT     ? "floating point numbers"
           : wanted == H5T_INTEGER ? "integers"
                                   : "strings");
    const hdf5::Space space(H5Dget_space(dataset.get()));
    const int rank = columns == 1 ? 1 : 2;
    hsize_t shape[2] = {0, 1};
    if (!space.valid() || H5Sget_simple_extent_ndims(space.get()) != rank ||
        H5Sget_simple_extent_dims(space.get(), shape, nullptr) != rank || (rank == 2 && shape[1] != columns))
      fail(where, "{}", rank == 1 ? "must be a list" : fmt::format("must have shape N x {}", columns));
    // No compression of HDF5 does better than 1032 to 1; a claim beyond that would only exhaust the memory. Of rows
    // that nobody wrote, nothing is stored.
    const auto stored = std::min<std::uintmax_t>(H5Dget_storage_size(dataset.get()), bytes_);
    if (shape[0] > 1032 * stored / (columns * value_bytes))
      fail(where, "claims {} rows, more than the {} bytes can hold that are stored for it", shape[0], stored);
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
    for (const auto value : wide)
      if (!std::in_range<T>(value)) fail(place, "holds {}, which is out of range", value);
    std::vector<T> values(wide.begin(), wide.end());
    check(dataset, place, std::span<const T>(values));
    return values;
  }

  // ---- checksums

  template <class Value>
  void check(const hdf5::Dataset& dataset, const std::string& path, std::span<const Value> values) const {
    if (has_checksums_) check(dataset, path, hdf5::begin_checksum(path).update(std::as_bytes(values)));
  }
  void check(const hdf5::Dataset& dataset, const std::string& path, const base::Hasher& found) const {
    if (has_checksums_ && read_attribute(dataset.get(), path, hdf5::checksum_name) != found.hexadecimal())
      refuse_damaged(path_);
  }

  // ---- texts, which others may have written with variable length

  std::vector<std::string> read_strings(hid_t parent, const char* name) const {
    const auto dataset = open_dataset(parent, "", name);
    const std::size_t rows = rows_of(dataset, name, H5T_STRING, 1, 1);
    auto texts = read_texts(name, H5Dget_type(dataset.get()), rows, [&](hid_t memory, void* values) {
      return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    });
    auto checksum = hdf5::begin_checksum(name);
    for (const auto& text : texts) hdf5::add_text(checksum, text);
    check(dataset, name, checksum);
    return texts;
  }

  std::string read_attribute(hid_t object, const std::string& where, const char* name) const {
    if (H5Aexists(object, name) <= 0) return {};
    const hdf5::Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
    if (!is_one(attribute, H5T_STRING)) fail(where, "has an attribute '{}' that is not one text", name);
    return read_texts(where, H5Aget_type(attribute.get()), 1,
                      [&](hid_t memory, void* values) { return H5Aread(attribute.get(), memory, values); })
        .front();
  }

  int read_version() const {
    if (H5Aexists(root_.get(), "version") <= 0) fail("", "has no attribute 'version'");
    const hdf5::Attribute attribute(H5Aopen(root_.get(), "version", H5P_DEFAULT));
    std::int32_t version = 0;
    if (!is_one(attribute, H5T_INTEGER) || H5Aread(attribute.get(), H5T_NATIVE_INT32, &version) < 0)
      fail("", "has an attribute 'version' that is not one integer");
    return version;
  }

  /// Whether the attribute holds one value of this class.
  static bool is_one(const hdf5::Attribute& attribute, H5T_class_t wanted) {
    const hdf5::Type type(H5Aget_type(attribute.get()));
    const hdf5::Space space(H5Aget_space(attribute.get()));
    return type.valid() && space.valid() && H5Tget_class(type.get()) == wanted &&
           H5Sget_simple_extent_npoints(space.get()) == 1;
  }

  template <class Read>
  std::vector<std::string> read_texts(const std::string& where, hid_t type, std::size_t count,
                                      Read read) const {
    const hdf5::Type stored(type);
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

  /// "file: group does such and such."
  template <class... Values>
  [[noreturn]] void fail(const std::string& where, fmt::format_string<Values...> predicate,
                         Values&&... values) const {
    const std::string said = fmt::format(predicate, std::forward<Values>(values)...);
    if (where.empty()) refuse("{} {}.", path_.string(), said);
    refuse("{}: {} {}.", path_.string(), where, said);
  }

  const fs::path& path_;
  hdf5::File file_;
  hdf5::Group root_;
  std::uintmax_t bytes_;
  bool has_checksums_ = false;
  std::set<std::pair<std::string, diagram::Kind>> seen_;
};

}  // namespace

diagram::DiagramSet read_hdf5(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  return Reader(path).read();
}

std::vector<std::string> hdf5_filtrations(const fs::path& path) {
  const hdf5::QuietErrors quiet;
  return Reader(path).filtrations();
}

std::vector<std::string> diagram_file_notes(const fs::path& path) {
  if (!is_hdf5_name(path)) return {};
  const hdf5::QuietErrors quiet;
  return Reader(path).has_checksums() ? std::vector<std::string>{} : std::vector{no_checksum_remark(path)};
}

bool has_clouds(const fs::path& path) {
  if (!is_hdf5_name(path)) return false;
  require_file(path);
  const hdf5::QuietErrors quiet;
  return Reader(path).has_clouds();
}

data::PointCloudDataset read_clouds(const fs::path& path) {
  if (!is_hdf5_name(path))
    refuse("{}: Only diagram files that end in .h5 or .hdf5 can hold point clouds.", path.string());
  require_file(path);
  const hdf5::QuietErrors quiet;
  return Reader(path).read_clouds();
}

}  // namespace perslay::io
