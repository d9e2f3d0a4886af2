#pragma once

#include "text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perslay::io {

/// The shortest form that reads back as the same number.
template <class Number>
void append_number(std::string& text, Number number) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// The field, in quotes if it needs them.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + '"';
}

/// Splits text into records of fields: commas between fields, quotes around fields that hold commas, quotes
/// (doubled) or line ends; records end in LF or CRLF.
class CsvReader {
 public:
  explicit CsvReader(const Text& text) : text_(text), rest_(text.content) {}

  /// Reads the next record; false at the end of the text.
  bool next() {
    line_ = next_line_;
    fields_.clear();
    if (rest_.empty()) return false;
    do fields_.push_back(field());
    while (take(','));
    take('\r');
    if (!take('\n') && !rest_.empty()) fail("There is something after the closing quote of a field.");
    ++next_line_;
    return true;
  }

  [[nodiscard]] const std::vector<std::string>& fields() const noexcept { return fields_; }
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> sentence, Values&&... values) const {
    fail_at(text_.name, line_, sentence, std::forward<Values>(values)...);
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string field() {
    if (take('"')) return quoted_field();
    std::string text(rest_.substr(0, rest_.find_first_of(",\n")));
    rest_.remove_prefix(text.size());
    if (text.ends_with('\r') && (rest_.empty() || rest_.front() == '\n')) text.pop_back();
    return text;
  }

  std::string quoted_field() {
    std::string text;
    while (true) {
      const auto quote = rest_.find('"');
      if (quote == std::string_view::npos) fail("A field that opens with a quote is never closed.");
      next_line_ += std::ranges::count(rest_.substr(0, quote), '\n');
      text += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!take('"')) return text;
      text += '"';
    }
  }

  const Text& text_;
  std::string_view rest_;
  std::vector<std::string> fields_;
  std::int64_t line_ = 1;
  std::int64_t next_line_ = 1;
};

}  // namespace perslay::io
