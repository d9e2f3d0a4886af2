#include "graph_parsers.h"
#include "graph_parts.h"
#include "json_reader.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perslay::io {
namespace {

using Type = JsonReader::Type;

/// Takes an object with the members "nodes" and "links" or "edges".
class NodeLinkParser {
 public:
  NodeLinkParser(JsonReader& json, const std::string& file) : json_(json), file_(file), parts_(file) {}

  ParsedGraph run() {
    if (json_.type() != Type::object) json_.fail("A graph is expected: an object with 'nodes' and 'links'.");
    const std::int64_t line = json_.line();
    json_.object([&](const std::string& key) { take_member(key); });
    if (!nodes_ || !links_)
      fail_at(file_, line,
              "The object has no list {}; a graph has 'nodes' and 'links' (or 'edges'), as node_link_data of "
              "NetworkX writes them.",
              nodes_ ? "'links'" : "'nodes'");
    const auto end = json_.place();
    json_.go_to(*nodes_);
    json_.array([&] { take_node(); });
    json_.go_to(*links_);
    json_.array([&] { take_link(); });
    json_.go_to(end);
    return parts_.finish();
  }

 private:
  /// Nodes and links may come in either order: their places are kept.
  void take_member(const std::string& key) {
    if (key == "nodes") return keep_place(nodes_, key);
    if (key == "links" || key == "edges") return keep_place(links_, key);
    if (key == "adjacency" || key == "elements")
      json_.fail("This is {} JSON; a graph is read as node_link_data of NetworkX writes it.",
                 key == "adjacency" ? "adjacency" : "Cytoscape");
    if (key == "graph" && json_.type() == Type::object) return take_graph_data();
    if (key == "directed" || key == "multigraph") {
      (void)json_.boolean();
      return;
    }
    parts_.leave_out(fmt::format("graph data {}", io::quoted(key)));
    json_.skip();
  }

  void keep_place(std::optional<JsonReader::Place>& place, const std::string& key) {
    if (place) json_.fail("The graph has a second list {}.", io::quoted(key));
    if (json_.type() != Type::array) json_.fail("{} is not a list.", io::quoted(key));
    place = json_.place();
    json_.skip();
  }

  void take_graph_data() {
    json_.object([&](const std::string& key) {
      if (json_.take_null()) return;
      if (key == "y" && json_.type() == Type::array) return take_list_of_one(key);
      if (auto value = take_value())
        parts_.set_on_graph(key, *std::move(value), json_.line());
      else
        parts_.leave_out(fmt::format("graph data {}", io::quoted(key)));
    });
  }

  /// PyTorch Geometric keeps a class as a list of one.
  void take_list_of_one(const std::string& key) {
    std::vector<std::optional<DataValue>> values;
    json_.array([&] { values.push_back(take_value()); });
    if (values.size() == 1 && values[0])
      parts_.set_on_graph(key, *std::move(values[0]), json_.line());
    else
      parts_.leave_out(fmt::format("graph data {}, a list", io::quoted(key)));
  }

  void take_node() {
    if (json_.type() != Type::object) json_.fail("A node is expected: an object with an 'id'.");
    const std::int64_t line = json_.line();
    std::optional<Name> name;
    std::vector<std::pair<std::string, DataValue>> data;
    json_.object([&](const std::string& key) {
      if (key == "id") return take_name(name, key);
      if (json_.take_null()) return;
      if (auto value = take_value())
        data.emplace_back(key, *std::move(value));
      else
        parts_.leave_out(fmt::format("node data {}, which are lists or objects", io::quoted(key)));
    });
    if (!name) fail_at(file_, line, "The node has no 'id'.");
    const data::Vertex vertex = parts_.add_vertex(name->text, line);
    is_text_.push_back(name->is_text);
    for (auto& [key, value] : data) parts_.set(vertex, key, std::move(value), line);
  }

  void take_link() {
    if (json_.type() != Type::object)
      json_.fail("An edge is expected: an object with a 'source' and a 'target'.");
    const std::int64_t line = json_.line();
    std::optional<Name> source, target;
    std::vector<std::pair<std::string, DataValue>> data;
    json_.object([&](const std::string& key) {
      if (key == "source") return take_name(source, key);
      if (key == "target") return take_name(target, key);
      if (key == "key") return json_.skip();  // tells multiple edges apart
      if (json_.take_null()) return;
      auto value = take_value();
      data.emplace_back(key, value ? *std::move(value) : DataValue{.text = "a list or an object"});
    });
    if (!source || !target) fail_at(file_, line, "The edge has no '{}'.", source ? "target" : "source");
    const data::Arc arc = parts_.add_edge(source->text, target->text, line);
    require_same_type(*source, arc.from, line);
    require_same_type(*target, arc.to, line);
    for (const auto& [key, value] : data) parts_.set_on_edge(key, value, line);
  }

  struct Name {
    std::string text;
    bool is_text = false;
  };

  void take_name(std::optional<Name>& name, const std::string& key) {
    if (name) json_.fail("There is a second {}.", io::quoted(key));
    if (json_.type() == Type::text)
      name = {json_.text(), true};
    else if (json_.type() == Type::number)
      name = {std::string(json_.number()), false};
    else
      json_.fail("The {} of a node is neither a number nor a text.", io::quoted(key));
  }

  /// The number 1 and the text "1" are two nodes for NetworkX.
  void require_same_type(const Name& name, data::Vertex vertex, std::int64_t line) const {
    const auto place = static_cast<std::size_t>(vertex);
    if (place < is_text_.size() && is_text_[place] != name.is_text)
      fail_at(file_, line, "The edge ends at the {} {}, but the node has the {} as its 'id'.",
              name.is_text ? "text" : "number", io::quoted(name.text), name.is_text ? "number" : "text");
  }

  /// A text, number, true or false; anything else is taken and is no value.
  std::optional<DataValue> take_value() {
    switch (json_.type()) {
      case Type::text:
        return DataValue{json_.text()};
      case Type::boolean:
        return json_.boolean() ? DataValue{"true", 1} : DataValue{"false", 0};
      case Type::number: {
        const std::string digits(json_.number());
        return DataValue{digits, number_in<double>(digits).value_or(std::numeric_limits<double>::infinity())};
      }
      default:
        json_.skip();
        return std::nullopt;
    }
  }

  JsonReader& json_;
  const std::string& file_;
  GraphParts parts_;
  std::vector<bool> is_text_;  // by vertex, whether its id is
  std::optional<JsonReader::Place> nodes_, links_;
};

}  // namespace

bool recognises_node_link(std::string_view beginning) {
  const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || (beginning[first] != '{' && beginning[first] != '[')) return false;
  const auto has = [&](std::string_view key) { return beginning.find(key) != std::string_view::npos; };
  return (has("\"nodes\"") || has("\"links\"") || has("\"edges\"") || has("\"directed\"") ||
          has("\"multigraph\"")) &&
         !has("\"edge_index\"");
}

std::vector<ParsedGraph> parse_node_link(const Text& text, const GraphReadOptions& /*options*/,
                                         const base::Context& context) {
  JsonReader json(text, context);
  std::vector<ParsedGraph> graphs;
  json.for_each([&] { graphs.push_back(NodeLinkParser(json, text.name).run()); });
  if (graphs.empty()) refuse("{} holds no graphs.", text.name);
  return graphs;
}

}  // namespace perslay::io
