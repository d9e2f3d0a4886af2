#include "graph_format.h"

#include <algorithm>
#include <limits>

namespace perslay::io {
namespace {

/// The numbers in ascending order, each once.
std::vector<std::int64_t> distinct(std::span<const std::int64_t> ids) {
  const auto [low, high] = std::ranges::minmax(ids);
  if (low >= 0 && is_plausible_number(high, static_cast<std::int64_t>(ids.size()))) {  // faster than sorting
    std::vector<bool> there(static_cast<std::size_t>(high) + 1);
    for (const std::int64_t id : ids) there[static_cast<std::size_t>(id)] = true;
    std::vector<std::int64_t> found;
    for (std::size_t id = 0; id < there.size(); ++id)
      if (there[id]) found.push_back(static_cast<std::int64_t>(id));
    return found;
  }
  std::vector<std::int64_t> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  // clang 14 has no std::ranges::unique.
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}  // namespace

void number_vertices(ParsedGraph& graph, std::span<const std::int64_t> ids, bool one_based) {
  if (ids.empty()) return;
  const auto numbers = distinct(ids);
  const std::int64_t first = one_based ? 1 : 0, last = static_cast<std::int64_t>(numbers.size()) - 1 + first;
  if (numbers.size() >= static_cast<std::size_t>(std::numeric_limits<data::Vertex>::max()))
    refuse("A graph can have at most {} vertices.", std::numeric_limits<data::Vertex>::max() - 1);
  const bool own = numbers.front() == first && numbers.back() == last;
  const auto vertex = [&](std::int64_t id) {
    const auto place = own ? id - first : std::ranges::lower_bound(numbers, id) - numbers.begin();
    return static_cast<data::Vertex>(place);
  };
  graph.vertices = static_cast<data::Vertex>(numbers.size());
  for (std::size_t i = 0; i < graph.arcs.size(); ++i)
    graph.arcs[i] = {vertex(ids[2 * i]), vertex(ids[2 * i + 1])};
  if (own) return;
  graph.names.reserve(numbers.size());
  for (const std::int64_t id : numbers) graph.names.push_back(std::to_string(id));
}

}  // namespace perslay::io
