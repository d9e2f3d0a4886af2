#pragma once

#include "graph_format.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perslay::io {

/// A value as a file writes it, and its number if it is one.
struct DataValue {
  std::string text;
  std::optional<double> number{};
};

/// Puts a graph together whose vertices have names and whose parts have data under names: what GraphML, GML and
/// node-link JSON have in common. All data of a vertex, or of an edge, come one after the other.
class GraphParts {
 public:
  explicit GraphParts(const std::string& file) : file_(file) {}

  /// The vertex called `name`, at its own place in the file. Edges may mention it before.
  data::Vertex add_vertex(std::string_view name, std::int64_t line);
  /// An edge; its ends must be vertices of the graph at last.
  data::Arc add_edge(std::string_view from, std::string_view to, std::int64_t line);

  /// Data of a vertex.
  void set(data::Vertex vertex, const std::string& key, DataValue value, std::int64_t line);
  /// Data of the edge that was added last: `weight` is its weight.
  void set_on_edge(const std::string& key, const DataValue& value, std::int64_t line);
  /// Data of the graph: `label` or `y` is its class.
  void set_on_graph(const std::string& key, DataValue value, std::int64_t line);
  /// A thing that the file has and graphs here have not, such as "node data 'colour'".
  void leave_out(std::string what) { left_out_.insert(std::move(what)); }

  /// Gives the value to all vertices without data under this name.
  void fill(const std::string& key, const DataValue& value);
  /// Whether the last edge has a weight.
  [[nodiscard]] bool edge_has_weight() const { return weights_.size() == arcs_.size(); }
  [[nodiscard]] bool has_label() const noexcept { return label_.has_value(); }
  [[nodiscard]] data::Vertex vertices() const noexcept { return numbers_.size(); }

  /// Words under this name that are all different, one for each vertex, become the vertices' names. Returns whether
  /// they did.
  bool take_names_from(const std::string& key);

  /// The graph. Nothing is left behind.
  [[nodiscard]] ParsedGraph finish();

 private:
  struct Column {
    std::vector<data::Vertex> vertices;  ///< Those that have a value, each once.
    std::vector<DataValue> values;
  };
  [[nodiscard]] data::Vertex mention(std::string_view name, std::int64_t line);
  [[nodiscard]] bool complete(const Column& column) const {
    return column.vertices.size() == static_cast<std::size_t>(vertices());
  }
  void require_weights() const;
  void add_column(const std::string& key, Column& column, ParsedGraph& graph);

  const std::string& file_;
  VertexNumbers numbers_;
  std::vector<bool> added_;                    // by vertex
  std::map<data::Vertex, std::int64_t> owed_;  // mentioned by an edge in this line, not yet added
  std::vector<std::string> given_names_;
  std::vector<data::Arc> arcs_;
  std::vector<double> weights_;
  std::vector<std::int64_t> lines_;
  std::map<std::string, Column, std::less<>> columns_;
  std::optional<std::string> label_;
  std::set<std::string> left_out_;
};

}  // namespace perslay::io
