#pragma once

#include <filesystem>

#include <perslay/diagram/diagram_set.h>

namespace perslay::io {

/// The formats behind diagram_file.h. Writers write to exactly this path and expect a set that was checked.
void write_hdf5(const std::filesystem::path& path, const diagram::DiagramSet& diagrams);
void write_csv(const std::filesystem::path& path, const diagram::DiagramSet& diagrams);
[[nodiscard]] diagram::DiagramSet read_hdf5(const std::filesystem::path& path);
[[nodiscard]] diagram::DiagramSet read_csv(const std::filesystem::path& path);

}  // namespace perslay::io
