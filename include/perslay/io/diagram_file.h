#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram_set.h>

namespace perslay::io {

/// The names of the vertices of all items, where they have other names than their numbers: item i has those from
/// `offsets[i]` on.
struct VertexNames {
  std::vector<std::string> names{};
  std::vector<std::int64_t> offsets{0};
};

/// Writes a diagram file, which appears whole or not at all. The ending decides the format:
///  - .h5, .hdf5: HDF5, with one group per filtration and kind: `hks_10/ext1`, with '_' for every ':' and '/';
///    the exact name is the attribute `filtration` of `hks_10`. A group has `points` (N x 2, float64),
///    `offsets` (items + 1, int64), `vertices` (N x 2, int32, where known) and, if cycles were asked for,
///    `cycles` (int32) and `cycle_offsets` (N + 1, int64). The root has `labels` (int32) and `classes`
///    (strings), and the attributes `format` = "perslay diagrams" and `version`. Point clouds, if kept (see
///    diagram_writer.h), are under `clouds` as `points` (N x 2, float64) and `offsets` (items + 1, int64). Every
///    dataset has a checksum as an attribute; docs/file-formats.md says how it is made.
///  - .csv: for people. The header is `item,filtration,kind,birth,death`, and `cycle` (vertices separated by
///    blanks, by their names if they have some) if there are cycles. Items are counted from 0; numbers have the
///    shortest form that reads back as the same double. Labels, vertices, groups without points and
///    trailing items without points are not kept.
/// The same diagrams give the same bytes, whenever they are written.
void write_diagrams(const std::filesystem::path& path, const diagram::DiagramSet& diagrams,
                    const VertexNames& names = {});

/// Throws the errors of write_diagrams about `path` itself: an unknown ending, a folder that does not exist or
/// cannot be written. Call it before a long computation.
void check_diagram_target(const std::filesystem::path& path);

/// Reads what write_diagrams wrote, or a file of that format made elsewhere. Groups come filtration by
/// filtration; datasets that the format does not name are ignored. Vertices that a CSV file calls by names are numbered
/// in the order in which each item's cycles mention them. What does not match its checksum is the user's
/// error; a file made elsewhere needs none.
[[nodiscard]] diagram::DiagramSet read_diagrams(const std::filesystem::path& path);

/// The filtrations of which a diagram file has diagrams, each once, in the order of read_diagrams. Of HDF5
/// files only names are read.
[[nodiscard]] std::vector<std::string> filtrations_in(const std::filesystem::path& path);

/// Sentences about a diagram file that a person should see: that it is HDF5 without checksums.
[[nodiscard]] std::vector<std::string> diagram_file_notes(const std::filesystem::path& path);

/// Whether a diagram file (HDF5) also keeps the point clouds that its diagrams were computed from.
[[nodiscard]] bool has_clouds(const std::filesystem::path& path);

/// Reads the point clouds of a diagram file, with their labels. A file without clouds is an error.
[[nodiscard]] data::PointCloudDataset read_clouds(const std::filesystem::path& path);

/// Whether `path` is a diagram file, judged by its ending. A .csv file may also be an edge list; its first line
/// decides.
[[nodiscard]] bool is_diagram_file(const std::filesystem::path& path);

}  // namespace perslay::io
