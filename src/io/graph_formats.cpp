#include "compressed.h"
#include "graph_format.h"
#include "graph_parsers.h"
#include "npy.h"
#include "unsupported.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perslay::io {
namespace {

constexpr std::array<std::string_view, 1> gml{".gml"}, matrix_market{".mtx"}, json{".json"}, npz{".npz"},
    npy{".npy"};
constexpr std::array<std::string_view, 2> graphml{".graphml", ".xml"};
constexpr std::array<std::string_view, 3> lines{".jsonl", ".ndjson", ".json"};
constexpr std::array<std::string_view, 8> columns{".csv",      ".tsv", ".txt", ".edges",
                                                  ".edgelist", ".el",  ".tab", ".dat"};

bool has_ending(const GraphFormat& format, std::string_view name) {
  return std::ranges::any_of(format.endings, [&](auto ending) { return name.ends_with(ending); });
}

}  // namespace

std::span<const GraphFormat> graph_formats() {
  static const std::array formats{
      GraphFormat{"GraphML", graphml, recognises_graphml, parse_graphml},
      GraphFormat{"GML", gml, recognises_gml, parse_gml},
      GraphFormat{"MatrixMarket", matrix_market, recognises_matrix_market, parse_matrix_market},
      GraphFormat{"node-link JSON", json, recognises_node_link, parse_node_link},
      GraphFormat{"JSON lines", lines, recognises_graph_lines, parse_graph_lines},
      GraphFormat{"an .npz file", npz, nullptr, parse_npz},
      GraphFormat{"an array of edges", npy, is_npy_content, parse_edge_array},
      GraphFormat{"an edge list", columns, nullptr, parse_edge_list},
  };
  return formats;
}

bool is_graph_file_name(std::string name) {
  name = lower_case(without_compression(name));
  return std::ranges::any_of(graph_formats(), [&](const auto& format) { return has_ending(format, name); });
}

const GraphFormat& format_of(const std::filesystem::path& path, std::string_view beginning) {
  const std::string name = lower_case(without_compression(path.filename().string()));
  const auto formats = graph_formats();
  const auto& fallback = formats.back();
  const auto recognises = [&](const GraphFormat& format) {
    return format.recognises != nullptr && format.recognises(beginning);
  };
  const GraphFormat* named = nullptr;
  for (const auto& format : formats) {
    if (!has_ending(format, name)) continue;
    if (recognises(format)) return format;
    if (named == nullptr) named = &format;
  }
  if (named != nullptr && named != &fallback) return *named;
  const auto found = std::ranges::find_if(formats, recognises);
  return found == formats.end() ? fallback : *found;
}

std::vector<ParsedGraph> parse_graph_file(Text text, const GraphReadOptions& options,
                                          const base::Context& context) {
  text = unpacked(std::move(text), options.unpack_limit, context);
  constexpr std::size_t looked_at = 4096;
  const auto beginning = std::string_view(text.content).substr(0, looked_at);
  refuse_unsupported(without_compression(text.name), beginning);
  return format_of(text.name, beginning).parse(text, options, context);
}

}  // namespace perslay::io
