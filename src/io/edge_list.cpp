#include "columns.h"
#include "graph_format.h"

#include <algorithm>
#include <limits>

#include <perslay/io/graph_dataset.h>

namespace perslay::io {
namespace {

using data::Vertex;

/// Reads lines of numbers whose vertices are their own numbers.
class Parser {
 public:
  Parser(const Text& text, const base::Context& context, bool one_based)
      : reader_(text, context, NumberReader::Between::comments), first_id_(one_based ? 1 : 0) {
    graph_.arcs.reserve(line_bound(text));
  }

  /// Nothing if vertices have numbers that are names rather than places.
  std::optional<ParsedGraph> run() {
    while (reader_.next_line()) {
      ++line_count_;
      const Vertex from = vertex();
      if (reader_.next_number()) {
        graph_.arcs.push_back({from, vertex()});
        const bool weighted = reader_.next_number();
        if (weighted) add_weight();
        require_uniform(weighted);
      }
      reader_.end_line();
      if (huge_) return std::nullopt;
    }
    if (!is_plausible_number(largest_, line_count_)) return std::nullopt;
    graph_.vertices = static_cast<Vertex>(largest_ + 1);
    if (smallest_ > 0 && first_id_ == 0)
      graph_.notes.emplace_back(
          "No line mentions vertex 0, which is kept as an isolated vertex; --one-based reads lists that "
          "count from 1.");
    return std::move(graph_);
  }

 private:
  Vertex vertex() {
    const std::int64_t given = reader_.vertex_number();
    if (given < first_id_) [[unlikely]]
      reader_.fail("Vertex {} is out of range: vertices are numbered from {}.", given, first_id_);
    const std::int64_t id = given - first_id_;
    smallest_ = std::min(smallest_, id);
    largest_ = std::max(largest_, id);
    if (id >= std::numeric_limits<Vertex>::max()) [[unlikely]]
      huge_ = true;
    return static_cast<Vertex>(id);
  }

  void require_uniform(bool weighted) {
    if (graph_.arcs.size() == 1) {
      weighted_ = weighted;
      first_edge_line_ = reader_.line();
    }
    if (weighted != weighted_) [[unlikely]]
      reader_.fail(
          "The edge has {} weight, but the edge in line {} has {}; either all edges have one or none.",
          weighted ? "a" : "no", first_edge_line_, weighted ? "none" : "one");
  }

  void add_weight() {
    const double weight = reader_.real();
    if (!(weight > 0)) reader_.fail("The weight {} is not positive.", weight);
    graph_.weights.push_back(weight);
    graph_.lines.push_back(reader_.line());
  }

  NumberReader reader_;
  std::int64_t first_id_;
  std::int64_t line_count_ = 0;
  std::int64_t smallest_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest_ = -1;
  bool huge_ = false;
  bool weighted_ = false;
  std::int64_t first_edge_line_ = 0;
  ParsedGraph graph_;
};

void refuse_other_formats(const Text& text) {
  if (text.content.starts_with("\x89HDF\r\n\x1a\n") || text.content.starts_with("item,filtration,"))
    refuse("{} is a diagram file; graphs are expected.", text.name);
  const std::size_t zero = text.content.find('\0');
  if (zero != std::string::npos)
    refuse("{} is neither an archive nor text: byte {} of {} is zero.", text.name, zero, text.content.size());
}

/// Whether the first line that holds something is one of a plain list: one number, two, or two and a weight.
bool is_plain(const Text& text, const base::Context& context) {
  ColumnReader reader(text, context);
  if (reader.separator() == ';' || !reader.next()) return false;
  const auto& fields = reader.fields();
  const auto is_id = [](std::string_view field) {
    return !field.empty() && field.find_first_not_of("-0123456789") == std::string_view::npos;
  };
  return fields.size() <= 3 && is_id(fields[0]) && (fields.size() < 2 || is_id(fields[1])) &&
         (fields.size() < 3 || number_of(fields[2]));
}

std::vector<ParsedGraph> one(ParsedGraph graph) {
  std::vector<ParsedGraph> graphs;
  graphs.push_back(std::move(graph));
  return graphs;
}

}  // namespace

std::vector<ParsedGraph> parse_edge_list(const Text& text, const GraphReadOptions& options,
                                         const base::Context& context) {
  refuse_other_formats(text);
  if (options.columns.empty() && is_plain(text, context))
    if (auto graph = Parser(text, context, options.one_based).run()) return one(*std::move(graph));
  return one(parse_edge_table(text, options, context));
}

std::vector<double> read_vertex_values(const std::filesystem::path& path, std::size_t expected) {
  const base::Context context;
  const Text text = load_text(path);
  std::vector<double> values;
  values.reserve(line_bound(text));
  NumberReader reader(text, context);
  while (reader.next_line()) {
    values.push_back(reader.real());
    reader.end_line();
  }
  if (values.size() != expected)
    fail_at(text.name, static_cast<std::int64_t>(std::min(values.size(), expected)) + 1,
            "The file has {} values, but the graphs have {} vertices.", values.size(), expected);
  return values;
}

}  // namespace perslay::io
