#include "graph_parts.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace perslay::io {

using data::Vertex;

Vertex GraphParts::mention(std::string_view name, std::int64_t line) {
  const Vertex vertex = numbers_(name);
  if (static_cast<std::size_t>(vertex) == added_.size()) {
    added_.push_back(false);
    owed_.emplace(vertex, line);
  }
  return vertex;
}

Vertex GraphParts::add_vertex(std::string_view name, std::int64_t line) {
  const Vertex vertex = mention(name, line);
  auto added = added_[static_cast<std::size_t>(vertex)];
  if (added) fail_at(file_, line, "There is a node {} already.", io::quoted(name));
  added = true;
  owed_.erase(vertex);
  return vertex;
}

data::Arc GraphParts::add_edge(std::string_view from, std::string_view to, std::int64_t line) {
  require_weights();
  const Vertex first = mention(from, line);
  arcs_.push_back({first, mention(to, line)});
  lines_.push_back(line);
  return arcs_.back();
}

void GraphParts::set(Vertex vertex, const std::string& key, DataValue value, std::int64_t line) {
  Column& column = columns_[key];
  if (!column.vertices.empty() && column.vertices.back() == vertex)
    fail_at(file_, line, "The node has data {} already.", io::quoted(key));
  column.vertices.push_back(vertex);
  column.values.push_back(std::move(value));
}

void GraphParts::set_on_edge(const std::string& key, const DataValue& value, std::int64_t line) {
  if (key != "weight") return leave_out(fmt::format("edge data {}", io::quoted(key)));
  if (edge_has_weight()) fail_at(file_, line, "The edge has a weight already.");
  if (weights_.size() + 1 < arcs_.size())
    fail_at(file_, line,
            "The edge has a weight, but the edge in line {} has none; either all edges have one or none.",
            lines_[weights_.size()]);
  if (!value.number) fail_at(file_, line, "The weight {} is not a number.", io::quoted(value.text));
  if (!std::isfinite(*value.number))
    fail_at(file_, line, "The weight {} is not a finite number.", value.text);
  if (!(*value.number > 0)) fail_at(file_, line, "The weight {} is not positive.", value.text);
  weights_.push_back(*value.number);
}

void GraphParts::set_on_graph(const std::string& key, DataValue value, std::int64_t line) {
  if (key != "label" && key != "y") return leave_out(fmt::format("graph data {}", io::quoted(key)));
  if (label_) fail_at(file_, line, "The graph has a label already; one of 'label' and 'y' is expected.");
  label_ = std::move(value.text);
}

void GraphParts::fill(const std::string& key, const DataValue& value) {
  Column& column = columns_[key];
  std::vector<bool> has(static_cast<std::size_t>(vertices()));
  for (const Vertex vertex : column.vertices) has[static_cast<std::size_t>(vertex)] = true;
  for (Vertex vertex = 0; vertex < vertices(); ++vertex) {
    if (has[static_cast<std::size_t>(vertex)]) continue;
    column.vertices.push_back(vertex);
    column.values.push_back(value);
  }
}

bool GraphParts::take_names_from(const std::string& key) {
  const auto found = columns_.find(key);
  if (found == columns_.end() || !complete(found->second)) return false;
  auto& [vertices, values] = found->second;
  std::unordered_set<std::string_view> different;
  for (const DataValue& value : values)
    if (value.number || !different.insert(value.text).second) return false;
  given_names_.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    given_names_[static_cast<std::size_t>(vertices[i])] = std::move(values[i].text);
  columns_.erase(found);
  return true;
}

/// All edges so far have weights, or none has.
void GraphParts::require_weights() const {
  if (weights_.empty() || edge_has_weight()) return;
  fail_at(file_, lines_.back(),
          "The edge has no weight, but the edge in line {} has one; either all edges have one or none.",
          lines_.front());
}

void GraphParts::add_column(const std::string& key, Column& column, ParsedGraph& graph) {
  if (!complete(column))
    return leave_out(fmt::format("node data {}, which some nodes lack", io::quoted(key)));
  const bool numbers =
      std::ranges::all_of(column.values, [](const auto& value) { return value.number.has_value(); });
  if (numbers &&
      !std::ranges::all_of(column.values, [](const auto& value) { return std::isfinite(*value.number); }))
    return leave_out(fmt::format("node data {}, which are not all finite", io::quoted(key)));
  VertexColumn made{.name = key};
  if (numbers)
    made.numbers.resize(column.values.size());
  else
    made.words.resize(column.values.size());
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const auto vertex = static_cast<std::size_t>(column.vertices[i]);
    if (numbers)
      made.numbers[vertex] = *column.values[i].number;
    else
      made.words[vertex] = std::move(column.values[i].text);
  }
  graph.columns.push_back(std::move(made));
}

ParsedGraph GraphParts::finish() {
  require_weights();
  if (!owed_.empty()) {
    const auto [vertex, line] = *owed_.begin();
    const auto names = numbers_.take_names();
    fail_at(file_, line, "The edge ends at {}, which is no node of the graph.",
            io::quoted(names.empty() ? std::to_string(vertex) : names[static_cast<std::size_t>(vertex)]));
  }
  ParsedGraph graph;
  graph.vertices = vertices();
  for (auto& [key, column] : columns_)
    if (!column.values.empty()) add_column(key, column, graph);
  graph.names = numbers_.take_names();
  if (!given_names_.empty()) {
    VertexNumbers given;
    for (const std::string& name : given_names_) (void)given(name);
    graph.names = given.take_names();
  }
  graph.arcs = std::move(arcs_);
  graph.weights = std::move(weights_);
  graph.lines = std::move(lines_);
  graph.label = std::move(label_);
  graph.left_out.assign(left_out_.begin(), left_out_.end());
  return graph;
}

}  // namespace perslay::io
