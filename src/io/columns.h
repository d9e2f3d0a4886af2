#pragma once

#include "text.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text in columns, as people and programs write it: an edge or a point per line, with a header or without one.
namespace perslay::io {

/// What stands between the fields of this line: a tab, a semicolon or a comma if there is one outside quotes, else
/// blanks.
[[nodiscard]] char separator_of(std::string_view line);

/// Splits text into lines of fields. Blanks around fields do not count; a field in quotes may hold separators and, in
/// doubled quotes, quotes, but no line ends; one that starts with '{' (edge data of NetworkX) takes the rest of the
/// line.
class ColumnReader {
 public:
  /// The first line that holds something tells the separator.
  ColumnReader(const Text& text, const base::Context& context);

  /// Moves to the next line that holds something; false at the end of the text.
  bool next();
  /// From now on a line that starts with '#' or '%' is no comment.
  void end_comments() noexcept { comments_ = false; }

  /// The fields of the line; they live until the next one.
  [[nodiscard]] const std::vector<std::string_view>& fields() const noexcept { return fields_; }
  [[nodiscard]] std::int64_t line() const noexcept { return line_; }
  [[nodiscard]] char separator() const noexcept { return separator_; }

  /// Throws the user's error about the current line.
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> sentence, Values&&... values) const {
    fail_at(name_, line_, sentence, std::forward<Values>(values)...);
  }

 private:
  void split(std::string_view line);
  std::string_view quoted_field(std::string_view& line);

  const std::string& name_;
  const base::Context& context_;
  std::string_view rest_;
  std::int64_t line_ = 0;
  char separator_ = ' ';
  bool comments_ = true;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // fields of this line that had doubled quotes
};

/// A finite or infinite number, also with a plus.
[[nodiscard]] std::optional<double> number_of(std::string_view field);

/// The first lines of a text in columns.
struct ColumnSample {
  enum class Header { no, yes, unsure };

  Header header = Header::no;  ///< Unsure: two words that may be names of columns as well as of vertices.
  std::vector<std::string> names{};              ///< The fields of the first line, whatever it is.
  std::vector<std::vector<std::string>> rows{};  ///< The lines below the header, if it is one; else all.
  char separator = ' ';
};

/// Looks at the first hundred lines or so.
[[nodiscard]] ColumnSample sample_columns(const Text& text);

/// The columns of a table of edges, counted from 0.
struct EdgeColumns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight{};
};

/// Two columns whose names are those of the ends of edges, such as source and target; letters, case and signs between
/// do not count.
[[nodiscard]] std::optional<EdgeColumns> named_ends(const std::vector<std::string>& names);

/// Whether a column of this name has weights.
[[nodiscard]] bool names_weight(std::string_view name);

/// Whether a column of this name counts the lines, as programs do that write tables; names without letters do.
[[nodiscard]] bool names_index(std::string_view name);

/// The places of columns called x and y.
struct PointColumns {
  std::size_t x = 0;
  std::size_t y = 1;
};
[[nodiscard]] std::optional<PointColumns> named_coordinates(const std::vector<std::string>& names);

}  // namespace perslay::io
