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

/// values[v] = the mean, over v's edges, of the augmented Forman curvature of an edge: 4 - d(u) - d(v) + 3 times
/// the number of triangles with the edge as a side (Samal et al. 2018, "Comparative analysis of two discretizations
/// of Ricci curvature for complex networks"; edges and vertices weigh 1); 0 for isolated vertices. The sums are
/// exact, so that vertices that an automorphism exchanges have equal values. O(m^1.5).
void forman(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// values[v] = the mean, over v's edges, of the Ollivier-Ricci curvature of an edge, 1 - W(m_u, m_v) (Ollivier 2009,
/// with lazy walks as in Lin, Lu and Yau 2011). The measure m_u has the mass `laziness`, 0 <= laziness < 1, at u
/// and the rest in equal parts at u's neighbours; W is the Wasserstein-1 distance for distances counted in edges,
/// which are at most 3 here; weights are ignored. 0 for isolated vertices. Values are accurate to about 1e-14 and
/// snapped: in sorted order, runs with consecutive gaps below 1e-11 get their smallest value.
///
/// An exact transport for each edge. For an edge where m_u has more mass at a vertices and m_v at b, at most d(u) + 1
/// and d(v) + 1, the distances take O(ab D) for degrees up to D, and the transport O(ab (a + b)) in practice: O(m D^3)
/// in all, and much less where neighbours are few, or shared by ends of equal degrees.
void ollivier(const data::Graph& graph, double laziness, std::span<double> values,
              const base::Context& context = {});

/// Betweenness centrality (Freeman 1977): values[v] = the sum, over unordered pairs of other vertices, of the
/// fraction of their shortest paths that pass through v, divided by the number (n-1)(n-2)/2 of such pairs. Pairs
/// in different components count 0, and graphs of fewer than three vertices have 0 everywhere. Paths count edges;
/// weights are ignored. Snapped: in sorted order, runs with consecutive gaps below 1e-11 of the value get their
/// smallest value. A pair with more than 1.8e308 shortest paths is an error. O(n (n + m)) by Brandes' algorithm
/// (2001), one search from every vertex, and O(n + m) memory.
void betweenness(const data::Graph& graph, std::span<double> values, const base::Context& context = {});

/// A walk that is damped less takes too many steps to settle.
inline constexpr double largest_damping = 0.999;

/// PageRank (Brin and Page 1998): values[v] = the share of time that a walk spends at v which goes on to a random
/// neighbour with probability `damping`, 0 <= damping <= largest_damping, and otherwise, or if there is none, to any
/// vertex. Values sum to 1; weights are ignored. The sum of all errors is below 1e-12 before values are snapped: in
/// sorted order, runs with consecutive gaps below 1e-11 of the value get their smallest value. Power iteration, at
/// most log(5e-13) / log(damping) steps of O(n + m): 175 for a damping of 0.85.
void pagerank(const data::Graph& graph, double damping, std::span<double> values,
              const base::Context& context = {});

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
