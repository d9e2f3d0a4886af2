#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace perslay::base {

/// The first text that is equal to an earlier one; nullptr if all differ.
[[nodiscard]] inline const std::string* repeated(std::span<const std::string> texts) {
  std::set<std::string_view> seen;
  for (const auto& text : texts)
    if (!seen.insert(text).second) return &text;
  return nullptr;
}

}  // namespace perslay::base
