#include "graph_parsers.h"
#include "json_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace perslay::io {
namespace {

using data::Vertex;
using Type = JsonReader::Type;

/// Takes an object with the columns of one graph.
class GraphLine {
 public:
  GraphLine(JsonReader& json, const Text& text, std::int64_t& vertices_left)
      : json_(json), file_(text.name), vertices_left_(vertices_left) {}

  ParsedGraph run() {
    if (json_.type() != Type::object) json_.fail("A graph is expected: an object with 'edge_index'.");
    line_ = json_.line();
    json_.object([&](const std::string& column) { take(column); });
    set_vertices();
    check_edges();
    if (!graph_.weights.empty()) graph_.lines.assign(graph_.arcs.size(), line_);
    graph_.left_out.assign(left_out_.begin(), left_out_.end());
    return std::move(graph_);
  }

 private:
  void take(const std::string& column) {
    const bool known = column == "edge_index" || column == "num_nodes" || column == "y" ||
                       column == "node_feat" || column == "edge_weight";
    if (known && !seen_.insert(column).second)
      json_.fail("The graph has a second column {}.", io::quoted(column));
    if (json_.take_null()) return;
    if (column == "edge_index") return take_edges();
    if (column == "num_nodes") return take_count();
    if (column == "y") return take_label();
    if (column == "node_feat") return take_features();
    if (column == "edge_weight") return take_weights();
    left_out_.insert(fmt::format("column {}", io::quoted(column)));
    json_.skip();
  }

  Vertex take_vertex() {
    constexpr std::int64_t most = std::numeric_limits<Vertex>::max() - 1;
    const std::int64_t vertex = json_.integer();
    if (vertex < 0 || vertex > most)
      json_.fail("Vertex {} is out of range: vertices are numbered 0 to {}.", vertex, most);
    return static_cast<Vertex>(vertex);
  }

  void take_edges() {
    std::size_t lists = 0;
    std::size_t targets = 0;
    json_.array([&] {
      if (lists == 0) json_.array([&] { graph_.arcs.push_back({take_vertex(), 0}); });
      if (lists == 1)
        json_.array([&] {
          const Vertex target = take_vertex();
          if (targets < graph_.arcs.size()) graph_.arcs[targets].to = target;
          ++targets;
        });
      if (lists > 1) json_.skip();
      ++lists;
    });
    if (lists != 2 && lists != 0)
      json_.fail("'edge_index' has {} list{}; two are expected: the edges' sources and their targets.", lists,
                 lists == 1 ? "" : "s");
    if (targets != graph_.arcs.size())
      json_.fail("'edge_index' has {} sources and {} targets.", graph_.arcs.size(), targets);
  }

  /// Calls `take_one` for a value that may be the only one of a list, or of a list in a list. Returns how many there
  /// were.
  template <class TakeOne>
  std::size_t take_single(TakeOne take_one) {
    std::size_t count = 0;
    const auto one = [&] {
      if (count++ == 0)
        take_one();
      else
        json_.skip();
    };
    if (json_.type() != Type::array) {
      one();
      return count;
    }
    json_.array([&] { json_.type() == Type::array ? json_.array(one) : one(); });
    return count;
  }

  void take_count() {
    const std::size_t count = take_single([&] { vertices_ = json_.integer(); });
    if (count != 1) json_.fail("'num_nodes' has {} numbers; one is expected.", count);
    if (*vertices_ < 0) json_.fail("'num_nodes' is {}.", *vertices_);
  }

  void take_label() {
    const std::size_t count = take_single([&] {
      if (json_.take_null()) return;
      if (json_.type() == Type::number)
        graph_.label = json_.number();
      else if (json_.type() == Type::boolean)
        graph_.label = json_.boolean() ? "true" : "false";
      else
        graph_.label = json_.text();
    });
    if (count < 2) return;
    graph_.label.reset();
    left_out_.insert("column 'y', which has several numbers");
  }

  /// One number or several for each vertex.
  void take_features() {
    std::size_t rows = 0;
    json_.array([&] {
      std::size_t numbers = 0;
      const auto one = [&] {
        if (rows == 0) graph_.columns.emplace_back();
        if (numbers < graph_.columns.size())
          graph_.columns[numbers].numbers.push_back(json_.real());
        else
          json_.skip();
        ++numbers;
      };
      json_.type() == Type::array ? json_.array(one) : one();
      if (numbers != graph_.columns.size())
        json_.fail("Row {} of 'node_feat', counted from 0, has {} numbers, but the first row has {}.", rows,
                   numbers, graph_.columns.size());
      ++rows;
    });
    features_ = static_cast<std::int64_t>(rows);
    for (std::size_t i = 0; i < graph_.columns.size(); ++i)
      graph_.columns[i].name = graph_.columns.size() == 1 ? "node_feat" : fmt::format("node_feat_{}", i);
  }

  void take_weights() {
    json_.array([&] {
      const std::size_t numbers = take_single([&] { graph_.weights.push_back(json_.real()); });
      if (numbers != 1) json_.fail("An entry of 'edge_weight' has {} numbers; one is expected.", numbers);
      if (!(graph_.weights.back() > 0)) json_.fail("The weight {} is not positive.", graph_.weights.back());
    });
    weights_given_ = true;
  }

  void set_vertices() {
    if (!vertices_) vertices_ = features_;
    if (!vertices_) fail_at(file_, line_, "The graph has no 'num_nodes'.");
    if (features_ && *features_ != *vertices_)
      fail_at(file_, line_, "'node_feat' has {} rows, but 'num_nodes' is {}.", *features_, *vertices_);
    if (*vertices_ > vertices_left_)
      fail_at(file_, line_, "{} vertices are too many for a file of this size: most would have no edges.",
              *vertices_);
    vertices_left_ -= *vertices_;
    graph_.vertices = static_cast<Vertex>(*vertices_);
  }

  void check_edges() const {
    if (!seen_.contains("edge_index")) fail_at(file_, line_, "The graph has no 'edge_index'.");
    if (weights_given_ && graph_.weights.size() != graph_.arcs.size())
      fail_at(file_, line_, "'edge_weight' has {} numbers, but 'edge_index' has {} edges.",
              graph_.weights.size(), graph_.arcs.size());
    for (const auto& [from, to] : graph_.arcs)
      if (from >= graph_.vertices || to >= graph_.vertices)
        fail_at(file_, line_, "'edge_index' joins {} and {}, but 'num_nodes' is {}.", from, to,
                graph_.vertices);
  }

  JsonReader& json_;
  const std::string& file_;
  std::int64_t& vertices_left_;
  std::int64_t line_ = 0;
  std::optional<std::int64_t> vertices_, features_;
  bool weights_given_ = false;
  std::set<std::string> seen_, left_out_;
  ParsedGraph graph_;
};

}  // namespace

bool recognises_graph_lines(std::string_view beginning) {
  const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || (beginning[first] != '{' && beginning[first] != '[')) return false;
  const auto has = [&](std::string_view key) { return beginning.find(key) != std::string_view::npos; };
  // The first line may be long, and its columns may have any order.
  return has("\"edge_index\"") ||
         ((has("\"num_nodes\"") || has("\"node_feat\"") || has("\"edge_attr\"") || has("\"edge_weight\"")) &&
          !recognises_node_link(beginning));
}

std::vector<ParsedGraph> parse_graph_lines(const Text& text, const GraphReadOptions& /*options*/,
                                           const base::Context& context) {
  JsonReader json(text, context);
  std::int64_t vertices_left =
      std::min<std::int64_t>(most_by_number(text.content.size()), std::numeric_limits<Vertex>::max() - 1);
  std::vector<ParsedGraph> graphs;
  json.for_each([&] {
    context.stop_if_cancelled();
    graphs.push_back(GraphLine(json, text, vertices_left).run());
  });
  if (graphs.empty()) refuse("{} holds no graphs.", text.name);
  return graphs;
}

}  // namespace perslay::io
