#include "filtration/graphs.h"

#include <atomic>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

using namespace testing;

std::vector<double> closeness_of(const Graph& graph) {
  std::vector<double> values(static_cast<std::size_t>(graph.vertex_count()));
  closeness(graph, values);
  return values;
}

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

TEST(Closeness, StopsWhenCancelled) {
  const std::atomic<bool> cancel = true;
  base::Context context;
  context.cancel = &cancel;
  std::vector<double> values(4);
  try {
    closeness(data::path_graph(4), values, context);
    ADD_FAILURE() << "not stopped";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::cancelled);
  }
}

TEST(VertexFunctions, RefusePlacesThatDoNotFit) {
  std::vector<double> values(3);
  EXPECT_THROW(degree(data::path_graph(4), values), base::Error);
  EXPECT_THROW(closeness(data::path_graph(4), values), base::Error);
}

}  // namespace
}  // namespace perslay::filtration
