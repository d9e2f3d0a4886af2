#include "output.h"

#include "progress.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::cli {
namespace {

/// In characters, not bytes: class names may be anything.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

void print(const std::string& text) {
  clear_status_line();
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && errno != EPIPE)
    throw base::internal_error(
        fmt::format("The standard output cannot be written: {}.", std::strerror(errno)));
}

void print(const nlohmann::ordered_json& json) {
  print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

Table::Table(std::vector<std::string> header, std::size_t text_columns)
    : rows_{std::move(header)}, text_columns_(text_columns) {}

void Table::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width_of(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (c < text_columns_ ? row[c] + padding : padding + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace perslay::cli
