#include "edge_data.h"

#include <algorithm>

namespace perslay::io {
namespace {

/// Takes a dictionary apart, whatever its values are.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::optional<EdgeData> run() {
    if (!take('{')) return std::nullopt;
    EdgeData data;
    while (!take('}')) {
      const auto key = value();
      if (!key || !take(':')) return std::nullopt;
      auto content = value();
      if (!content) return std::nullopt;
      if (*key == "weight")
        data.weight = std::move(content);
      else
        data.others.push_back(*key);
      if (!take(',') && !rest_.starts_with('}')) return std::nullopt;
    }
    return rest_.empty() ? std::optional(std::move(data)) : std::nullopt;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }

  /// A text without its quotes, or anything else up to the next comma, colon or brace outside brackets and quotes.
  std::optional<std::string> value() {
    std::string found;
    std::size_t depth = 0, at = 0;
    for (; at < rest_.size(); ++at) {
      const char c = rest_[at];
      if (c == '\'' || c == '"') {
        const auto end = closing_quote(at);
        if (end == std::string_view::npos) return std::nullopt;
        found += rest_.substr(at + 1, end - at - 1);
        at = end;
        continue;
      }
      if (depth == 0 && (c == ',' || c == ':' || c == '}')) break;
      if (c == '[' || c == '(' || c == '{') ++depth;
      if (c == ']' || c == ')' || c == '}') {
        if (depth == 0) return std::nullopt;
        --depth;
      }
      found += c;
    }
    if (at == 0 || at == rest_.size()) return std::nullopt;
    rest_.remove_prefix(at);
    found.erase(found.find_last_not_of(" \t") + 1);
    return found;
  }

  [[nodiscard]] std::size_t closing_quote(std::size_t open) const {
    for (std::size_t at = open + 1; at < rest_.size(); ++at) {
      if (rest_[at] == '\\')
        ++at;
      else if (rest_[at] == rest_[open])
        return at;
    }
    return std::string_view::npos;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<EdgeData> parse_edge_data(std::string_view text) { return Scanner(text).run(); }

}  // namespace perslay::io
