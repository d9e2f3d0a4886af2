#include "../sentence.h"
#include "filtration/graphs.h"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

using namespace testing;

std::size_t at(Vertex v) { return static_cast<std::size_t>(v); }

std::vector<double> betweenness_of(const Graph& graph) {
  std::vector<double> values(at(graph.vertex_count()), -1);
  betweenness(graph, values);
  return values;
}

std::vector<double> pagerank_of(const Graph& graph, double damping = 0.85) {
  std::vector<double> values(at(graph.vertex_count()), -1);
  pagerank(graph, damping, values);
  return values;
}

/// walks[l][a][b] = the number of walks of l steps, up to n - 1 of them; the first l with any is the distance, and
/// those walks are the shortest paths.
struct ShortestPaths {
  std::vector<std::vector<double>> count;
  std::vector<std::vector<int>> length;  // -1: none

  explicit ShortestPaths(const Graph& graph) {
    const std::size_t n = at(graph.vertex_count());
    count.assign(n, std::vector<double>(n, 0));
    length.assign(n, std::vector<int>(n, -1));
    for (std::size_t source = 0; source < n; ++source) {
      std::vector<double> walks(n, 0);
      walks[source] = 1;
      for (int steps = 0; steps < static_cast<int>(n); ++steps) {
        for (std::size_t v = 0; v < n; ++v)
          if (walks[v] > 0 && length[source][v] < 0) {
            length[source][v] = steps;
            count[source][v] = walks[v];
          }
        std::vector<double> longer(n, 0);
        for (std::size_t v = 0; v < n; ++v)
          for (const Vertex w : graph.neighbours(static_cast<Vertex>(v))) longer[at(w)] += walks[v];
        walks = longer;
      }
    }
  }
};

TEST(Betweenness, IsTheFractionOfShortestPathsByCounting) {
  for (const auto& [name, graph] : small_graphs()) {
    const std::size_t n = at(graph.vertex_count());
    const ShortestPaths paths(graph);
    const auto values = betweenness_of(graph);
    for (std::size_t v = 0; v < n; ++v) {
      double sum = 0;
      for (std::size_t s = 0; s < n; ++s)
        for (std::size_t t = 0; t < s; ++t) {
          if (s == v || t == v || paths.length[s][t] < 0 || paths.length[s][v] < 0) continue;
          if (paths.length[s][v] + paths.length[v][t] == paths.length[s][t])
            sum += paths.count[s][v] * paths.count[v][t] / paths.count[s][t];
        }
      const double pairs = static_cast<double>(n - 1) * static_cast<double>(n - 2) / 2;
      EXPECT_NEAR(values[v], n < 3 ? 0 : sum / pairs, 1e-12) << name << ' ' << v;
    }
  }
}

TEST(Betweenness, OfGraphsThatAreKnown) {
  EXPECT_EQ(betweenness_of(star_graph(4)), (std::vector<double>{1, 0, 0, 0, 0}));
  EXPECT_EQ(betweenness_of(disjoint_union({data::path_graph(3)}, 1)),
            (std::vector<double>{0, 1.0 / 3, 0, 0}));
  EXPECT_EQ(betweenness_of(data::path_graph(2)), (std::vector<double>{0, 0}));
}

TEST(Betweenness, RefusesPathsThatNoNumberCounts) {
  std::vector<Edge> edges;
  constexpr Vertex squares = 1100;  // each doubles the number of paths
  for (Vertex i = 0; i < squares; ++i)
    for (const Vertex way : {3 * i + 1, 3 * i + 2})
      for (const Vertex end : {3 * i, 3 * i + 3}) edges.push_back({way, end});
  const Graph graph = Graph::from_edges(3 * squares + 1, edges);
  EXPECT_EQ(
      test::sentence_of([&] { (void)betweenness_of(graph); }),
      "The betweenness is not computed: more than 1.8e308 shortest paths lead from vertex 0 to vertex 3072.");
}

/// The stationary equations, by elimination in extended precision.
std::vector<long double> solved_pagerank(const Graph& graph, long double damping) {
  const std::size_t n = at(graph.vertex_count());
  std::vector<std::vector<long double>> rows(n, std::vector<long double>(n + 1, 0));
  for (std::size_t v = 0; v < n; ++v) {
    rows[v][v] += 1;
    rows[v][n] = (1 - damping) / static_cast<long double>(n);
    for (std::size_t u = 0; u < n; ++u) {
      const auto degree = graph.degree(static_cast<Vertex>(u));
      if (degree == 0) rows[v][u] -= damping / static_cast<long double>(n);
    }
    for (const Vertex u : graph.neighbours(static_cast<Vertex>(v)))
      rows[v][at(u)] -= damping / static_cast<long double>(graph.degree(u));
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i; j < n; ++j)
      if (std::abs(rows[j][i]) > std::abs(rows[pivot][i])) pivot = j;
    std::swap(rows[i], rows[pivot]);
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const long double factor = rows[j][i] / rows[i][i];
      for (std::size_t k = i; k <= n; ++k) rows[j][k] -= factor * rows[i][k];
    }
  }
  std::vector<long double> solution(n);
  for (std::size_t i = 0; i < n; ++i) solution[i] = rows[i][n] / rows[i][i];
  return solution;
}

TEST(PageRank, SolvesTheStationaryEquations) {
  for (const auto& [name, graph] : small_graphs())
    for (const double damping : {0.0, 0.5, 0.85, 0.99}) {
      const auto values = pagerank_of(graph, damping);
      const auto expected = solved_pagerank(graph, damping);
      long double error = 0;
      for (std::size_t v = 0; v < values.size(); ++v) error += std::abs(values[v] - expected[v]);
      EXPECT_LT(error, 2e-12L) << name << ' ' << damping;
    }
}

TEST(PageRank, IsReachedWithTheLargestDamping) {
  const Graph graph = disjoint_union({star_graph(7), data::path_graph(6)}, 2);
  const auto values = pagerank_of(graph, largest_damping);
  const auto expected = solved_pagerank(graph, largest_damping);
  for (std::size_t v = 0; v < values.size(); ++v)
    EXPECT_NEAR(values[v], static_cast<double>(expected[v]), 1e-11);
}

TEST(Centralities, AreEqualWhereAnAutomorphismExchangesVertices) {
  for (const Graph& graph :
       {petersen_graph(), hypercube_graph(6), complete_bipartite_graph(7, 7), data::cycle_graph(90)})
    for (const auto& values : {betweenness_of(graph), pagerank_of(graph)})
      EXPECT_EQ(values, std::vector<double>(values.size(), values.front()));
}

TEST(Centralities, OfLargeGraphsAreNotRunTogether) {
  // On a long path neighbouring values differ by far less than they do on small graphs.
  const auto between = betweenness_of(data::path_graph(3001));
  for (std::size_t v = 0; v < 1500; ++v) EXPECT_LT(between[v], between[v + 1]) << v;
}

TEST(FunctionsOfEdgesAndPaths, StopWhenCancelledAndRefusePlacesThatDoNotFit) {
  const std::atomic<bool> cancel = true;
  base::Context context;
  context.cancel = &cancel;
  std::vector<double> values(4);
  const auto graph = data::path_graph(4);
  const std::vector<std::function<void(std::span<double>, const base::Context&)>> functions{
      [&](auto places, const auto& how) { forman(graph, places, how); },
      [&](auto places, const auto& how) { ollivier(graph, 0.5, places, how); },
      [&](auto places, const auto& how) { betweenness(graph, places, how); },
      [&](auto places, const auto& how) { pagerank(graph, 0.85, places, how); }};
  for (const auto& function : functions) {
    EXPECT_EQ(test::sentence_of([&] { function(std::span(values).first(3), {}); }),
              "A vertex function of 4 vertices fills as many places, not 3.");
    try {
      function(values, context);
      ADD_FAILURE() << "not stopped";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::cancelled);
    }
  }
}

}  // namespace
}  // namespace perslay::filtration
