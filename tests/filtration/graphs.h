#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/data/graph.h>

/// Graphs of all kinds for the tests of vertex functions.
namespace perslay::filtration::testing {

using data::Edge;
using data::Graph;
using data::Vertex;

struct NamedGraph {
  std::string name;
  Graph graph;

  friend std::ostream& operator<<(std::ostream& out, const NamedGraph& named) { return out << named.name; }
};

inline std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < graph.vertex_count(); ++v)
    for (std::size_t i = 0; i < graph.neighbours(v).size(); ++i)
      if (const Vertex w = graph.neighbours(v)[i]; v < w)
        edges.push_back({v, w, graph.weighted() ? graph.weights(v)[i] : 1.0});
  return edges;
}

inline Graph star_graph(Vertex leaves) {
  std::vector<Edge> edges;
  for (Vertex v = 1; v <= leaves; ++v) edges.push_back({0, v});
  return Graph::from_edges(leaves + 1, edges);
}

inline Graph complete_bipartite_graph(Vertex left, Vertex right) {
  std::vector<Edge> edges;
  for (Vertex a = 0; a < left; ++a)
    for (Vertex b = 0; b < right; ++b) edges.push_back({a, left + b});
  return Graph::from_edges(left + right, edges);
}

inline Graph hypercube_graph(int dimension) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < (1 << dimension); ++v)
    for (int bit = 0; bit < dimension; ++bit)
      if (const Vertex w = v ^ (1 << bit); v < w) edges.push_back({v, w});
  return Graph::from_edges(1 << dimension, edges);
}

inline Graph petersen_graph() {
  std::vector<Edge> edges;
  for (Vertex i = 0; i < 5; ++i) {
    edges.push_back({i, (i + 1) % 5});
    edges.push_back({i, i + 5});
    edges.push_back({i + 5, (i + 2) % 5 + 5});
  }
  return Graph::from_edges(10, edges);
}

/// Every vertex v of `graph` becomes copies[v] twins, adjacent to each other where true_twins[v].
inline Graph blow_up(const Graph& graph, const std::vector<Vertex>& copies,
                     const std::vector<bool>& true_twins) {
  std::vector<Vertex> first(copies.size() + 1, 0);
  std::partial_sum(copies.begin(), copies.end(), first.begin() + 1);
  std::vector<Edge> edges;
  const auto join = [&](std::size_t a, std::size_t b) {
    for (Vertex i = first[a]; i < first[a + 1]; ++i)
      for (Vertex j = first[b]; j < first[b + 1]; ++j)
        if (i < j) edges.push_back({i, j});
  };
  for (const Edge& edge : edges_of(graph))
    join(static_cast<std::size_t>(edge.a), static_cast<std::size_t>(edge.b));
  for (std::size_t v = 0; v < copies.size(); ++v)
    if (true_twins[v]) join(v, v);
  return Graph::from_edges(first.back(), edges);
}

inline Graph disjoint_union(const std::vector<Graph>& parts, Vertex isolated) {
  std::vector<Edge> edges;
  Vertex shift = 0;
  for (const Graph& part : parts) {
    for (const Edge& edge : edges_of(part)) edges.push_back({edge.a + shift, edge.b + shift});
    shift += part.vertex_count();
  }
  return Graph::from_edges(shift + isolated, edges);
}

/// Weights spread over several orders of magnitude.
inline Graph with_random_weights(const Graph& graph, base::RandomStream& random) {
  auto edges = edges_of(graph);
  for (Edge& edge : edges) edge.weight = std::exp(random.uniform(-5, 5));
  return Graph::from_edges(graph.vertex_count(), edges, true);
}

inline std::vector<Vertex> random_permutation(Vertex n, base::RandomStream& random) {
  std::vector<Vertex> permutation(static_cast<std::size_t>(n));
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[random.below(i)]);
  return permutation;
}

/// Vertex v becomes permutation[v].
inline Graph relabel(const Graph& graph, const std::vector<Vertex>& permutation) {
  auto edges = edges_of(graph);
  for (Edge& edge : edges) {
    edge.a = permutation[static_cast<std::size_t>(edge.a)];
    edge.b = permutation[static_cast<std::size_t>(edge.b)];
  }
  return Graph::from_edges(graph.vertex_count(), edges, graph.weighted());
}

inline NamedGraph numbered(std::string kind, std::uint64_t number, Graph graph) {
  kind += ' ';
  kind += std::to_string(number);
  return {std::move(kind), std::move(graph)};
}

inline std::vector<NamedGraph> small_graphs() {
  std::vector<NamedGraph> graphs{
      {"empty", Graph()},
      {"one vertex", Graph::from_edges(1, {})},
      {"two isolated vertices", Graph::from_edges(2, {})},
      {"one edge", data::path_graph(2)},
      {"path 3", data::path_graph(3)},
      {"path 33", data::path_graph(33)},
      {"cycle 3", data::cycle_graph(3)},
      {"cycle 4", data::cycle_graph(4)},
      {"cycle 9", data::cycle_graph(9)},
      {"cycle 40", data::cycle_graph(40)},
      {"complete 4", data::complete_graph(4)},
      {"complete 17", data::complete_graph(17)},
      {"star 1", star_graph(1)},
      {"star 12", star_graph(12)},
      {"bipartite 3 3", complete_bipartite_graph(3, 3)},
      {"bipartite 2 9", complete_bipartite_graph(2, 9)},
      {"blown-up path", blow_up(data::path_graph(4), {3, 1, 2, 4}, {true, true, false, true})},
      {"grid 5 7", data::grid_graph(5, 7)},
      {"hypercube 5", hypercube_graph(5)},
      {"Petersen", petersen_graph()},
      {"union", disjoint_union(
                    {data::cycle_graph(5), star_graph(4), data::complete_graph(3), data::path_graph(2)}, 3)},
  };
  for (std::uint64_t i = 0; i < 40; ++i) {
    base::RandomStream random(17, i);
    const auto n = static_cast<Vertex>(2 + random.below(30));
    const Graph sparse = data::random_graph(n, random.uniform(0.5, 4.0) / n, random);
    const Graph dense = data::random_graph(n, random.uniform(0.4, 0.95), random);
    const Graph tree = data::tree_with_hubs(n + 8, random);
    graphs.push_back(numbered("sparse", i, sparse));
    graphs.push_back(numbered("dense", i, dense));
    graphs.push_back(numbered("tree", i, tree));
    graphs.push_back(numbered("weighted", i, with_random_weights(i % 2 == 0 ? sparse : dense, random)));
    const Graph small = data::random_graph(8, 0.3, random);
    std::vector<Vertex> copies;
    std::vector<bool> true_twins;
    for (int v = 0; v < 8; ++v) {
      copies.push_back(static_cast<Vertex>(1 + random.below(4)));
      true_twins.push_back(random.below(2) == 0);
    }
    const Graph twins = blow_up(small, copies, true_twins);
    graphs.push_back(numbered("twins", i, relabel(twins, random_permutation(twins.vertex_count(), random))));
  }
  return graphs;
}

}  // namespace perslay::filtration::testing
