#include "text.h"

#include <limits>

#include <perslay/data/build_graphs.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::io {
namespace {

using data::Vertex;

/// The content of the lines, and their numbers if an error may need them.
struct EdgeLines {
  std::vector<data::Arc> pairs;
  std::vector<double> weights;       // empty, or one per pair
  std::vector<std::uint32_t> lines;  // of the pairs that have weights
  std::int64_t line_count = 0;
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest = -1;
  std::int64_t largest_line = 0;
};

void refuse_other_formats(const Text& text) {
  if (text.content.starts_with("\x89HDF\r\n\x1a\n") || text.content.starts_with("item,filtration,"))
    refuse("{} is a diagram file; graphs are expected.", text.name);
  const std::size_t zero = text.content.find('\0');
  if (zero != std::string::npos)
    refuse("{} is neither an archive nor text: byte {} of {} is zero.", text.name, zero, text.content.size());
}

class Parser {
 public:
  Parser(const Text& text, const base::Context& context, bool one_based)
      : reader_(text, context, NumberReader::Between::comments), first_id_(one_based ? 1 : 0) {
    result_.pairs.reserve(line_bound(text));
  }

  EdgeLines run() {
    while (reader_.next_line()) {
      if (reader_.line() > std::numeric_limits<std::uint32_t>::max())
        reader_.fail("An edge list can have at most {} lines.", std::numeric_limits<std::uint32_t>::max());
      ++result_.line_count;
      const Vertex from = vertex();
      if (reader_.next_number()) {
        result_.pairs.push_back({from, vertex()});
        const bool weighted = reader_.next_number();
        if (weighted) add_weight();
        require_uniform(weighted);
      }
      reader_.end_line();
    }
    return std::move(result_);
  }

 private:
  Vertex vertex() {
    constexpr std::int64_t limit = std::numeric_limits<Vertex>::max();
    const std::int64_t given = reader_.integer();
    if (given < first_id_ || given >= limit + first_id_) [[unlikely]]
      reader_.fail("Vertex {} is out of range: vertices are numbered {} to {}.", given, first_id_,
                   limit - 1 + first_id_);
    const std::int64_t id = given - first_id_;
    result_.smallest = std::min(result_.smallest, id);
    if (id > result_.largest) {
      result_.largest = id;
      result_.largest_line = reader_.line();
    }
    return static_cast<Vertex>(id);
  }

  void require_uniform(bool weighted) {
    if (result_.pairs.size() == 1) {
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
    result_.weights.push_back(weight);
    result_.lines.push_back(static_cast<std::uint32_t>(reader_.line()));
  }

  NumberReader reader_;
  std::int64_t first_id_;
  bool weighted_ = false;
  std::int64_t first_edge_line_ = 0;
  EdgeLines result_;
};

EdgeLines parse(const Text& text, const base::Context& context, bool one_based) {
  refuse_other_formats(text);
  EdgeLines lines = Parser(text, context, one_based).run();
  if (lines.line_count == 0) refuse("{} holds no edges and no vertices.", text.name);
  // A few lines with huge ids would make a graph of almost only isolated vertices.
  if (lines.largest > 100 * lines.line_count + 1'000'000)
    fail_at(text.name, lines.largest_line,
            "Vertex {} is too large for a list of {} lines: all vertices up to it would be made. Number the "
            "vertices consecutively.",
            lines.largest + (one_based ? 1 : 0), lines.line_count);
  return lines;
}

}  // namespace

data::GraphDataset read_edge_list(const std::filesystem::path& path, const base::Context& context,
                                  const GraphReadOptions& options) {
  EdgeLines lines = parse(load_text(path, context), context, options.one_based);

  data::GraphDataset dataset;
  dataset.name = path.stem().string();
  dataset.vertex_offsets = {0, lines.largest + 1};
  if (lines.smallest > 0 && !options.one_based)
    dataset.notes.emplace_back(
        "No line mentions vertex 0, which is kept as an isolated vertex; --one-based reads lists that count "
        "from 1.");

  const auto conflict = [&](std::size_t first, double first_weight, std::size_t second,
                            double second_weight) {
    fail_at(path.string(), lines.lines[second],
            "The edge has the weight {}, but line {} gives it the weight {}.", second_weight,
            lines.lines[first], first_weight);
  };
  data::build_graphs(dataset, std::move(lines.pairs), std::move(lines.weights), conflict);
  return dataset;
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
