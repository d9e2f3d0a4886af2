#pragma once

#include <string>

namespace perslay::learn {

/// The text as JSON files keep it: what is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string valid_utf8(const std::string& text);

}  // namespace perslay::learn
