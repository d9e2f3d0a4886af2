#include "graph_format.h"
#include "npy.h"

#include <algorithm>
#include <limits>

namespace perslay::io {
namespace {

/// Where the ends of edges stand in an array.
struct Ends {
  std::size_t edges;
  bool by_rows;  ///< An edge is a row of two; else the two are in two rows, as in an edge_index.
};

Ends ends_of(const Text& file, const NpyHeader& header) {
  const auto& shape = header.shape;
  if (shape.size() == 2 && shape[1] == 2) return {shape[0], true};
  if (shape.size() == 2 && shape[0] == 2) return {shape[1], false};
  refuse("{}: The array has the shape {}; edges have the shape (edges, 2) or (2, edges).", file.name,
         shape_text(shape));
}

}  // namespace

std::vector<ParsedGraph> parse_edge_array(const Text& file, const GraphReadOptions& options,
                                          const base::Context& /*context*/) {
  const NpyHeader header = parse_npy_header(file);
  const NpyElement element = npy_element(file.name, header.type);
  require_npy_size(file, header, element);
  const auto [edges, by_rows] = ends_of(file, header);
  if (!element.is_integer)
    refuse("{}: Edges are pairs of integers, but the array holds '{}'.", file.name, header.type);
  if (edges == 0) refuse("{} holds no edges.", file.name);

  const char* const numbers = file.content.data() + header.data_begin;
  const bool pairs_together = by_rows != header.fortran_order;
  const std::int64_t first_id = options.one_based ? 1 : 0;
  std::vector<std::int64_t> ids;
  ids.reserve(2 * edges);
  for (std::size_t e = 0; e < edges; ++e)
    for (std::size_t end = 0; end < 2; ++end) {
      const std::size_t place = pairs_together ? 2 * e + end : end * edges + e;
      ids.push_back(element.integer(numbers + place * element.bytes));
      if (ids.back() < first_id)
        refuse("{}: Edge {}, counted from 0, has a vertex {}; vertices are numbered from {} to {}.",
               file.name, e, ids.back(), first_id, std::numeric_limits<std::int64_t>::max());
    }
  if (edges == 2 && ids[1] != ids[2])
    refuse(
        "{}: An array of shape (2, 2) may hold two edges by its rows or by its columns; write them as text.",
        file.name);

  std::vector<ParsedGraph> graphs(1);
  ParsedGraph& graph = graphs.front();
  graph.arcs.resize(edges);
  const std::int64_t largest = std::ranges::max(ids) - first_id;
  if (!is_plausible_number(largest, static_cast<std::int64_t>(edges)) ||
      largest >= std::numeric_limits<data::Vertex>::max()) {
    number_vertices(graph, ids, options.one_based);
    return graphs;
  }
  graph.vertices = static_cast<data::Vertex>(largest + 1);
  for (std::size_t e = 0; e < edges; ++e)
    graph.arcs[e] = {static_cast<data::Vertex>(ids[2 * e] - first_id),
                     static_cast<data::Vertex>(ids[2 * e + 1] - first_id)};
  return graphs;
}

}  // namespace perslay::io
