#include "utf8.h"

namespace perslay::io {
namespace {

/// The smallest character of `length` bytes.
constexpr std::uint32_t smallest(std::size_t length) {
  return length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  const auto byte = [&](std::size_t at) -> std::uint32_t { return static_cast<unsigned char>(bytes[at]); };
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint32_t first = byte(at);
    if (first < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = first >= 0xF8 || first < 0xC0 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (length == 0 || bytes.size() - at < length) return false;
    std::uint32_t character = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      if ((byte(at + i) & 0xC0U) != 0x80) return false;
      character = character << 6U | (byte(at + i) & 0x3FU);
    }
    if (character < smallest(length) || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000))
      return false;
    at += length;
  }
  return true;
}

void append_utf8(std::string& text, std::uint32_t character) {
  const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto follow = [&](unsigned shift) { add(0x80U | (character >> shift & 0x3FU)); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0U | character >> 6U);
    return follow(0);
  }
  if (character < 0x10000) {
    add(0xE0U | character >> 12U);
  } else {
    add(0xF0U | character >> 18U);
    follow(12);
  }
  follow(6);
  follow(0);
}

}  // namespace perslay::io
