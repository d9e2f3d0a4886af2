#pragma once

#include <span>
#include <string_view>

#include <perslay/base/context.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// values[v] = the number of v's neighbours. O(n).
void degree(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// Closeness centrality as defined by Wasserman and Faust for graphs with several components: with r vertices
/// reachable from v, itself included, at total distance s, values[v] = (r-1)/(n-1) * (r-1)/s; isolated
/// vertices have 0. Distances count edges; weights are ignored. O(n (n + m)).
void closeness(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// values[v] = the largest distance from v to a vertex of its component, counted in edges; 0 for isolated
/// vertices. O(n (n + m)).
void eccentricity(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// values[v] = the number of triangles that v is a corner of. O(m^1.5).
void triangles(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// The local clustering coefficient (Watts and Strogatz): values[v] = the fraction of pairs of v's neighbours
/// that are edges; 0 for vertices with fewer than two neighbours. O(m^1.5).
void clustering(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// values[v] = the largest k for which v belongs to a subgraph whose vertices all have at least k neighbours
/// in it (Seidman 1983). O(n + m), by peeling off vertices of the smallest degree (Batagelj and Zaversnik
/// 2003).
void core_numbers(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// values[v] = the mean, over v's edges, of the Jaccard index of an edge: the common neighbours of its two ends
/// over all neighbours of either (Zhao and Wang 2019); 0 for isolated vertices. O(m^1.5 log n).
void jaccard(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// counts[d - 1] = the number of ordered pairs of different vertices at distance d, counted in edges; the
/// last place counts all larger distances. Pairs in different components are not counted. O(n (n + m)).
void path_lengths(const data::Graph& graph, std::span<double> counts, const base::Context& context = {});

/// A vertex function that has a name: it takes no arguments and is computed graph by graph.
struct VertexFunction {
  std::string_view name;
  std::string_view help;
  void (*compute)(const data::Graph&, std::span<double>, const base::Context&);
};

/// All vertex functions that have a name.
[[nodiscard]] std::span<const VertexFunction> vertex_functions();

}  // namespace perslay::filtration
