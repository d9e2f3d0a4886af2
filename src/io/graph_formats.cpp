#include "compressed.h"
#include "graph_format.h"
#include "npy.h"
#include "unsupported.h"

#include <algorithm>
#include <array>
#include <utility>

namespace perslay::io {
namespace {

constexpr std::array<std::string_view, 1> npy{".npy"};
constexpr std::array<std::string_view, 8> columns{".csv",      ".tsv", ".txt", ".edges",
                                                  ".edgelist", ".el",  ".tab", ".dat"};

bool has_ending(const GraphFormat& format, std::string_view name) {
  return std::ranges::any_of(format.endings, [&](auto ending) { return name.ends_with(ending); });
}

}  // namespace

std::span<const GraphFormat> graph_formats() {
  static const std::array formats{
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

std::vector<ParsedGraph> parse_graph_file(Text text, const GraphReadOptions& options, const base::Context& context) {
  text = unpacked(std::move(text), options.unpack_limit, context);
  constexpr std::size_t looked_at = 4096;
  const auto beginning = std::string_view(text.content).substr(0, looked_at);
  refuse_unsupported(without_compression(text.name), beginning);
  return format_of(text.name, beginning).parse(text, options, context);
}

}  // namespace perslay::io
