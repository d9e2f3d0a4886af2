#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram_set.h>

namespace perslay::io {

/// What a diagram file written piece by piece will hold.
struct DiagramFileLayout {
  struct Group {
    std::string filtration;
    diagram::Kind kind = diagram::Kind::h0;
  };
  std::vector<Group> groups;
  /// The classes' names; items have labels if there are any.
  std::vector<std::string> classes;
  /// Keep the point clouds too, under `clouds`.
  bool clouds = false;
};

/// Writes a diagram file (HDF5, see diagram_file.h) that need not fit in memory. Append items in their order,
/// then call `finish`, which makes the file appear; without it, nothing appears. The bytes depend on the items
/// alone, not on how many are appended at a time. Memory: a quarter of a megabyte per dataset of the file.
/// Vertices and cycles cannot be written; diagrams that have some are an error.
class DiagramWriter {
 public:
  /// Throws if the ending of `path` is not that of an HDF5 file or if it cannot be written.
  DiagramWriter(const std::filesystem::path& path, const DiagramFileLayout& layout);
  ~DiagramWriter();
  DiagramWriter(const DiagramWriter&) = delete;
  DiagramWriter& operator=(const DiagramWriter&) = delete;

  /// `chunk` must have the layout's groups and classes; `clouds`, one for each item, is needed if clouds are
  /// kept.
  void append(const diagram::DiagramSet& chunk, const data::PointCloudDataset* clouds = nullptr);
  void finish();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace perslay::io
