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
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows,
                                std::string_view style = {});

}  // namespace perslay::report
