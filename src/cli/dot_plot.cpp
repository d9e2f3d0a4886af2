#include "dot_plot.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace perslay::cli {
namespace {

/// The place of a coordinate of [0, 1) among `count` cells; what lies outside goes to the border.
std::size_t cell(double x, std::size_t count) {
  const auto last = static_cast<double>(count - 1);
  return static_cast<std::size_t>(std::clamp(x * static_cast<double>(count), 0.0, last));
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

/// U+2800 and the 255 characters after it, in UTF-8.
std::string braille(std::uint8_t dots) {
  return {'\xE2', static_cast<char>(0xA0 + (dots >> 6)), static_cast<char>(0x80 + (dots & 0x3F))};
}

/// The bit of a dot in the pattern, by its line and column within the character.
constexpr std::array<std::array<std::uint8_t, 2>, 4> dot_bits{
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

}  // namespace

std::vector<std::string> dot_plot(std::span<const data::PlanePoint> points, const std::string& title,
                                  std::size_t columns, std::size_t rows) {
  std::vector<std::uint8_t> patterns(columns * rows);
  for (const auto& [x, y] : points) {
    const std::size_t column = cell(x, 2 * columns);
    const std::size_t line = 4 * rows - 1 - cell(y, 4 * rows);
    patterns[line / 4 * columns + column / 2] |= dot_bits[line % 4][column % 2];
  }
  const std::string head = fmt::format(" {} ", title);
  std::vector<std::string> lines{"┌─" + head +
                                 repeated("─", columns - 1 - std::min(head.size(), columns - 1)) + "┐"};
  for (std::size_t row = 0; row < rows; ++row) {
    std::string text = "│";
    for (std::size_t column = 0; column < columns; ++column)
      text += braille(patterns[row * columns + column]);
    lines.push_back(text + "│");
  }
  lines.push_back("└" + repeated("─", columns) + "┘");
  return lines;
}

std::string side_by_side(std::span<const std::vector<std::string>> blocks, std::size_t across) {
  std::string text;
  for (std::size_t first = 0; first < blocks.size(); first += across) {
    const auto row = blocks.subspan(first, std::min(across, blocks.size() - first));
    for (std::size_t line = 0; line < row.front().size(); ++line) {
      for (std::size_t block = 0; block < row.size(); ++block)
        text += (block == 0 ? "" : " ") + row[block][line];
      text += '\n';
    }
  }
  return text;
}

}  // namespace perslay::cli
