#include "diagram_formats.h"
#include "diagram_hdf5.h"
#include "text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include <perslay/io/diagram_writer.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

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
  if (!file.valid()) refuse("{} cannot be created.", target.target().string());
  return file;
}

hdf5::Type string_type(std::size_t length) {
  hdf5::Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), std::max<std::size_t>(length, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// How the values of a dataset look in the file and in memory.
struct ValueType {
  hid_t stored;
  hid_t native;
  std::size_t bytes;
};
ValueType float64() { return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, sizeof(double)}; }
ValueType int64() { return {H5T_STD_I64LE, H5T_NATIVE_INT64, sizeof(std::int64_t)}; }
ValueType int32() { return {H5T_STD_I32LE, H5T_NATIVE_INT32, sizeof(std::int32_t)}; }

using Shape = std::vector<hsize_t>;

/// A new diagram file and the ways to fill it. Nothing that depends on the time is stored: the same calls give
/// the same bytes.
class Hdf5Writer {
 public:
  /// Creates the partial file with the attributes `format`, `version` and `checksums`.
  explicit Hdf5Writer(const AtomicFile& file) : target_(file.target()), file_(create(file)) {
    write_text(root(), "format", hdf5::format_name);
    write_attribute(root(), "version", H5T_NATIVE_INT32, &hdf5::format_version);
    write_text(root(), hdf5::has_checksums_name, hdf5::has_checksums_value);
  }

  [[nodiscard]] hid_t root() const noexcept { return file_.get(); }

  [[nodiscard]] hdf5::Group create_group(hid_t parent, const std::string& name) const {
    const hdf5::Properties creation(H5Pcreate(H5P_GROUP_CREATE));
    remember_order(creation);
    hdf5::Group group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    if (!group.valid()) fail();
    return group;
  }

  [[nodiscard]] hdf5::Group create_group(hid_t parent, diagram::Kind kind) const {
    return create_group(parent, std::string(diagram::kind_name(kind)));
  }

  /// The group of a filtration, named so that HDF5 accepts it and no earlier group has the name.
  [[nodiscard]] hdf5::Group create_filtration(const std::string& filtration) {
    std::string name = filtration;
    std::ranges::replace_if(
        name, [](char c) { return c == ':' || c == '/' || c == '\0'; }, '_');
    if (name.empty() || name == "." || name == "..") name += '_';
    std::string unique = name;
    for (int number = 2; !taken_.insert(unique).second; ++number) unique = fmt::format("{}_{}", name, number);
    auto group = create_group(root(), unique);
    write_text(group.get(), "filtration", filtration);
    return group;
  }

  /// A dataset of this shape, or one in chunks of the shape `chunk` that grows without limit.
  [[nodiscard]] hdf5::Dataset create_dataset(hid_t parent, const char* name, const ValueType& type,
                                             const Shape& shape, const Shape& chunk = {}) const {
    const auto rank = static_cast<int>(shape.size());
    Shape limits = shape;
    const hdf5::Properties creation(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_obj_track_times(creation.get(), false);
    if (!chunk.empty()) {
      limits.front() = H5S_UNLIMITED;
      H5Pset_chunk(creation.get(), rank, chunk.data());
    }
    const hdf5::Space space(H5Screate_simple(rank, shape.data(), chunk.empty() ? nullptr : limits.data()));
    hdf5::Dataset dataset(
        H5Dcreate2(parent, name, type.stored, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    if (!dataset.valid()) fail();
    return dataset;
  }

  void write_rows(hid_t parent, const char* name, const ValueType& type, const void* values,
                  const Shape& shape) const {
    auto dataset = create_dataset(parent, name, type, shape);
    write_all(dataset, type, values, shape);
    std::size_t bytes = type.bytes;
    for (const auto extent : shape) bytes *= extent;
    auto checksum = begin_checksum(dataset);
    checksum.update(std::span(static_cast<const std::byte*>(values), bytes));
    finish(dataset, checksum);
  }

  void write_classes(std::span<const std::string> classes) const {
    if (classes.empty()) return;
    const std::size_t width =
        std::max<std::size_t>(std::ranges::max(classes, {}, &std::string::size).size(), 1);
    std::string packed;
    for (const auto& text : classes) packed.append(text).append(width - text.size(), '\0');
    const auto text_type = string_type(width);
    const ValueType type{text_type.get(), text_type.get(), width};
    auto dataset = create_dataset(root(), "classes", type, {classes.size()});
    write_all(dataset, type, packed.data(), {classes.size()});
    auto checksum = begin_checksum(dataset);
    for (const auto& text : classes) hdf5::add_text(checksum, text);
    finish(dataset, checksum);
  }

  [[nodiscard]] base::Hasher begin_checksum(const hdf5::Dataset& dataset) const {
    const auto length = H5Iget_name(dataset.get(), nullptr, 0);
    if (length <= 0) fail();
    std::string path(static_cast<std::size_t>(length), '\0');
    H5Iget_name(dataset.get(), path.data(), path.size() + 1);
    return hdf5::begin_checksum(std::string_view(path).substr(1));  // without the root's slash
  }

  /// HDF5 may keep values back until a dataset is closed.
  void finish(hdf5::Dataset& dataset, const base::Hasher& checksum) const {
    write_text(dataset.get(), hdf5::checksum_name, checksum.hexadecimal());
    if (!dataset.close()) fail();
  }

  /// Writes the rest. All groups and datasets are closed by now, or it would stay open.
  void close() {
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0 || !file_.close()) fail();
  }

  [[noreturn]] void fail() const {
    throw base::internal_error(fmt::format("{} cannot be written; is the disk full?", target_.string()));
  }

 private:
  void write_all(const hdf5::Dataset& dataset, const ValueType& type, const void* values,
                 const Shape& shape) const {
    if (shape.front() > 0 && H5Dwrite(dataset.get(), type.native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      fail();
  }

  void write_text(hid_t object, const char* name, const std::string& text) const {
    write_attribute(object, name, string_type(text.size()).get(), text.c_str());
  }

  void write_attribute(hid_t object, const char* name, hid_t type, const void* value) const {
    const hdf5::Space scalar(H5Screate(H5S_SCALAR));
    const hdf5::Attribute attribute(H5Acreate2(object, name, type, scalar.get(), H5P_DEFAULT, H5P_DEFAULT));
    if (!attribute.valid() || H5Awrite(attribute.get(), type, value) < 0) fail();
  }

  fs::path target_;
  hdf5::File file_;
  std::set<std::string> taken_{"labels", "classes", "clouds"};
};

// ---- whole sets

void write_group(const Hdf5Writer& writer, hid_t target, const diagram::DiagramGroup& group) {
  const auto points = group.diagrams.points();
  const auto offsets = group.diagrams.offsets();
  writer.write_rows(target, "points", float64(), points.data(), {points.size(), 2});
  writer.write_rows(target, "offsets", int64(), offsets.data(), {offsets.size()});
  if (group.diagrams.has_vertices()) {
    const auto vertices = group.diagrams.vertices();
    writer.write_rows(target, "vertices", int32(), vertices.data(), {vertices.size(), 2});
  }
  if (group.cycles.size() > 0) {
    const auto& [vertices, ends] = group.cycles;
    writer.write_rows(target, "cycles", int32(), vertices.data(), {vertices.size()});
    writer.write_rows(target, "cycle_offsets", int64(), ends.data(), {ends.size()});
  }
}

// ---- sets that come piece by piece

constexpr std::size_t chunk_bytes = std::size_t{1} << 18;

/// A dataset of rows that grows while it is written. Rows reach the file in whole chunks, so what is stored
/// does not depend on how many came at a time.
class GrowingDataset {
 public:
  /// One number per row, or `columns` of them.
  GrowingDataset(const Hdf5Writer& writer, hid_t parent, const char* name, const ValueType& type,
                 hsize_t columns)
      : writer_(&writer),
        type_(type),
        row_bytes_(columns * type.bytes),
        shape_(columns == 1 ? Shape{0} : Shape{0, columns}),
        dataset_(writer.create_dataset(parent, name, type, shape_, with_rows(chunk_bytes / row_bytes_))),
        checksum_(writer.begin_checksum(dataset_)) {
    waiting_.reserve(chunk_bytes);
  }

  void append(const void* rows, std::size_t count) {
    auto bytes = std::span(static_cast<const std::byte*>(rows), count * row_bytes_);
    checksum_.update(bytes);
    const std::size_t full = chunk_bytes / row_bytes_ * row_bytes_;
    while (!bytes.empty()) {
      const auto part = bytes.first(std::min(bytes.size(), full - waiting_.size()));
      waiting_.insert(waiting_.end(), part.begin(), part.end());
      bytes = bytes.subspan(part.size());
      if (waiting_.size() == full) write_waiting();
    }
  }

  /// Writes the remaining rows; call it once, at the end.
  void finish() {
    if (!waiting_.empty()) write_waiting();
    writer_->finish(dataset_, checksum_);
  }

 private:
  [[nodiscard]] Shape with_rows(hsize_t rows) const {
    Shape shape = shape_;
    shape.front() = rows;
    return shape;
  }

  void write_waiting() {
    Shape begin(shape_.size(), 0);
    begin.front() = shape_.front();
    const Shape size = with_rows(waiting_.size() / row_bytes_);
    shape_.front() += size.front();
    if (H5Dset_extent(dataset_.get(), shape_.data()) < 0) writer_->fail();
    const hdf5::Space file(H5Dget_space(dataset_.get()));
    const hdf5::Space memory(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr));
    if (H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr) < 0 ||
        H5Dwrite(dataset_.get(), type_.native, memory.get(), file.get(), H5P_DEFAULT, waiting_.data()) < 0)
      writer_->fail();
    waiting_.clear();
  }

  const Hdf5Writer* writer_;
  ValueType type_;
  std::size_t row_bytes_;
  Shape shape_;
  hdf5::Dataset dataset_;
  base::Hasher checksum_;
  std::vector<std::byte> waiting_;
};

/// Packed rows and offsets, growing item by item.
class RaggedRows {
 public:
  RaggedRows(const Hdf5Writer& writer, hid_t group)
      : points_(writer, group, "points", float64(), 2), offsets_(writer, group, "offsets", int64(), 1) {
    offsets_.append(&end_, 1);
  }

  template <class Row>
  void append(std::span<const Row> item) {
    static_assert(sizeof(Row) == 2 * sizeof(double));
    points_.append(item.data(), item.size());
    end_ += static_cast<std::int64_t>(item.size());
    offsets_.append(&end_, 1);
  }

  void finish() {
    points_.finish();
    offsets_.finish();
  }

 private:
  GrowingDataset points_;
  GrowingDataset offsets_;
  std::int64_t end_ = 0;
};

/// The file while it is written.
class Growth {
 public:
  Growth(const AtomicFile& target, const DiagramFileLayout& layout) : writer_(target) {
    if (!layout.classes.empty()) labels_.emplace(writer_, writer_.root(), "labels", int32(), 1);
    writer_.write_classes(layout.classes);
    std::map<std::string, hdf5::Group> filtrations;
    for (const auto& [filtration, kind] : layout.groups) {
      auto parent = filtrations.find(filtration);
      if (parent == filtrations.end())
        parent = filtrations.emplace(filtration, writer_.create_filtration(filtration)).first;
      groups_.emplace_back(writer_, writer_.create_group(parent->second.get(), kind).get());
    }
    if (layout.clouds) clouds_.emplace(writer_, writer_.create_group(writer_.root(), "clouds").get());
  }

  /// Item by item through all datasets, so that the order in which they grow does not depend on the size of
  /// the chunk.
  void append(const diagram::DiagramSet& chunk, const data::PointCloudDataset* clouds) {
    for (std::size_t item = 0; item < chunk.item_count(); ++item) {
      if (labels_) {
        const std::int32_t label = chunk.labels[item];
        labels_->append(&label, 1);
      }
      for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].append(chunk.groups[g].diagrams[item]);
      if (clouds_) clouds_->append((*clouds)[item]);
    }
  }

  void finish() {
    if (labels_) labels_->finish();
    for (auto& rows : groups_) rows.finish();
    if (clouds_) clouds_->finish();
    writer_.close();
  }

 private:
  Hdf5Writer writer_;
  std::optional<GrowingDataset> labels_;
  std::vector<RaggedRows> groups_;
  std::optional<RaggedRows> clouds_;
};

void check(const diagram::DiagramSet& chunk, const data::PointCloudDataset* clouds,
           const DiagramFileLayout& layout) {
  const auto same = [](const diagram::DiagramGroup& group, const DiagramFileLayout::Group& wanted) {
    return group.filtration == wanted.filtration && group.kind == wanted.kind;
  };
  if (!std::ranges::equal(chunk.groups, layout.groups, same) || chunk.classes != layout.classes)
    refuse("The diagrams to append have other groups or classes than the file.");
  const std::size_t items = chunk.item_count();
  const auto fits = [&](int label) {
    return label >= 0 && static_cast<std::size_t>(label) < layout.classes.size();
  };
  if (chunk.labels.size() != (layout.classes.empty() ? 0 : items) || !std::ranges::all_of(chunk.labels, fits))
    refuse("{} diagrams of {} classes are to be appended with {} labels, or with wrong ones.", items,
           layout.classes.size(), chunk.labels.size());
  for (const auto& group : chunk.groups) {
    if (group.diagrams.size() != items)
      refuse("The groups to append have {} and {} items.", items, group.diagrams.size());
    if (!group.diagrams.vertices().empty() || group.cycles.size() > 0)
      refuse("A diagram file that is written piece by piece keeps no vertices and no cycles.");
  }
  const std::size_t cloud_count = clouds == nullptr ? 0 : clouds->size();
  if (layout.clouds && cloud_count != items)
    refuse("{} items are to be appended with {} point clouds.", items, cloud_count);
}

}  // namespace

void write_hdf5(const AtomicFile& target, const diagram::DiagramSet& set) {
  const hdf5::QuietErrors quiet;
  Hdf5Writer writer(target);
  if (!set.labels.empty()) {
    const std::vector<std::int32_t> labels(set.labels.begin(), set.labels.end());
    writer.write_rows(writer.root(), "labels", int32(), labels.data(), {labels.size()});
  }
  writer.write_classes(set.classes);
  for (const auto& filtration : filtrations_of(set)) {
    const auto parent = writer.create_filtration(filtration);
    for (const auto& group : set.groups)
      if (group.filtration == filtration)
        write_group(writer, writer.create_group(parent.get(), group.kind).get(), group);
  }
  writer.close();
}

struct DiagramWriter::Work {
  Work(const fs::path& path, const DiagramFileLayout& wanted)
      : target(path), layout(wanted), growth(std::in_place, target, layout) {}

  AtomicFile target;
  DiagramFileLayout layout;
  std::optional<Growth> growth;  // until it is finished
};

DiagramWriter::DiagramWriter(const fs::path& path, const DiagramFileLayout& layout) {
  const hdf5::QuietErrors quiet;
  if (!is_hdf5_name(path))
    refuse("{}: A diagram file that is written piece by piece ends in .h5 or .hdf5.", path.string());
  work_ = std::make_unique<Work>(path, layout);
}

DiagramWriter::~DiagramWriter() {
  const hdf5::QuietErrors quiet;
  work_.reset();
}

void DiagramWriter::append(const diagram::DiagramSet& chunk, const data::PointCloudDataset* clouds) {
  const hdf5::QuietErrors quiet;
  check(chunk, clouds, work_->layout);
  work_->growth.value().append(chunk, clouds);
}

void DiagramWriter::finish() {
  const hdf5::QuietErrors quiet;
  work_->growth.value().finish();
  work_->growth.reset();
  work_->target.commit();
}

}  // namespace perslay::io
