#pragma once

#include "text.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/build_graphs.h>
#include <perslay/data/graph_dataset.h>
#include <perslay/io/graph_dataset.h>

/// The formats in which a file holds one graph or several, and what their readers have in common. A reader turns text
/// into ParsedGraphs; `add_graphs` makes a dataset of them.
namespace perslay::io {

/// What a file says of every vertex under one name: numbers, or words. Exactly one of the two lists has entries.
struct VertexColumn {
  std::string name;
  std::vector<double> numbers{};
  std::vector<std::string> words{};
};

/// One graph as a file gives it, before it is cleaned.
struct ParsedGraph {
  data::Vertex vertices = 0;
  /// The names of the vertices, if the file has others than the numbers from 0 in this order; else empty.
  std::vector<std::string> names{};
  std::vector<data::Arc> arcs{};
  std::vector<double> weights{};      ///< Empty, or one per arc.
  std::vector<std::int64_t> lines{};  ///< Where each arc stands, for errors about weights; may be empty.
  std::vector<VertexColumn> columns{};
  std::optional<std::string> label{};  ///< The graph's own class, as the file writes it.
  /// What the file has beside these, in words such as "edge data 'color'"; the caller says it once.
  std::vector<std::string> left_out{};
  /// Sentences that a person should see once, however many graphs they are about.
  std::vector<std::string> notes{};
};

struct GraphFormat {
  std::string_view name;                      ///< In sentences: "GraphML".
  std::span<const std::string_view> endings;  ///< Such as ".graphml", in small letters.
  /// Whether a text that begins like this is of the format; null if only the ending tells.
  bool (*recognises)(std::string_view beginning) = nullptr;
  /// Refuses what is not of the format, with file, line and what was expected.
  std::vector<ParsedGraph> (*parse)(const Text& text, const GraphReadOptions& options,
                                    const base::Context& context);
};

/// Numbers vertices in the order in which their names come first.
class VertexNumbers {
 public:
  /// The number of the vertex with this name, a new one if the name is new. Throws the user's error beyond 2^31-2.
  data::Vertex operator()(std::string_view name);
  [[nodiscard]] data::Vertex size() const noexcept { return static_cast<data::Vertex>(numbers_.size()); }
  /// The names by number; empty if they are 0, 1, 2, ... themselves. Leaves nothing behind.
  [[nodiscard]] std::vector<std::string> take_names();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept {
      return std::hash<std::string_view>{}(name);
    }
  };
  std::unordered_map<std::string, data::Vertex, Hash, std::equal_to<>> numbers_;
};

/// Numbers vertices that the file calls by integers, in their order: `ids` has two for each arc of the graph, and then
/// those of single vertices. These numbers are kept as names unless they are 0, 1, ... (1, 2, ... if `one_based`).
void number_vertices(ParsedGraph& graph, std::span<const std::int64_t> ids, bool one_based);

/// Whether vertices up to number `largest` may be made for a file with so many lines, which would otherwise make a
/// graph of almost only isolated vertices.
[[nodiscard]] constexpr bool is_plausible_number(std::int64_t largest, std::int64_t lines) {
  return largest <= 100 * lines + 1'000'000;
}

/// The graphs of one file.
struct GraphFile {
  std::string name;  ///< In errors: its path, or ARCHIVE:MEMBER.
  std::vector<ParsedGraph> graphs;
};

/// Makes a dataset of graphs: packs vertices and edges, keeps names, makes columns that are numbers in every graph to
/// node attributes, one that is called `label` to node labels, and labels of graphs to classes; `labels_from` says
/// where these came from. What is left out is said in the dataset's notes.
void add_graphs(data::GraphDataset& dataset, std::vector<GraphFile> files,
                std::string_view labels_from = "the graphs themselves");

/// All formats, in the order in which they are tried.
[[nodiscard]] std::span<const GraphFormat> graph_formats();

/// The format of a file: of those with its ending the first that recognises its content, or the first at all; without
/// such an ending the first that recognises the content; else columns of text.
[[nodiscard]] const GraphFormat& format_of(const std::filesystem::path& path, std::string_view beginning);

/// Whether the name ends as those of files with graphs do, also compressed.
[[nodiscard]] bool is_graph_file_name(std::string name);

/// The graphs of a file that may be compressed. `text` is its content as it is stored.
[[nodiscard]] std::vector<ParsedGraph> parse_graph_file(Text text, const GraphReadOptions& options,
                                                        const base::Context& context);

/// An edge per line; see read_graph_dataset.
[[nodiscard]] std::vector<ParsedGraph> parse_edge_list(const Text& text, const GraphReadOptions& options,
                                                       const base::Context& context);
/// Such a list whose lines are not just numbers, or that says which columns are meant.
[[nodiscard]] ParsedGraph parse_edge_table(const Text& text, const GraphReadOptions& options,
                                           const base::Context& context);
/// An integer array of shape (edges, 2) or (2, edges).
[[nodiscard]] std::vector<ParsedGraph> parse_edge_array(const Text& text, const GraphReadOptions& options,
                                                        const base::Context& context);

}  // namespace perslay::io
