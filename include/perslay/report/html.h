#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perslay::report {

/// Text without unreadable characters: bytes that are not UTF-8, control characters and characters that change
/// the direction of writing become U+FFFD.
[[nodiscard]] std::string readable(std::string_view text);

/// Readable text, escaped for HTML content and for attributes in double quotes.
[[nodiscard]] std::string escaped(std::string_view text);

/// "0.1235", "12.35", "1.235e-07": about four digits.
[[nodiscard]] std::string short_number(double x);

/// "89.13 %" for 0.8913.
[[nodiscard]] std::string percent(double fraction);

/// "1 point", "3 points".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

/// A table of texts; the first row is its header.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows);

/// Part of a page, under a heading.
struct Section {
  std::string id;     ///< The target of links: letters, digits and '-'.
  std::string title;  ///< A text.
  std::string html;
  bool listed = true;  ///< Whether the contents at the top link to it.
};

/// One HTML file that needs nothing else: no network, no other file. It follows the reader's light or dark
/// theme, prints, and shows tips of marks to the pointer and to the keyboard.
struct Page {
  std::string title;     ///< A text.
  std::string subtitle;  ///< A text.
  std::string lead;      ///< HTML before the first section.
  std::vector<Section> sections;
  std::vector<std::string> notes{};  ///< Sentences about what the page leaves out, after the lead.

  [[nodiscard]] std::string html() const;
};

}  // namespace perslay::report
