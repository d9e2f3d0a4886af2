#include "graph_format.h"

#include <limits>

namespace perslay::io {

data::Vertex VertexNumbers::operator()(std::string_view name) {
  constexpr std::size_t most = std::numeric_limits<data::Vertex>::max() - 1;
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  if (numbers_.size() == most) refuse("A graph can have at most {} vertices.", most);
  return numbers_.emplace(name, size()).first->second;
}

std::vector<std::string> VertexNumbers::take_names() {
  std::vector<std::string> names(numbers_.size());
  bool own_numbers = true;
  while (!numbers_.empty()) {
    auto entry = numbers_.extract(numbers_.begin());
    own_numbers = own_numbers && entry.key() == std::to_string(entry.mapped());
    names[static_cast<std::size_t>(entry.mapped())] = std::move(entry.key());
  }
  if (own_numbers) names.clear();
  return names;
}

}  // namespace perslay::io
