#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/graph_dataset.h>

/// Readers and writers of graphs. Anything wrong in a file is a base::Error (Fault::user) whose sentence
/// names the file, the line and the numbers involved; nothing is repaired silently.
namespace perslay::io {

struct GraphReadOptions {
  /// Edge lists only: vertices are numbered from 1 instead of 0.
  bool one_based = false;
  /// Edge lists only: the columns of source, target and, if there is a third, weight, by their names in the header or
  /// by numbers from 1. Empty: as the header says.
  std::vector<std::string> columns{};
  /// Archives only: how many bytes the files of the dataset may unpack to. Without a number it is 256 MiB, or 200
  /// times the size of the archive if that is more.
  std::optional<std::uint64_t> unpack_limit{};
};

/// Reads `path`, whatever it is:
///  - a folder or archive (.zip, .7z, .tar, .tar.xz, .tgz, ...) that holds a TU dataset (see read_tu_dataset);
///  - one that holds a file for each graph, in any of the formats below, in the natural order of their names. If there
///    is a file labels.csv with lines `file,label`, exactly the files named there are read, in that order;
///  - a single file, also compressed (.gz, .bz2, .xz, .zst): an edge list, or a format that docs/file-formats.md names.
/// An edge list has a line for each edge, `a b` or `a b weight`, with or without a header; separators are blanks, tabs,
/// commas or semicolons. A line with a single vertex declares it; empty lines and those that start with '#' or '%' are
/// skipped. In a list of numbers without a header the vertices are 0 ... the largest, and those that no line mentions
/// are isolated vertices. All other vertices have names. Either all edges have weights (positive and finite) or none
/// has; an edge given twice must repeat its weight.
[[nodiscard]] data::GraphDataset read_graph_dataset(const std::filesystem::path& path,
                                                    const base::Context& context = {},
                                                    const GraphReadOptions& options = {});

/// Reads a dataset in the text format of the TU Dortmund collection: NAME_A.txt, NAME_graph_indicator.txt and,
/// where present, NAME_graph_labels.txt, NAME_node_labels.txt and NAME_node_attributes.txt. They are in a
/// folder, or at any depth of an archive. The vertices of a graph stand together, graphs in ascending order. A
/// graph without vertices is empty, but the last one must have a vertex. Edges may be given in one direction or
/// in both and are read as undirected; a source that mixes the two gets a note. Archives are read in memory,
/// nothing is extracted, and all that their format can check is checked, to the end of the file. About 250 MB of
/// decompressed text per second on one core.
[[nodiscard]] data::GraphDataset read_tu_dataset(const std::filesystem::path& path,
                                                 const base::Context& context = {},
                                                 const GraphReadOptions& options = {});

/// Writes a TU dataset into a new folder `path`, whose last component becomes NAME. The folder appears whole or
/// not at all; it must not exist yet. Refuses what the format cannot hold: graphs without labels, classes that
/// are not integers, names of vertices or attributes, edge weights, a last graph without vertices.
void write_tu_dataset(const std::filesystem::path& path, const data::GraphDataset& dataset);

/// Reads one finite number per line, as many as `expected` says (one per vertex of a dataset, graph after graph).
[[nodiscard]] std::vector<double> read_vertex_values(const std::filesystem::path& path, std::size_t expected);

}  // namespace perslay::io
