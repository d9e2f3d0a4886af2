#include "graph_parsers.h"
#include "graph_parts.h"
#include "utf8.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace perslay::io {
namespace {

/// Cuts the text into keys, values and brackets.
class GmlReader {
 public:
  enum class Type { key, number, text, open, close, end };
  struct Token {
    Type type = Type::end;
    std::string_view characters;  ///< Of a text: without its quotes.
    std::int64_t line = 0;
  };

  explicit GmlReader(const Text& text) : file_(text.name), rest_(text.content) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  Token next() {
    skip_blanks();
    if (rest_.empty()) return {Type::end, {}, line_};
    const char c = rest_.front();
    if (c == '[') return {Type::open, take(1), line_};
    if (c == ']') return {Type::close, take(1), line_};
    if (c == '"') return text();
    const std::string_view word = take(std::min(rest_.find_first_of(" \t\r\n[]\"#"), rest_.size()));
    if (is_letter(c)) {
      const std::string small = lower_case(std::string(word.substr(0, 9)));
      const bool number = small == "nan" || small == "inf" || small == "infinity";
      return {number ? Type::number : Type::key, word, line_};
    }
    return {Type::number, word, line_};
  }

  template <class... Values>
  [[noreturn]] void fail(const Token& token, fmt::format_string<Values...> sentence,
                         Values&&... values) const {
    fail_at(file_, token.line, sentence, std::forward<Values>(values)...);
  }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  /// Also comments: lines that begin with '#'.
  void skip_blanks() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        continue;
      }
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
      line_ += c == '\n';
      rest_.remove_prefix(1);
    }
  }

  Token text() {
    Token token{Type::text, {}, line_};
    const auto quote = rest_.find('"', 1);
    if (quote == std::string_view::npos) fail(token, "A text that opens with a quote is never closed.");
    token.characters = take(quote + 1).substr(1, quote - 1);
    line_ += std::count(token.characters.begin(), token.characters.end(), '\n');
    if (!is_utf8(token.characters)) fail(token, "The text {} is not UTF-8.", io::quoted(token.characters));
    return token;
  }

  const std::string& file_;
  std::string_view rest_;
  std::int64_t line_ = 1;
};

using Token = GmlReader::Token;
using Type = GmlReader::Type;

/// The character that `name` stands for between '&' and ';'.
std::optional<std::uint32_t> character_of(std::string_view name) {
  static constexpr std::pair<std::string_view, char> names[] = {
      {"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}};
  for (const auto& [known, character] : names)
    if (name == known) return character;
  if (!name.starts_with('#')) return std::nullopt;
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (error != std::errc{} || end != digits.data() + digits.size() || code > 0x10FFFF || surrogate)
    return std::nullopt;
  return code;
}

/// With &quot; and the like replaced by what they stand for.
std::string unescaped(std::string_view text) {
  constexpr std::size_t longest = 10;
  std::string all;
  for (auto at = text.find('&'); at != std::string_view::npos; at = text.find('&')) {
    all += text.substr(0, at);
    const auto end = text.substr(at, longest).find(';');
    const auto character =
        end == std::string_view::npos ? std::nullopt : character_of(text.substr(at + 1, end - 1));
    if (character)
      append_utf8(all, *character);
    else
      all += '&';
    text.remove_prefix(character ? at + end + 1 : at + 1);
  }
  return all += text;
}

class GmlParser {
 public:
  GmlParser(const Text& text, const base::Context& context) : text_(text), context_(context), reader_(text) {}

  std::vector<ParsedGraph> run() {
    std::vector<ParsedGraph> graphs;
    for (Token key = reader_.next(); key.type != Type::end; key = reader_.next()) {
      const Token value = value_of(key);
      if (key.characters == "graph" && value.type == Type::open)
        graphs.push_back(graph(value));
      else
        skip(value);  // Creator, Version, ...
    }
    if (graphs.empty()) refuse("{} holds no 'graph [ ... ]'.", text_.name);
    return graphs;
  }

 private:
  /// The value after a key.
  Token value_of(const Token& key) {
    if (key.type != Type::key)
      reader_.fail(key, "{} stands where a key is expected.",
                   key.type == Type::end ? "The end" : io::quoted(key.characters));
    const Token value = reader_.next();
    if (value.type == Type::key || value.type == Type::close || value.type == Type::end)
      reader_.fail(value, "The key {} has no value.", io::quoted(key.characters));
    return value;
  }

  /// Calls `take(key, value)` for what is in a list, whose bracket is taken, to its end.
  template <class Take>
  void list(const Token& opened, Take take) {
    while (true) {
      const Token key = reader_.next();
      if (key.type == Type::close) return;
      if (key.type == Type::end) reader_.fail(opened, "The bracket that opens here is never closed.");
      take(key, value_of(key));
    }
  }

  /// Moves to the end of a value.
  void skip(const Token& value) {
    if (value.type != Type::open) return;
    for (std::size_t depth = 1; depth > 0;) {
      const Token token = reader_.next();
      if (token.type == Type::end) reader_.fail(value, "The bracket that opens here is never closed.");
      if (token.type == Type::open) ++depth;
      if (token.type == Type::close) --depth;
    }
  }

  DataValue data_value(const Token& value) const {
    if (value.type == Type::text) return {unescaped(value.characters)};
    const std::string small = lower_case(std::string(value.characters));
    const auto number = number_in<double>(std::string_view(small).substr(small.starts_with('+') ? 1 : 0));
    if (!number) reader_.fail(value, "{} is not a number.", io::quoted(value.characters));
    return {std::string(value.characters), number};
  }

  /// The number of a node.
  std::string id_of(const Token& key, const Token& value) const {
    const auto id = value.type == Type::number ? number_in<std::int64_t>(value.characters) : std::nullopt;
    if (!id)
      reader_.fail(value, "The '{}' {} is not an integer.", key.characters, io::quoted(value.characters));
    return std::to_string(*id);
  }

  ParsedGraph graph(const Token& opened) {
    GraphParts parts(text_.name);
    list(opened, [&](const Token& key, const Token& value) {
      context_.stop_if_cancelled();
      if (key.characters == "node" && value.type == Type::open) return node(parts, value);
      if (key.characters == "edge" && value.type == Type::open) return edge(parts, value);
      if (key.characters == "directed" || key.characters == "multigraph") return skip(value);
      if (value.type == Type::open)
        parts.leave_out(fmt::format("graph data {}", io::quoted(key.characters)));
      else
        parts.set_on_graph(std::string(key.characters), data_value(value), key.line);
      skip(value);
    });
    // What NetworkX writes and what igraph writes.
    if (!parts.take_names_from("label")) (void)parts.take_names_from("name");
    return parts.finish();
  }

  void node(GraphParts& parts, const Token& opened) {
    std::optional<std::string> id;
    Data data;
    list(opened, [&](const Token& key, const Token& value) {
      if (key.characters == "graph")
        reader_.fail(key, "A graph stands inside a node; graphs that are not nested are read.");
      if (key.characters == "id")
        take_once(id, key, value);
      else
        add(data, key, value);
    });
    if (!id) reader_.fail(opened, "The node has no 'id'.");
    const data::Vertex vertex = parts.add_vertex(*id, opened.line);
    for (auto& [key, value] : data) {
      if (value)
        parts.set(vertex, key, *std::move(value), opened.line);
      else
        parts.leave_out(fmt::format("node data {}, which are lists", io::quoted(key)));
    }
  }

  void edge(GraphParts& parts, const Token& opened) {
    std::optional<std::string> source, target;
    Data data;
    list(opened, [&](const Token& key, const Token& value) {
      if (key.characters == "source")
        take_once(source, key, value);
      else if (key.characters == "target")
        take_once(target, key, value);
      else
        add(data, key, value);
    });
    if (!source || !target) reader_.fail(opened, "The edge has no '{}'.", source ? "target" : "source");
    (void)parts.add_edge(*source, *target, opened.line);
    for (const auto& [key, value] : data)
      if (key != "key")  // tells multiple edges apart
        parts.set_on_edge(key, value ? *value : DataValue{"a list"}, opened.line);
  }

  /// Values by their keys; none for lists, which may be written as a key that is repeated.
  using Data = std::map<std::string, std::optional<DataValue>>;

  void add(Data& data, const Token& key, const Token& value) {
    const bool is_list = value.type == Type::open;
    const auto [place, added] = data.emplace(key.characters, std::nullopt);
    if (added && !is_list)
      place->second = data_value(value);
    else
      place->second.reset();
    skip(value);
  }

  void take_once(std::optional<std::string>& id, const Token& key, const Token& value) const {
    if (id) reader_.fail(key, "There is a second '{}'.", key.characters);
    id = id_of(key, value);
  }

  const Text& text_;
  const base::Context& context_;
  GmlReader reader_;
};

}  // namespace

bool recognises_gml(std::string_view beginning) try {
  const Text text{"", std::string(beginning)};
  GmlReader reader(text);
  // Creator, Version and the like may come before the graph.
  for (Token key = reader.next(); key.type == Type::key; key = reader.next()) {
    const Token value = reader.next();
    if (key.characters == "graph") return value.type == Type::open;
    if (value.type != Type::text && value.type != Type::number) return false;
  }
  return false;
} catch (const base::Error&) {
  return false;
}

std::vector<ParsedGraph> parse_gml(const Text& text, const GraphReadOptions& /*options*/,
                                   const base::Context& context) {
  return GmlParser(text, context).run();
}

}  // namespace perslay::io
