#pragma once

#include "graph_format.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// A parser for each format of graphs, as GraphFormat wants them, and whether a text begins like the format. Files may
/// come from strangers: nothing recurses, memory is in proportion to the file, and no parser opens another file.
namespace perslay::io {

[[nodiscard]] bool recognises_graphml(std::string_view beginning);
[[nodiscard]] std::vector<ParsedGraph> parse_graphml(const Text& text, const GraphReadOptions& options,
                                                     const base::Context& context);

[[nodiscard]] bool recognises_gml(std::string_view beginning);
[[nodiscard]] std::vector<ParsedGraph> parse_gml(const Text& text, const GraphReadOptions& options,
                                                 const base::Context& context);

/// What `networkx.node_link_data` makes, as JSON.
[[nodiscard]] bool recognises_node_link(std::string_view beginning);
[[nodiscard]] std::vector<ParsedGraph> parse_node_link(const Text& text, const GraphReadOptions& options,
                                                       const base::Context& context);

[[nodiscard]] bool recognises_matrix_market(std::string_view beginning);
[[nodiscard]] std::vector<ParsedGraph> parse_matrix_market(const Text& text, const GraphReadOptions& options,
                                                           const base::Context& context);

/// The text is the bytes of the file. It begins as every zip file does, so the ending .npz must tell as well.
[[nodiscard]] bool recognises_npz(std::string_view beginning);
[[nodiscard]] std::vector<ParsedGraph> parse_npz(const Text& text, const GraphReadOptions& options,
                                                 const base::Context& context);

/// A graph per line, with the columns edge_index, num_nodes, y, ...
[[nodiscard]] bool recognises_graph_lines(std::string_view beginning);
[[nodiscard]] std::vector<ParsedGraph> parse_graph_lines(const Text& text, const GraphReadOptions& options,
                                                         const base::Context& context);

// ---- the raw folders of the Open Graph Benchmark

/// Whether a file in a folder or archive belongs to such a dataset, by its path inside.
[[nodiscard]] bool belongs_to_ogb(std::string_view path);

/// Whether the folder, or its folder `raw`, holds such a dataset.
[[nodiscard]] bool is_ogb_folder(const std::filesystem::path& path);

/// Reads such a folder.
[[nodiscard]] std::vector<ParsedGraph> read_ogb_folder(const std::filesystem::path& folder,
                                                       const GraphReadOptions& options,
                                                       const base::Context& context);

/// Reads the dataset from its files, packed or not, whose names are their paths inside `where`, a folder or an archive.
/// Unpacks to at most the limit of the options, or 200 times the files or a gibibyte.
[[nodiscard]] std::vector<ParsedGraph> parse_ogb(const std::string& where, std::vector<Text> files,
                                                 const GraphReadOptions& options,
                                                 const base::Context& context);

// ---- what they have in common

/// How many vertices, or other things that cost memory, a file of this size may ask for by a number alone. A few bytes
/// would otherwise make a graph of almost only isolated vertices.
[[nodiscard]] constexpr std::int64_t most_by_number(std::size_t bytes) {
  return 10 * static_cast<std::int64_t>(bytes) + 1'000'000;
}

}  // namespace perslay::io
