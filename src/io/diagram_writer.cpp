#include "diagram_formats.h"
#include "hdf5_format.h"
#include "hdf5_writer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/diagram_writer.h>

namespace perslay::io {
namespace {

namespace fs = std::filesystem;

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

fs::path checked(const fs::path& path) {
  if (!is_hdf5_name(path))
    throw base::user_error(fmt::format(
        "{}: A diagram file that is written piece by piece ends in .h5 or .hdf5.", path.string()));
  return path;
}

/// The file while it is written.
class Growth {
 public:
  Growth(const AtomicFile& target, const DiagramFileLayout& layout) : writer_(target) {
    if (!layout.classes.empty()) {
      labels_.emplace(writer_, writer_.root(), "labels", int32(), 1);
      writer_.write_strings(writer_.root(), "classes", layout.classes);
    }
    std::map<std::string, hdf5::Group> filtrations;
    for (const auto& [filtration, kind] : layout.groups) {
      auto parent = filtrations.find(filtration);
      if (parent == filtrations.end())
        parent = filtrations.emplace(filtration, writer_.create_filtration(filtration)).first;
      const auto group = writer_.create_group(parent->second.get(), std::string(diagram::kind_name(kind)));
      groups_.emplace_back(writer_, group.get());
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
    writer_.flush();
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
    throw base::user_error("The diagrams to append have other groups or classes than the file.");
  const std::size_t items = chunk.item_count();
  const auto fits = [&](int label) {
    return label >= 0 && static_cast<std::size_t>(label) < layout.classes.size();
  };
  if (chunk.labels.size() != (layout.classes.empty() ? 0 : items) || !std::ranges::all_of(chunk.labels, fits))
    throw base::user_error(
        fmt::format("{} diagrams of {} classes are to be appended with {} labels, or with wrong ones.", items,
                    layout.classes.size(), chunk.labels.size()));
  for (const auto& group : chunk.groups) {
    if (group.diagrams.size() != items)
      throw base::user_error(
          fmt::format("The groups to append have {} and {} items.", items, group.diagrams.size()));
    if (!group.diagrams.vertices().empty() || group.cycles.size() > 0)
      throw base::user_error(
          "A diagram file that is written piece by piece keeps no vertices and no cycles.");
  }
  const std::size_t cloud_count = clouds == nullptr ? 0 : clouds->size();
  if (layout.clouds && cloud_count != items)
    throw base::user_error(
        fmt::format("{} items are to be appended with {} point clouds.", items, cloud_count));
}

}  // namespace

struct DiagramWriter::Work {
  Work(const fs::path& path, const DiagramFileLayout& wanted)
      : target(checked(path)), layout(wanted), growth(std::in_place, target, layout) {}

  AtomicFile target;
  DiagramFileLayout layout;
  std::optional<Growth> growth;  // until it is finished
};

DiagramWriter::DiagramWriter(const fs::path& path, const DiagramFileLayout& layout) {
  const hdf5::QuietErrors quiet;
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
