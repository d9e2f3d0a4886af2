#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/io/atomic_file.h>

namespace perslay::io {

/// Whether the ending of `path` is that of an HDF5 file.
[[nodiscard]] bool is_hdf5_name(const std::filesystem::path& path);

/// The formats behind diagram_file.h. Writers write the partial file and expect a set that was checked.
void write_hdf5(const AtomicFile& target, const diagram::DiagramSet& diagrams);
void write_csv(const AtomicFile& target, const diagram::DiagramSet& diagrams);
[[nodiscard]] diagram::DiagramSet read_hdf5(const std::filesystem::path& path);
[[nodiscard]] diagram::DiagramSet read_csv(const std::filesystem::path& path);
[[nodiscard]] data::PointCloudDataset read_hdf5_clouds(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::string> hdf5_filtrations(const std::filesystem::path& path);
[[nodiscard]] bool has_hdf5_clouds(const std::filesystem::path& path);

}  // namespace perslay::io
