#include "filtration/graphs.h"

#include <algorithm>
#include <atomic>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

using namespace testing;

template <class Function>
std::vector<double> values_of(const Graph& graph, Function&& function) {
  std::vector<double> values(static_cast<std::size_t>(graph.vertex_count()), -1);
  function(graph, values, base::Context{});
  return values;
}

std::vector<double> closeness_of(const Graph& graph) { return values_of(graph, closeness); }

/// Floyd and Warshall; -1 where there is no path.
std::vector<std::vector<int>> all_distances(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  constexpr int far = 1 << 20;
  std::vector<std::vector<int>> distance(n, std::vector<int>(n, far));
  for (std::size_t v = 0; v < n; ++v) {
    distance[v][v] = 0;
    for (const Vertex w : graph.neighbours(static_cast<Vertex>(v)))
      distance[v][static_cast<std::size_t>(w)] = 1;
  }
  for (std::size_t via = 0; via < n; ++via)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        distance[a][b] = std::min(distance[a][b], distance[a][via] + distance[via][b]);
  for (auto& row : distance)
    for (int& entry : row)
      if (entry >= far) entry = -1;
  return distance;
}

TEST(Degree, CountsNeighbours) {
  const Graph graph = disjoint_union({star_graph(3), data::path_graph(3)}, 1);
  std::vector<double> values(8);
  degree(graph, values);
  EXPECT_EQ(values, (std::vector<double>{3, 1, 1, 1, 1, 2, 1, 0}));
}

TEST(Closeness, AgreesWithAllDistances) {
  for (const auto& [name, graph] : small_graphs()) {
    const auto values = closeness_of(graph);
    const auto distances = all_distances(graph);
    for (std::size_t v = 0; v < values.size(); ++v) {
      double others = 0, total = 0;
      for (const int distance : distances[v])
        if (distance > 0) {
          ++others;
          total += distance;
        }
      const double n = static_cast<double>(values.size());
      const double expected = others == 0 ? 0 : others / (n - 1) * others / total;
      EXPECT_NEAR(values[v], expected, 1e-15) << name;
    }
  }
}

TEST(Closeness, FollowsWassermanAndFaustOnSeveralComponents) {
  // The middle of a path of 3 within 6 vertices: 2/5 of the others, at average distance 1.
  const auto values = closeness_of(disjoint_union({data::path_graph(3), data::path_graph(2)}, 1));
  EXPECT_DOUBLE_EQ(values[1], 2.0 / 5);
  EXPECT_DOUBLE_EQ(values[0], 2.0 / 5 * 2.0 / 3);
  EXPECT_DOUBLE_EQ(values[3], 1.0 / 5);
  EXPECT_EQ(values[5], 0);
}

TEST(Eccentricity, IsTheLargestDistance) {
  for (const auto& [name, graph] : small_graphs()) {
    const auto values = values_of(graph, eccentricity);
    const auto distances = all_distances(graph);
    for (std::size_t v = 0; v < values.size(); ++v)
      EXPECT_EQ(values[v], std::ranges::max(distances[v])) << name;
  }
}

/// For each vertex the pairs of its neighbours that are edges, by trying all.
std::vector<double> triangles_by_trial(const Graph& graph) {
  std::vector<double> counts;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    double count = 0;
    for (const Vertex a : graph.neighbours(v))
      for (const Vertex b : graph.neighbours(v))
        if (a < b && std::ranges::count(graph.neighbours(a), b) == 1) ++count;
    counts.push_back(count);
  }
  return counts;
}

TEST(Triangles, AreThoseFoundByTryingAllPairs) {
  base::RandomStream random(3);
  for (const double density : {0.05, 0.3, 0.8}) {
    const Graph graph = data::random_graph(40, density, random);
    EXPECT_EQ(values_of(graph, triangles), triangles_by_trial(graph)) << density;
  }
  for (const auto& [name, graph] : small_graphs())
    EXPECT_EQ(values_of(graph, triangles), triangles_by_trial(graph)) << name;
}

TEST(Clustering, IsTheFractionOfPairsOfNeighbours) {
  EXPECT_EQ(values_of(data::complete_graph(6), clustering), std::vector<double>(6, 1));
  EXPECT_EQ(values_of(petersen_graph(), clustering), std::vector<double>(10, 0));
  for (const auto& [name, graph] : small_graphs()) {
    const auto values = values_of(graph, clustering);
    const auto counts = triangles_by_trial(graph);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      const double pairs = 0.5 * graph.degree(v) * (graph.degree(v) - 1);
      EXPECT_DOUBLE_EQ(values[i], pairs == 0 ? 0 : counts[i] / pairs) << name;
    }
  }
}

TEST(Jaccard, IsTheMeanOverEdgesOfSharedNeighbours) {
  EXPECT_EQ(values_of(data::complete_graph(4), jaccard), std::vector<double>(4, 0.5));  // 2 of 4 each
  EXPECT_EQ(values_of(petersen_graph(), jaccard), std::vector<double>(10, 0));
  for (const auto& [name, graph] : small_graphs()) {
    const auto values = values_of(graph, jaccard);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      double sum = 0;
      for (const Vertex u : graph.neighbours(v)) {
        double both = 0, either = 0;
        const auto near = [&](Vertex a, Vertex b) { return std::ranges::count(graph.neighbours(a), b) > 0; };
        for (Vertex w = 0; w < graph.vertex_count(); ++w) {
          both += near(u, w) && near(v, w) ? 1 : 0;
          either += near(u, w) || near(v, w) ? 1 : 0;
        }
        sum += both / either;
      }
      EXPECT_NEAR(values[static_cast<std::size_t>(v)], graph.degree(v) == 0 ? 0 : sum / graph.degree(v),
                  1e-14)
          << name;
    }
  }
}

/// The largest k that survives when vertices with fewer than k neighbours are taken away again and again.
std::vector<double> cores_by_peeling(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> cores(n, 0);
  for (std::size_t k = 1; k < n; ++k) {
    std::vector<bool> kept(n, true);
    for (bool changed = true; changed;) {
      changed = false;
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        const auto neighbours = std::ranges::count_if(
            graph.neighbours(v), [&](Vertex w) { return bool{kept[static_cast<std::size_t>(w)]}; });
        if (!kept[static_cast<std::size_t>(v)] || neighbours >= static_cast<std::ptrdiff_t>(k)) continue;
        kept[static_cast<std::size_t>(v)] = false;
        changed = true;
      }
    }
    for (std::size_t v = 0; v < n; ++v)
      if (kept[v]) cores[v] = static_cast<double>(k);
  }
  return cores;
}

TEST(CoreNumbers, AreThoseOfPeeling) {
  const auto cores_of = [](const Graph& graph) {
    return values_of(graph, [](const Graph& g, std::span<double> values, const base::Context&) {
      core_numbers(g, values);
    });
  };
  EXPECT_EQ(cores_of(data::complete_graph(5)), std::vector<double>(5, 4));
  EXPECT_EQ(cores_of(star_graph(5)), std::vector<double>(6, 1));
  for (const auto& [name, graph] : small_graphs())
    EXPECT_EQ(cores_of(graph), cores_by_peeling(graph)) << name;
  base::RandomStream random(8);
  for (const double density : {0.05, 0.2, 0.6}) {
    const Graph graph = data::random_graph(70, density, random);
    EXPECT_EQ(cores_of(graph), cores_by_peeling(graph)) << density;
  }
}

TEST(PathLengths, AreCountedForAllPairs) {
  for (const auto& [name, graph] : small_graphs())
    for (const std::size_t bins : {1U, 3U, 50U}) {
      std::vector<double> counts(bins, -1), expected(bins, 0);
      path_lengths(graph, counts);
      for (const auto& row : all_distances(graph))
        for (const int distance : row)
          if (distance > 0) ++expected[std::min(static_cast<std::size_t>(distance), bins) - 1];
      EXPECT_EQ(counts, expected) << name << " " << bins;
    }
}

TEST(VertexFunctions, StopWhenCancelled) {
  const std::atomic<bool> cancel = true;
  base::Context context;
  context.cancel = &cancel;
  std::vector<double> values(4);
  for (const auto function : {closeness, eccentricity, triangles, clustering, path_lengths}) {
    try {
      function(data::path_graph(4), values, context);
      ADD_FAILURE() << "not stopped";
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::cancelled);
    }
  }
}

TEST(VertexFunctions, RefusePlacesThatDoNotFit) {
  std::vector<double> values(3);
  EXPECT_THROW(degree(data::path_graph(4), values), base::Error);
  EXPECT_THROW(core_numbers(data::path_graph(4), values), base::Error);
  for (const auto function : {closeness, eccentricity, triangles, clustering})
    EXPECT_THROW(function(data::path_graph(4), values, base::Context{}), base::Error);
}

}  // namespace
}  // namespace perslay::filtration
