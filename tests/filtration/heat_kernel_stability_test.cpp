#include "filtration/perturbations.h"

#include <gtest/gtest.h>

// Theorem A.1 of the paper (Hu et al. 2014, theorem 1), with constants: how far the heat kernel signature moves
// when the graph does. docs/theorems.md derives the constants.
namespace perslay::filtration::testing {
namespace {

constexpr double rounding = 1e-12;

// C0 = t, for every W: edges may come and go.
TEST(HeatKernelStability, TheConstantTimeHoldsForEveryPairOfGraphs) {
  double frobenius = 0, spectral = 0;
  for (std::uint64_t item = 0; item < 600; ++item) {
    base::RandomStream random(81, item);
    const Graph graph = draw_weighted_graph(item, random);
    const Vertex n = graph.vertex_count();
    const Graph other = item % 3 == 0 ? data::random_graph(n, random.uniform(), random)
                                      : perturbed(graph, std::pow(10, random.uniform(-4, 1)), random);
    const auto w = laplacian_difference(graph, other);
    if (w.frobenius < 1e-6) continue;  // one edge has only one Laplacian
    const double t = std::pow(10, random.uniform(-2, 2));
    const double moved = signature_difference(graph, other, t), constant = StabilityConstants::c0(t);
    ASSERT_LE(moved, constant * w.spectral + rounding) << item;
    ASSERT_LE(moved, constant * w.frobenius + rounding) << item;
    frobenius = std::max(frobenius, moved / (constant * w.frobenius));
    spectral = std::max(spectral, moved / (constant * w.spectral));
  }
  EXPECT_GT(frobenius, 0.6);
  EXPECT_GT(spectral, 0.9);
}

// A leaf of a large star loses its edge: its signature was exp(-t) nearly and becomes 1, and W is 1 at its
// place and small elsewhere.
TEST(HeatKernelStability, TheConstantTimeIsTheBest) {
  const Graph star = star_graph(400);
  auto edges = edges_of(star);
  edges.pop_back();
  const Graph other = Graph::from_edges(401, edges);
  const double t = 1e-3, moved = signature_difference(star, other, t);
  const auto w = laplacian_difference(star, other);
  EXPECT_LE(moved, t * w.frobenius);
  EXPECT_GT(moved, 0.99 * t * w.frobenius);
}

// C1 |W| / (delta - |W|) + C2 |W| for |W| < delta, whether eigenvalues are simple or not.
TEST(HeatKernelStability, TheoremA1HoldsWithItsConstants) {
  int simple = 0, repeated = 0;
  double tightest = 0;
  for (std::uint64_t item = 0; item < 600; ++item) {
    base::RandomStream random(82, item);
    const Graph graph = draw_weighted_graph(item, random);
    const LaplacianOracle oracle(graph);
    const StabilityConstants constants(oracle);
    const auto eigenvalues = laplacian_eigenvalues(graph);
    for (std::size_t k = 0; k < oracle.size(); ++k)
      ASSERT_NEAR(eigenvalues[k], oracle.eigenvalue(k), rounding) << item;
    const double delta = constants.gap();
    if (delta < 1e-4) continue;
    const Graph other = perturbed_within(graph, 0.95 * delta, random);
    const double size = laplacian_difference(graph, other).frobenius;
    if (size < 1e-6) continue;
    (constants.simple() ? simple : repeated)++;
    for (const double t : {0.1, 1.0, 10.0, 1000.0}) {
      const double moved = signature_difference(graph, other, t);
      const double mixing = constants.c1(t) * size / (delta - size);
      ASSERT_LE(moved, mixing + constants.c2(t) * size + rounding) << item << ' ' << t;
      tightest = std::max(tightest, moved / (mixing + constants.c2(t) * size));
    }
  }
  EXPECT_GT(simple, 150);
  EXPECT_GT(repeated, 150);
  EXPECT_GT(tightest, 0.05);  // the two terms together are far from sharp
}

// With the same edges, 0 stays an eigenvalue as often, and C2 = t exp(-t (lambda_2 - |W|)): C is bounded in time.
TEST(HeatKernelStability, GraphsWithTheSameEdgesStayCloseForLongTimes) {
  double tightest = 0;
  int below_time = 0;
  const auto expect_bound = [&](const Graph& graph, const Graph& other, double t) {
    const StabilityConstants constants{LaplacianOracle(graph)};
    const double size = laplacian_difference(graph, other).frobenius;
    ASSERT_LT(size, constants.gap() / 2);
    const double moved = signature_difference(graph, other, t);
    ASSERT_LE(moved, constants.c(t) * size + rounding);
    if (size > 1e-6) tightest = std::max(tightest, moved / (constants.c(t) * size));
    below_time += constants.c(t) < 0.9 * t ? 1 : 0;
  };
  for (std::uint64_t item = 0; item < 600; ++item) {
    base::RandomStream random(83, item);
    const Graph graph = draw_weighted_graph(item, random);
    const StabilityConstants constants{LaplacianOracle(graph)};
    if (constants.gap() < 1e-4) continue;
    const Graph other = perturbed_within(graph, constants.gap() / 2, random);
    for (const double t : {0.1, 1.0, 10.0, 1000.0}) expect_bound(graph, other, t);
  }
  EXPECT_GT(tightest, 0.15);
  EXPECT_GT(below_time, 500);
}

// A path of four vertices whose middle edge is light has a small gap. A heavier edge at one end hardly changes
// the Laplacian, but draws heat to that end in the long run.
TEST(HeatKernelStability, LongTimesNeedTheGap) {
  const auto path = [](double weight) {
    return Graph::from_edges(4, std::vector<Edge>{{0, 1, weight}, {1, 2, 0.01}, {2, 3, 1}}, true);
  };
  const Graph graph = path(1), other = path(1.3);
  const StabilityConstants constants{LaplacianOracle(graph)};
  const double t = 1e5, size = laplacian_difference(graph, other).frobenius;
  ASSERT_TRUE(constants.simple());
  ASSERT_LT(size, constants.gap() / 2);
  const double moved = signature_difference(graph, other, t);
  EXPECT_LE(moved, constants.c(t) * size);
  EXPECT_GT(moved, constants.c(t) * size / 20);
  EXPECT_GT(moved, 5 * size);           // no constant without the gap
  EXPECT_LT(constants.c(t), 0.01 * t);  // and C does not grow with time, as C0 does
}

}  // namespace
}  // namespace perslay::filtration::testing
