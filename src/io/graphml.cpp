#include "graph_parsers.h"
#include "graph_parts.h"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <expat.h>

namespace perslay::io {
namespace {

constexpr std::string_view graphml_namespace = "http://graphml.graphdrawing.org/";
constexpr char separator = '|';  ///< Between the namespace and the name of an element.

/// The attributes of an element.
class Attributes {
 public:
  explicit Attributes(const XML_Char** pairs) : pairs_(pairs) {}
  [[nodiscard]] std::optional<std::string> operator[](std::string_view name) const {
    for (const XML_Char** pair = pairs_; *pair != nullptr; pair += 2)
      if (pair[0] == name) return pair[1];
    return std::nullopt;
  }

 private:
  const XML_Char** pairs_;
};

/// What a <key> declares: data of nodes, edges or graphs.
struct Key {
  std::string name;
  std::string domain;
  std::string type;
  std::optional<std::string> default_value{};
};

/// Takes the elements of a file one after the other, as Expat finds them.
class GraphmlParser {
 public:
  GraphmlParser(const Text& text, const base::Context& context)
      : text_(text), context_(context), parser_(XML_ParserCreateNS(nullptr, separator), &XML_ParserFree) {
    if (!parser_) throw base::internal_error("No memory to read XML.");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          guarded(self, [&](GraphmlParser& parser) { parser.open(name, Attributes(attributes)); });
        },
        [](void* self, const XML_Char* /*name*/) {
          guarded(self, [](GraphmlParser& parser) { parser.close(); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* bytes, int size) {
      guarded(self, [&](GraphmlParser& parser) {
        if (parser.collecting() && parser.foreign_ == 0)
          parser.content_.append(bytes, static_cast<std::size_t>(size));
      });
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int /*has_subset*/) {
          guarded(self, [](GraphmlParser& parser) {
            parser.fail("<!DOCTYPE> is not read, for it may change what a file means; GraphML needs none.");
          });
        });
  }

  std::vector<ParsedGraph> run() {
    constexpr std::size_t block = std::size_t{1} << 20;
    std::string_view rest = text_.content;
    do {
      context_.stop_if_cancelled();
      const std::string_view piece = rest.substr(0, block);
      rest.remove_prefix(piece.size());
      const auto status = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()),
                                    rest.empty() ? XML_TRUE : XML_FALSE);
      if (failure_) std::rethrow_exception(failure_);
      if (status != XML_STATUS_OK)
        fail("This is not well-formed XML: {}.", XML_ErrorString(XML_GetErrorCode(parser_.get())));
    } while (!rest.empty());
    if (graphs_.empty()) refuse("{} holds no <graph>.", text_.name);
    return std::move(graphs_);
  }

 private:
  enum class Element { document, key, default_value, graph, node, edge, data, description };

  /// An exception must not pass through Expat: it is kept, and the parser stops.
  template <class Action>
  static void guarded(void* self, Action action) {
    auto& parser = *static_cast<GraphmlParser*>(self);
    if (parser.failure_) return;
    try {
      action(parser);
    } catch (...) {
      parser.failure_ = std::current_exception();
      XML_StopParser(parser.parser_.get(), XML_FALSE);
    }
  }

  [[nodiscard]] std::int64_t line() const {
    return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get()));
  }
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> sentence, Values&&... values) const {
    fail_at(text_.name, line(), sentence, std::forward<Values>(values)...);
  }

  [[nodiscard]] bool inside(Element element) const { return !open_.empty() && open_.back() == element; }
  /// Whether characters here are a value.
  [[nodiscard]] bool collecting() const { return inside(Element::data) || inside(Element::default_value); }

  // ---- elements that begin

  void open(std::string_view name, const Attributes& attributes) {
    const auto cut = name.find(separator);
    const std::string_view space = cut == std::string_view::npos ? "" : name.substr(0, cut);
    const std::string_view local = cut == std::string_view::npos ? name : name.substr(cut + 1);
    if (foreign_ > 0 || collecting() || inside(Element::description) ||
        (!space.empty() && !space.starts_with(graphml_namespace) && !open_.empty())) {
      // What other programs keep in data, or beside nodes, is not read.
      if (collecting()) is_text_ = false;
      ++foreign_;
      return;
    }
    open_.push_back(element(local));
    switch (open_.back()) {
      case Element::document:
      case Element::description:
        break;
      case Element::key:
        return open_key(attributes);
      case Element::default_value:
        return begin_content();
      case Element::graph:
        parts_.emplace(text_.name);
        numbered_ = true;
        return;
      case Element::node:
        return open_node(attributes);
      case Element::edge:
        return open_edge(attributes);
      case Element::data:
        return open_data(attributes);
    }
  }

  /// The element of this name, if it may stand here.
  [[nodiscard]] Element element(std::string_view name) const {
    if (open_.empty()) {
      if (name == "graphml") return Element::document;
      fail("The document is <{}>; <graphml> is expected.", printable(name));
    }
    if (name == "desc") return Element::description;
    if (name == "data" && !inside(Element::key)) return Element::data;
    if (inside(Element::document) && name == "key") return Element::key;
    if (inside(Element::key) && name == "default") return Element::default_value;
    if (inside(Element::document) && name == "graph") return Element::graph;
    if (inside(Element::graph) && name == "node") return Element::node;
    if (inside(Element::graph) && name == "edge") return Element::edge;
    if (name == "hyperedge") fail("There is a <hyperedge>; graphs with edges between two nodes are read.");
    if (name == "port") fail("There is a <port>; graphs whose edges end at nodes are read.");
    if (name == "graph")
      fail("There is a <graph> inside a node or an edge; graphs that are not nested are read.");
    fail("<{}> is not expected here.", printable(name));
  }

  static std::string printable(std::string_view name) {
    const std::string shown = io::quoted(name);
    return shown.substr(1, shown.size() - 2);
  }

  void open_key(const Attributes& attributes) {
    static constexpr std::array types{"boolean", "int", "long", "float", "double", "string"};
    const auto id = attributes["id"];
    if (!id) fail("The key has no attribute 'id'.");
    Key key{.name = attributes["attr.name"].value_or(*id),
            .domain = attributes["for"].value_or("all"),
            .type = attributes["attr.type"].value_or("string")};
    if (std::ranges::find(types, key.type) == types.end())
      fail("The type {} of key {} is none of boolean, int, long, float, double and string.",
           io::quoted(key.type), io::quoted(*id));
    const auto [place, added] = keys_.emplace(*id, std::move(key));
    if (!added) fail("There is a key {} already.", io::quoted(*id));
    key_ = &place->second;
  }

  void open_node(const Attributes& attributes) {
    const auto id = attributes["id"];
    if (!id) fail("The node has no attribute 'id'.");
    vertex_ = parts_->add_vertex(*id, line());
    numbered_ = numbered_ && *id == fmt::format("n{}", vertex_);
  }

  void open_edge(const Attributes& attributes) {
    const auto source = attributes["source"], target = attributes["target"];
    if (!source || !target) fail("The edge has no attribute '{}'.", source ? "target" : "source");
    if (attributes["sourceport"] || attributes["targetport"])
      fail("The edge ends at a port; graphs whose edges end at nodes are read.");
    (void)parts_->add_edge(*source, *target, line());
    edge_line_ = line();
  }

  void open_data(const Attributes& attributes) {
    const auto id = attributes["key"];
    if (!id) fail("The data have no attribute 'key'.");
    const auto found = keys_.find(*id);
    if (found == keys_.end()) fail("The key {} is not declared.", io::quoted(*id));
    key_ = &found->second;
    const char* const here = domain();
    if (key_->domain != here && key_->domain != "all")
      fail("The key {} is declared for {}, but these are data of a {}.", io::quoted(*id),
           io::quoted(key_->domain), here);
    begin_content();
  }

  /// What the element is that has the data.
  [[nodiscard]] const char* domain() const {
    switch (open_[open_.size() - 2]) {
      case Element::node:
        return "node";
      case Element::edge:
        return "edge";
      case Element::graph:
        return "graph";
      default:
        return "graphml";
    }
  }

  void begin_content() {
    content_.clear();
    is_text_ = true;
  }

  // ---- elements that end

  void close() {
    if (foreign_ > 0) {
      --foreign_;
      return;
    }
    const Element ended = open_.back();
    if (ended == Element::data) close_data();
    open_.pop_back();
    if (ended == Element::default_value) close_default();
    if (ended == Element::edge) fill_edge();
    if (ended == Element::graph) close_graph();
  }

  void close_default() {
    if (key_->default_value) fail("The key has a default already.");
    if (is_text_) key_->default_value = content_;
  }

  void close_data() {
    const std::string where = domain();
    if (where == "graphml") return;
    if (!is_text_) {
      parts_->leave_out(fmt::format("{} data {}, which hold XML", where, io::quoted(key_->name)));
      return;
    }
    if (where == "node")
      parts_->set(vertex_, key_->name, value_of(*key_, content_), line());
    else if (where == "edge")
      parts_->set_on_edge(key_->name, value_of(*key_, content_), line());
    else
      parts_->set_on_graph(key_->name, value_of(*key_, content_), line());
  }

  [[nodiscard]] DataValue value_of(const Key& key, const std::string& content) const {
    if (key.type == "string") return {content};
    const auto begin = content.find_first_not_of(" \t\r\n");
    std::string word = begin == std::string::npos
                           ? ""
                           : content.substr(begin, content.find_last_not_of(" \t\r\n") - begin + 1);
    const std::string small = lower_case(word);
    if (key.type == "boolean") {
      if (small == "true" || small == "1") return {"true", 1};
      if (small == "false" || small == "0") return {"false", 0};
      fail("{} is neither true nor false, but {} is of the type boolean.", io::quoted(word),
           io::quoted(key.name));
    }
    const bool whole = key.type == "int" || key.type == "long";
    const std::string_view digits = std::string_view(small).substr(small.starts_with('+') ? 1 : 0);
    const auto number = number_in<double>(digits);
    if (!number || (whole && !number_in<std::int64_t>(digits)))
      fail("{} is not a number of the type {}, as {} is declared.", io::quoted(word), key.type,
           io::quoted(key.name));
    return {std::move(word), number};
  }

  // ---- defaults

  /// The default of this name for such things; two are an error.
  [[nodiscard]] std::map<std::string, DataValue> defaults_of(std::string_view domain) const {
    std::map<std::string, DataValue> defaults;
    for (const auto& [id, key] : keys_) {
      if (!key.default_value || (key.domain != domain && key.domain != "all")) continue;
      if (!defaults.emplace(key.name, value_of(key, *key.default_value)).second)
        fail("Two keys give {} a default.", io::quoted(key.name));
    }
    return defaults;
  }

  void fill_edge() {
    if (parts_->edge_has_weight()) return;
    if (!default_weight_) {
      const auto defaults = defaults_of("edge");
      const auto found = defaults.find("weight");
      default_weight_.emplace(found == defaults.end() ? std::nullopt : std::optional(found->second));
    }
    if (*default_weight_) parts_->set_on_edge("weight", **default_weight_, edge_line_);
  }

  void close_graph() {
    const auto defaults = defaults_of("node");
    values_by_default_ += static_cast<std::int64_t>(defaults.size()) * parts_->vertices();
    if (values_by_default_ > most_by_number(text_.content.size()))
      fail("The graph has {} nodes and {} defaults, which is too much for a file of {} bytes.",
           parts_->vertices(), defaults.size(), text_.content.size());
    for (const auto& [name, value] : defaults) parts_->fill(name, value);
    for (const auto& [name, value] : defaults_of("graph"))
      if (!parts_->has_label() && (name == "label" || name == "y")) parts_->set_on_graph(name, value, line());
    // igraph calls nodes n0, n1, ... and keeps their names as data.
    if (numbered_) (void)parts_->take_names_from("name");
    graphs_.push_back(parts_->finish());
    parts_.reset();
  }

  const Text& text_;
  const base::Context& context_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  std::exception_ptr failure_;

  std::map<std::string, Key> keys_;
  std::vector<Element> open_;
  std::size_t foreign_ = 0;  // how many elements are open that are not read
  Key* key_ = nullptr;       // that the open <key> or <data> is about
  std::string content_;
  bool is_text_ = true;  // what the open <data> holds
  data::Vertex vertex_ = 0;
  bool numbered_ = true;  // whether all nodes so far are called n0, n1, ...
  std::int64_t edge_line_ = 0;
  std::optional<std::optional<DataValue>> default_weight_;
  std::int64_t values_by_default_ = 0;
  std::optional<GraphParts> parts_;
  std::vector<ParsedGraph> graphs_;
};

}  // namespace

bool recognises_graphml(std::string_view beginning) {
  const auto first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || beginning[first] != '<') return false;
  const auto at = beginning.find("graphml");
  return at != std::string_view::npos && at > 0 && (beginning[at - 1] == '<' || beginning[at - 1] == ':');
}

std::vector<ParsedGraph> parse_graphml(const Text& text, const GraphReadOptions& /*options*/,
                                       const base::Context& context) {
  return GraphmlParser(text, context).run();
}

}  // namespace perslay::io
