#pragma once

#include <cstddef>
#include <span>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

inline std::size_t index(data::Vertex v) { return static_cast<std::size_t>(v); }

/// Refuses a number of places that is not the number of vertices.
inline void check_size(const data::Graph& graph, std::span<const double> values) {
  if (values.size() != index(graph.vertex_count()))
    throw base::user_error(fmt::format("A vertex function of {} vertices fills as many places, not {}.",
                                       graph.vertex_count(), values.size()));
}

}  // namespace perslay::filtration
