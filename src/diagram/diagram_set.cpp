#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/diagram/diagram_set.h>

namespace perslay::diagram {

std::string titles(std::span<const DiagramGroup> groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) names.push_back(group.title());
  return names.empty() ? "no diagrams" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace perslay::diagram
