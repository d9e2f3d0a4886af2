#include "assets.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include <perslay/base/version.h>
#include <perslay/report/html.h>

namespace perslay::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The length of the UTF-8 sequence that `text` starts with; 0 if it starts with none, or with a control
/// character that HTML forbids or one that changes lines or the direction of writing.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return (first >= 0x20 && first != 0x7F) || first == '\t' || first == '\n' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  static constexpr std::array<std::uint32_t, 5> lowest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool control = code < 0xA0 || code == 0x061C || code == 0x200E || code == 0x200F ||
                       (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return code < lowest[length] || code > 0x10FFFF || surrogate || control ? 0 : length;
}

}  // namespace

std::string readable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    result += length == 0 ? replacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : readable(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string short_number(double x) { return fmt::format("{:.4g}", x); }

std::string percent(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"wide\"><table class=\"\">\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html += r == 0 ? "<thead><tr>" : "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const auto cell = escaped(rows[r][c]);
      html += r > 0 && c > 0 ? fmt::format("<td>{}</td>", cell)
                             : fmt::format("<th scope=\"{}\">{}</th>", r == 0 ? "col" : "row", cell);
    }
    html += r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string Page::html() const {
  std::string contents;
  std::string body;
  for (const auto& section : sections) {
    if (section.listed)
      contents += fmt::format("<a href=\"#{}\">{}</a>\n", section.id, escaped(section.title));
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
        section.id, escaped(section.title), section.html);
  }
  std::string remarks;
  for (const auto& note : notes) remarks += fmt::format("<p class=\"subtitle\">{}</p>\n", escaped(note));
  const std::string navigation =
      sections.size() < 2 ? "" : fmt::format("<nav aria-label=\"Contents\">\n{}</nav>\n", contents);
  // The policy makes sure that nothing is ever fetched, whatever a name may hold.
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{0}</title>
<style>
{1}{2}</style>
</head>
<body>
<header>
<h1>{0}</h1>
<p class="subtitle">{3}</p>
</header>
{4}<main>
{5}{6}</main>
<footer>Made by perslay {7}.</footer>
<div id="tip" role="status"></div>
<noscript><p>Diagrams of single items and tips need JavaScript; everything else is here without.</p></noscript>
<script>
{8}</script>
</body>
</html>
)",
                     escaped(title), assets::chart_css, assets::page_css, escaped(subtitle), navigation,
                     lead + remarks, body, base::version(), assets::page_js);
}

}  // namespace perslay::report
