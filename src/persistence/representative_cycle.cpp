#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/persistence/representative_cycle.h>

namespace perslay::persistence {

// The loop's closing edge joins its lowest vertex v to x. A path from x back to v that keeps to edges the
// sweep had seen before, and to vertices not above the loop's highest, closes it: the lowest vertex of the
// cycle is v by the order of the sweep, and the highest is the point's, because below it no such path exists.
// Each cycle holds a closing edge that no earlier one has, so together they are independent.
std::vector<data::Vertex> representative_cycle(const data::Graph& graph, std::span<const double> values,
                                               diagram::VertexPair point, data::Vertex closing) {
  const auto key = [&](data::Vertex v) { return std::pair(values[static_cast<std::size_t>(v)], v); };
  const data::Vertex highest = point.birth;
  const data::Vertex lowest = point.death;

  constexpr data::Vertex unseen = -1;
  std::vector<data::Vertex> came_from(static_cast<std::size_t>(graph.vertex_count()), unseen);
  came_from[static_cast<std::size_t>(lowest)] = lowest;
  std::vector<data::Vertex> queue;
  const auto visit = [&](data::Vertex v, data::Vertex from) {
    if (came_from[static_cast<std::size_t>(v)] != unseen || key(v) < key(lowest) || key(highest) < key(v))
      return;
    came_from[static_cast<std::size_t>(v)] = from;
    queue.push_back(v);
  };

  // The sweep takes a vertex's neighbours in their stored order, by id.
  for (const data::Vertex u : graph.neighbours(lowest)) {
    if (u == closing) break;
    visit(u, lowest);
  }
  for (std::size_t head = 0; head < queue.size() && came_from[static_cast<std::size_t>(closing)] == unseen;
       ++head)
    for (const data::Vertex u : graph.neighbours(queue[head])) visit(u, queue[head]);
  if (came_from[static_cast<std::size_t>(closing)] == unseen)
    throw base::user_error(fmt::format("No loop between the vertices {} and {} is closed by the edge to {}.",
                                       lowest, highest, closing));

  std::vector<data::Vertex> cycle{lowest};
  for (data::Vertex v = closing; v != lowest; v = came_from[static_cast<std::size_t>(v)]) cycle.push_back(v);
  return cycle;
}

}  // namespace perslay::persistence
