#include "filtration/graphs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {
namespace {

using namespace testing;

double cycle_heat_kernel(Vertex n, double t) {
  double sum = 0;
  for (Vertex k = 0; k < n; ++k) sum += std::exp(-t * (1 - std::cos(2 * std::numbers::pi * k / n)));
  return sum / n;
}

Graph torus_graph(Vertex side) {
  std::vector<Edge> edges;
  for (Vertex row = 0; row < side; ++row)
    for (Vertex column = 0; column < side; ++column) {
      edges.push_back({row * side + column, row * side + (column + 1) % side});
      edges.push_back({row * side + column, (row + 1) % side * side + column});
    }
  return Graph::from_edges(side * side, edges);
}

TEST(LargeHeatKernelSignature, LongCyclesFollowTheirClosedForm) {
  const std::vector<double> times{0.1, 10};
  const Vertex n = 100'000;
  const auto values = heat_kernel_signature(data::cycle_graph(n), times, {.snap = false});
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double expected = cycle_heat_kernel(n, times[i]);
    for (Vertex v = 0; v < n; ++v)
      ASSERT_NEAR(values[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(v)], expected, 1e-13);
  }
}

// On the product of two cycles, half the heat flows along each.
TEST(LargeHeatKernelSignature, TorusIsAProductOfCycles) {
  const Vertex side = 120;
  for (const double t : {0.1, 10.0}) {
    const double cycle = cycle_heat_kernel(side, t / 2);
    const auto values = heat_kernel_signature(torus_graph(side), std::vector{t}, {.snap = false});
    for (const double value : values) ASSERT_NEAR(value, cycle * cycle, 1e-13);
  }
}

TEST(LargeHeatKernelSignature, BallsGiveTheSameValuesAsTheWholeGraph) {
  base::RandomStream random(41);
  std::vector<Edge> edges;  // vertices of a square, joined where they are close
  std::vector<std::pair<double, double>> points(1500);
  for (auto& [x, y] : points) x = random.uniform(), y = random.uniform();
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (std::hypot(points[a].first - points[b].first, points[a].second - points[b].second) < 0.04)
        edges.push_back({static_cast<Vertex>(a), static_cast<Vertex>(b)});
  const Graph graph = Graph::from_edges(1500, edges);
  const std::vector<double> times{0.1, 10};
  const auto whole =
      heat_kernel_signature(graph, times, {.snap = false, .method = HeatKernelMethod::chebyshev});
  for (const auto method : {HeatKernelMethod::local_chebyshev, HeatKernelMethod::automatic}) {
    const auto values = heat_kernel_signature(graph, times, {.snap = false, .method = method});
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], whole[i], 1e-14);
  }
}

TEST(LargeHeatKernelSignature, RefusesGraphsWhoseBallsAreEverything) {
  base::RandomStream random(43);
  const Graph graph = data::preferential_attachment_graph(300'000, 5, random);
  try {
    (void)heat_kernel_signature(graph, std::vector<double>{10});
    ADD_FAILURE() << "not refused";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    EXPECT_NE(std::string(error.what()).find("300000 vertices"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace perslay::filtration
