#include "filtration/graphs.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

using namespace testing;

std::size_t at(Vertex v) { return static_cast<std::size_t>(v); }

bool adjacent(const Graph& graph, Vertex a, Vertex b) {
  return std::ranges::count(graph.neighbours(a), b) > 0;
}

/// The mean over each vertex's edges of curvature(u, v).
template <class Curvature>
std::vector<double> mean_over_edges(const Graph& graph, Curvature&& curvature) {
  std::vector<double> means(at(graph.vertex_count()));
  for (const Edge& edge : edges_of(graph)) {
    const double value = curvature(edge.a, edge.b);
    for (const Vertex end : {edge.a, edge.b}) means[at(end)] += value / graph.degree(end);
  }
  return means;
}

std::vector<double> forman_of(const Graph& graph) {
  std::vector<double> values(at(graph.vertex_count()), -1);
  forman(graph, values);
  return values;
}

std::vector<double> ollivier_of(const Graph& graph, double laziness = 0.5) {
  std::vector<double> values(at(graph.vertex_count()), -1);
  ollivier(graph, laziness, values);
  return values;
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double error,
                 const std::string& name) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t v = 0; v < values.size(); ++v)
    EXPECT_NEAR(values[v], expected[v], error) << name << ' ' << v;
}

TEST(Forman, IsTheMeanOverEdgesByTrial) {
  for (const auto& [name, graph] : small_graphs()) {
    const auto expected = mean_over_edges(graph, [&graph = graph](Vertex u, Vertex v) {
      double triangles = 0;
      for (Vertex w = 0; w < graph.vertex_count(); ++w)
        triangles += adjacent(graph, u, w) && adjacent(graph, v, w) ? 1 : 0;
      return 4 - graph.degree(u) - graph.degree(v) + 3 * triangles;
    });
    expect_near(forman_of(graph), expected, 1e-12, name);
  }
}

TEST(Forman, OfGraphsThatAreKnown) {
  EXPECT_EQ(forman_of(data::cycle_graph(5)), std::vector<double>(5, 0));
  EXPECT_EQ(forman_of(data::complete_graph(5)), std::vector<double>(5, 4 - 8 + 9));
  EXPECT_EQ(forman_of(disjoint_union({star_graph(3)}, 1)), (std::vector<double>{0, 0, 0, 0, 0}));
}

/// The measure at u, as a map from vertices to masses.
std::map<Vertex, double> measure(const Graph& graph, Vertex u, double laziness) {
  std::map<Vertex, double> masses{{u, laziness}};
  for (const Vertex x : graph.neighbours(u)) masses[x] += (1 - laziness) / graph.degree(u);
  return masses;
}

/// The dual of Kantorovich: the largest integral of m_u - m_v against a function f with |f(x) - f(y)| <= d(x, y).
/// Some whole-numbered f from 0 to 3 attains it, so all of them are tried.
class LargestIntegral {
 public:
  LargestIntegral(const Graph& graph, Vertex u, Vertex v, double laziness) : graph_(graph) {
    auto masses = measure(graph, u, laziness);
    for (const auto& [x, mass] : measure(graph, v, laziness)) masses[x] -= mass;
    for (const auto& [x, mass] : masses) {
      points_.push_back(x);
      masses_.push_back(mass);
    }
    try_all(0);
  }

  double value() const { return best_; }

 private:
  int distance(Vertex a, Vertex b) const {
    if (adjacent(graph_, a, b)) return 1;
    for (const Vertex x : graph_.neighbours(a))
      if (adjacent(graph_, x, b)) return 2;
    return 3;
  }

  void try_all(double integral) {
    const std::size_t i = chosen_.size();
    if (i == points_.size()) {
      best_ = std::max(best_, integral);
      return;
    }
    for (int f = 0; f <= 3; ++f) {
      bool fits = true;
      for (std::size_t j = 0; j < i && fits; ++j)
        fits = std::abs(f - chosen_[j]) <= distance(points_[i], points_[j]);
      if (!fits) continue;
      chosen_.push_back(f);
      try_all(integral + f * masses_[i]);
      chosen_.pop_back();
    }
  }

  const Graph& graph_;
  std::vector<Vertex> points_;
  std::vector<double> masses_;
  std::vector<int> chosen_;
  double best_ = 0;
};

TEST(Ollivier, IsOneMinusTheLargestIntegral) {
  for (std::uint64_t item = 0; item < 60; ++item) {
    base::RandomStream random(23, item);
    const auto n = static_cast<Vertex>(2 + random.below(7));
    const Graph graph = data::random_graph(n, random.uniform(0.2, 0.9), random);
    for (const double laziness : {0.0, 0.5, 0.3}) {
      const auto expected = mean_over_edges(
          graph, [&](Vertex u, Vertex v) { return 1 - LargestIntegral(graph, u, v, laziness).value(); });
      expect_near(ollivier_of(graph, laziness), expected, 1e-10, std::to_string(item));
    }
  }
}

TEST(Ollivier, OfGraphsThatAreKnown) {
  expect_near(ollivier_of(data::complete_graph(6)), std::vector<double>(6, 6.0 / 10), 1e-14, "complete");
  expect_near(ollivier_of(data::cycle_graph(9)), std::vector<double>(9, 0), 1e-14, "cycle");
  expect_near(ollivier_of(data::cycle_graph(4)), std::vector<double>(4, 0.5), 1e-14, "square");
  expect_near(ollivier_of(disjoint_union({data::path_graph(2)}, 2)), {1, 1, 0, 0}, 1e-14, "one edge");
}

/// In a tree each edge carries the difference of the masses on its one side.
TEST(Ollivier, OfTwoStarsThatAreJoined) {
  for (const auto& [a, b] : std::vector<std::pair<Vertex, Vertex>>{{2, 3}, {150, 221}}) {
    std::vector<Edge> edges{{0, 1}};
    for (Vertex i = 0; i < a; ++i) edges.push_back({0, 2 + i});
    for (Vertex i = 0; i < b; ++i) edges.push_back({1, 2 + a + i});
    const auto values = ollivier_of(Graph::from_edges(2 + a + b, edges));
    const double share_u = 0.5 / (a + 1), share_v = 0.5 / (b + 1);
    const double middle = 1 - (a * share_u + b * share_v + 1 - share_u - share_v);
    const auto leaf =
        [](double degree) {  // 1/2 stays there, 1/(2 d) lies there, and d - 1 others move by one
          const double share = 0.5 / degree;
          return 1 - (0.5 - share + (degree - 1) * share);
        };
    EXPECT_NEAR(values[0], (middle + a * leaf(a + 1)) / (a + 1), 1e-13);
    EXPECT_NEAR(values[1], (middle + b * leaf(b + 1)) / (b + 1), 1e-13);
    EXPECT_NEAR(values[2], leaf(a + 1), 1e-13);
    EXPECT_NEAR(values.back(), leaf(b + 1), 1e-13);
  }
}

TEST(Ollivier, IsEqualWhereAnAutomorphismExchangesVertices) {
  for (const Graph& graph : {petersen_graph(), hypercube_graph(5), complete_bipartite_graph(5, 5)})
    for (const double laziness : {0.5, 0.1}) {
      const auto values = ollivier_of(graph, laziness);
      EXPECT_EQ(values, std::vector<double>(values.size(), values.front()));
    }
}

TEST(Ollivier, DoesNotDependOnTheNamesOfVertices) {
  base::RandomStream random(29);
  const Graph graph = data::random_graph(60, 0.2, random);
  const auto permutation = random_permutation(60, random);
  const auto values = ollivier_of(graph), others = ollivier_of(relabel(graph, permutation));
  for (std::size_t v = 0; v < values.size(); ++v) EXPECT_NEAR(values[v], others[at(permutation[v])], 1e-11);
}

}  // namespace
}  // namespace perslay::filtration
