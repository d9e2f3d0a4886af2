#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perslay::report {

/// Text that a browser shows as it is, in content and between double quotes. Bytes that are not UTF-8 and
/// control characters become U+FFFD.
[[nodiscard]] std::string escaped(std::string_view text);

/// "0.1235", "12.35", "1.235e-07": about four digits.
[[nodiscard]] std::string short_number(double x);

/// "89.13 %" for 0.8913.
[[nodiscard]] std::string percent(double fraction);

/// A table; the first row is its header. Cells are texts.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows,
                                std::string_view style = {});

}  // namespace perslay::report
