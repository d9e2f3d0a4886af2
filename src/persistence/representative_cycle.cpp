#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/persistence/representative_cycle.h>

namespace perslay::persistence {

RepresentativeCycles::RepresentativeCycles(const data::Graph& graph, std::span<const double> values)
    : graph_(graph),
      values_(values),
      came_from_(static_cast<std::size_t>(graph.vertex_count())),
      seen_(static_cast<std::size_t>(graph.vertex_count()), 0) {}

// The loop's closing edge joins its lowest vertex v to x. A path from x back to v that keeps to edges the
// sweep had seen before, and to vertices not above the loop's highest, closes it: the lowest vertex of the
// cycle is v by the order of the sweep, and the highest is the point's, because below it no such path exists.
// Each cycle holds a closing edge that no earlier one has, so together they are independent.
std::vector<data::Vertex> RepresentativeCycles::find(diagram::VertexPair point, data::Vertex closing) {
  const data::Vertex highest = point.birth;
  const data::Vertex lowest = point.death;
  const auto visit_if_inside = [&](data::Vertex v, data::Vertex from) {
    if (!seen(v) && !below(v, lowest) && !below(highest, v)) visit(v, from);
  };

  ++search_;
  queue_.clear();
  visit(lowest, lowest);
  // The sweep takes a vertex's neighbours in their stored order.
  for (const data::Vertex u : graph_.neighbours(lowest)) {
    if (u == closing) break;
    visit_if_inside(u, lowest);
  }
  for (std::size_t head = 1; head < queue_.size() && !seen(closing); ++head)
    for (const data::Vertex u : graph_.neighbours(queue_[head])) visit_if_inside(u, queue_[head]);
  if (!seen(closing))
    throw base::user_error(fmt::format("No loop between the vertices {} and {} is closed by the edge to {}.",
                                       lowest, highest, closing));

  std::vector<data::Vertex> cycle{lowest};
  for (data::Vertex v = closing; v != lowest; v = came_from_[static_cast<std::size_t>(v)]) cycle.push_back(v);
  return cycle;
}

/// In the order of the sweep, by (value, id).
bool RepresentativeCycles::below(data::Vertex a, data::Vertex b) const {
  const double fa = values_[static_cast<std::size_t>(a)];
  const double fb = values_[static_cast<std::size_t>(b)];
  return fa < fb || (fa == fb && a < b);
}

void RepresentativeCycles::visit(data::Vertex v, data::Vertex from) {
  seen_[static_cast<std::size_t>(v)] = search_;
  came_from_[static_cast<std::size_t>(v)] = from;
  queue_.push_back(v);
}

}  // namespace perslay::persistence
