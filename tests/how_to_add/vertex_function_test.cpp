// The example of docs/how-to-add.md: a vertex function.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/data/generators.h>
#include <perslay/filtration/filtration.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

/// values[v] = the largest degree among v's neighbours; 0 for isolated vertices. O(n + m).
void neighbour_degree(const data::Graph& graph, std::span<double> values, const base::Context& context) {
  for (data::Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (v % 4096 == 0) context.stop_if_cancelled();
    std::size_t largest = 0;
    for (const data::Vertex x : graph.neighbours(v)) largest = std::max(largest, graph.neighbours(x).size());
    values[static_cast<std::size_t>(v)] = static_cast<double>(largest);
  }
}

constexpr VertexFunction entry{"neighbour-degree", "Largest degree among the neighbours.", neighbour_degree};

TEST(HowToAddAVertexFunction, TheExampleComputesValues) {
  std::vector<double> values(4);
  entry.compute(data::path_graph(4), values, {});
  EXPECT_EQ(values, (std::vector<double>{2, 2, 2, 2}));
  EXPECT_FALSE(filtrations().knows(entry.name)) << "the example is no longer an example";
}

}  // namespace
}  // namespace perslay::filtration
