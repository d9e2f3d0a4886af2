#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perslay::io {

/// Whether the bytes are characters of Unicode in UTF-8: none cut short, none in a longer form than needed.
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// Appends a character of Unicode.
void append_utf8(std::string& text, std::uint32_t character);

}  // namespace perslay::io
