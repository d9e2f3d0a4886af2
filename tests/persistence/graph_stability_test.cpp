#include "filtration/perturbations.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include <perslay/diagram/distance.h>
#include <perslay/persistence/extended_persistence.h>

// Theorem 2.2 of the paper, with its constant: how far the diagrams of the heat kernel signature move when the
// weights of a graph do. docs/theorems.md derives the constant.
namespace perslay::persistence {
namespace {

using data::Graph;
using diagram::Point;
using filtration::testing::laplacian_difference;
using filtration::testing::LaplacianOracle;
using filtration::testing::StabilityConstants;

/// The four diagrams of the signature, and all their points together.
std::array<std::vector<Point>, 5> diagrams_of(const Graph& graph, double t) {
  const auto diagrams = extended_persistence(graph, filtration::testing::signature(graph, t));
  std::array<std::vector<Point>, 5> points;
  for (std::size_t k = 0; k < diagram::extended_kinds.size(); ++k) {
    points[k] = diagrams[diagram::extended_kinds[k]].points;
    points.back().insert(points.back().end(), points[k].begin(), points[k].end());
  }
  return points;
}

TEST(GraphStability, DiagramsMoveAtMostCTimesTheLaplacian) {
  std::array<double, 5> largest{};
  std::array<int, 5> positive{};
  int simple = 0, repeated = 0;
  for (std::uint64_t item = 0; item < 600; ++item) {
    base::RandomStream random(91, item);
    const Graph graph = filtration::testing::draw_weighted_graph(item, random);
    const StabilityConstants constants{LaplacianOracle(graph)};
    if (constants.gap() < 1e-4) continue;
    const Graph other = filtration::testing::perturbed_within(graph, constants.gap() / 2, random);
    const double size = laplacian_difference(graph, other).frobenius;
    if (size < 1e-6) continue;
    (constants.simple() ? simple : repeated)++;
    for (const double t : {0.1, 1.0, 10.0, 1000.0}) {
      const auto before = diagrams_of(graph, t), after = diagrams_of(other, t);
      const double bound = constants.c(t) * size;
      for (std::size_t k = 0; k < before.size(); ++k) {
        const double moved = diagram::distance(before[k], after[k], {}).value;
        ASSERT_LE(moved, bound + 1e-12) << "diagram " << k << ", item " << item << ", t " << t;
        largest[k] = std::max(largest[k], moved / bound);
        positive[k] += moved > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(simple, 150);
  EXPECT_GT(repeated, 150);
  for (std::size_t k = 0; k < largest.size(); ++k) {
    EXPECT_GT(positive[k], 800) << "diagram " << k;
    EXPECT_GT(largest[k], 0.1) << "diagram " << k;  // the constant is at most ten times too large
  }
}

// The theorem needs graphs with the same edges. A new edge of a small weight closes a loop: the Laplacian hardly
// changes, the diagram of loops gains a point far from the diagonal.
TEST(GraphStability, ANewEdgeMovesDiagramsHoweverLightItIs) {
  const double t = 10;
  const auto ring = [](double weight) {
    std::vector<data::Edge> edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    if (weight > 0) edges.push_back({0, 4, weight});
    return Graph::from_edges(5, edges, true);
  };
  double last = 1;
  for (const double weight : {1e-3, 1e-6, 1e-9}) {
    const double size = laplacian_difference(ring(0), ring(weight)).frobenius;
    ASSERT_LT(size, last / 10);
    last = size;
    const auto before = diagrams_of(ring(0), t), after = diagrams_of(ring(weight), t);
    EXPECT_LE(filtration::testing::signature_difference(ring(0), ring(weight), t), t * size);
    const std::size_t loops = 3;
    EXPECT_TRUE(before[loops].empty());
    EXPECT_GT(diagram::distance(before[loops], after[loops], {}).value, 0.05);
  }
}

}  // namespace
}  // namespace perslay::persistence
