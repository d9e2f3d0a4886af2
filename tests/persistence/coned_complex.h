#pragma once

#include "persistence/cases.h"

#include <algorithm>
#include <vector>

/// Extended persistence by its definition: the boundary matrix of the coned complex, reduced over Z/2.
namespace perslay::test {

using VertexPairs = std::vector<diagram::VertexPair>;

/// Every pair of the reduction, also those on the diagonal, as vertices (birth, death).
struct ConedPairs {
  VertexPairs ord0, rel1, ext0, ext1;
};

namespace coned {

/// A simplex of the cone: one or two vertices of the graph, with or without the cone point. `vertex` is the
/// one at whose value it enters.
struct Simplex {
  int dimension;
  bool cone;
  Vertex vertex;
  std::vector<std::size_t> boundary;  // places of its faces, ascending
};

/// The extended filtration. The cone point comes first, so that every component of the graph finds it older
/// than itself and dies into it at its own maximum. Then each vertex, from the lowest up, with its edges
/// downward; then the cone of each vertex, from the highest down, with the cones of its edges upward.
inline std::vector<Simplex> extended_filtration(const Graph& graph, std::span<const double> values) {
  const std::vector<Vertex> order = ascending(values);
  const std::vector<Vertex> rank = ranks(values);
  std::vector<Simplex> simplices{{0, true, -1, {}}};
  std::vector<std::size_t> place(values.size()), cone_place(values.size());
  std::vector<std::vector<std::size_t>> edge_place(values.size(), std::vector<std::size_t>(values.size()));
  const auto add = [&](int dimension, bool cone, Vertex vertex, std::vector<std::size_t> boundary) {
    simplices.push_back({dimension, cone, vertex, sorted(std::move(boundary))});
    return simplices.size() - 1;
  };

  for (const Vertex v : order) {
    place[at(v)] = add(0, false, v, {});
    for (const Vertex u : graph.neighbours(v)) {
      if (rank[at(u)] > rank[at(v)]) continue;
      edge_place[at(u)][at(v)] = edge_place[at(v)][at(u)] = add(1, false, v, {place[at(u)], place[at(v)]});
    }
  }
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const Vertex v = *i;
    cone_place[at(v)] = add(1, true, v, {0, place[at(v)]});
    for (const Vertex u : graph.neighbours(v))
      if (rank[at(u)] > rank[at(v)])
        add(2, true, v, {edge_place[at(u)][at(v)], cone_place[at(u)], cone_place[at(v)]});
  }
  return simplices;
}

}  // namespace coned

inline ConedPairs coned_persistence(const Graph& graph, std::span<const double> values) {
  const std::vector<coned::Simplex> simplices = coned::extended_filtration(graph, values);
  std::vector<std::vector<std::size_t>> reduced_with_pivot(
      simplices.size());  // empty: no column has this pivot
  ConedPairs pairs;
  std::vector<std::size_t> column, sum;
  for (const coned::Simplex& death : simplices) {
    column = death.boundary;
    while (!column.empty() && !reduced_with_pivot[column.back()].empty()) {
      const auto& other = reduced_with_pivot[column.back()];
      sum.clear();
      std::set_symmetric_difference(column.begin(), column.end(), other.begin(), other.end(),
                                    std::back_inserter(sum));
      column.swap(sum);
    }
    if (column.empty()) continue;
    const coned::Simplex& birth = simplices[column.back()];
    VertexPairs& kind = birth.cone             ? pairs.rel1
                        : birth.dimension == 1 ? pairs.ext1
                        : death.cone           ? pairs.ext0
                                               : pairs.ord0;
    kind.push_back({birth.vertex, death.vertex});
    reduced_with_pivot[column.back()] = column;
  }
  return pairs;
}

}  // namespace perslay::test
