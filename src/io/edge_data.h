#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perslay::io {

/// What stands behind an edge in NetworkX's edge lists: a dictionary of Python such as {'weight': 3.0, 'color': 'red'}.
struct EdgeData {
  std::optional<std::string> weight{};  ///< As it is written.
  std::vector<std::string> others{};    ///< The keys of everything else.
};

/// Nothing if it is no such dictionary.
[[nodiscard]] std::optional<EdgeData> parse_edge_data(std::string_view text);

}  // namespace perslay::io
