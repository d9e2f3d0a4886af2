#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <perslay/diagram/diagram_set.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/diagram_file.h>

namespace perslay::io {

/// Whether the ending of `path` is that of an HDF5 file.
[[nodiscard]] bool is_hdf5_name(const std::filesystem::path& path);

/// Throws if there is no such file.
void require_file(const std::filesystem::path& path);

/// The filtrations of the groups, each once.
[[nodiscard]] std::vector<std::string> filtrations_of(const diagram::DiagramSet& set);

/// The formats behind diagram_file.h. Writers write the partial file and expect a set that was checked.
void write_hdf5(const AtomicFile& target, const diagram::DiagramSet& diagrams);
void write_csv(const AtomicFile& target, const diagram::DiagramSet& diagrams, const VertexNames& vertices);
[[nodiscard]] diagram::DiagramSet read_hdf5(const std::filesystem::path& path);
[[nodiscard]] diagram::DiagramSet read_csv(const std::filesystem::path& path);
[[nodiscard]] std::vector<std::string> hdf5_filtrations(const std::filesystem::path& path);

}  // namespace perslay::io
