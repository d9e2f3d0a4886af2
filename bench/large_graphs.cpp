// Extended persistence of graphs with 10^4, 10^5 and 10^6 vertices and five edges per vertex: processor time,
// climb steps, memory, and how the time grows with the number of edges.
//
//   bench_large_graphs [LARGEST_VERTEX_COUNT]
#include "persistence/counting_allocator.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <perslay/data/generators.h>
#include <perslay/persistence/extended_persistence.h>

namespace {

using namespace perslay;
using data::Graph;
using data::Vertex;
using Values = std::vector<double>;

/// A square grid in which every vertex is joined to five vertices after it.
Graph grid_with_diagonals(Vertex vertices) {
  const auto side = static_cast<Vertex>(std::lround(std::sqrt(vertices)));
  std::vector<data::Edge> edges;
  const auto join = [&](Vertex row, Vertex column, Vertex down, Vertex right) {
    if (row + down < side && column + right >= 0 && column + right < side)
      edges.push_back({row * side + column, (row + down) * side + column + right});
  };
  for (Vertex row = 0; row < side; ++row)
    for (Vertex column = 0; column < side; ++column)
      for (const auto& [down, right] : {std::pair{0, 1}, {1, -1}, {1, 0}, {1, 1}, {2, 1}})
        join(row, column, down, right);
  return Graph::from_edges(side * side, edges);
}

Graph preferential_attachment(Vertex vertices) {
  base::RandomStream random(1);
  return data::preferential_attachment_graph(vertices, 5, random);
}

Values random_values(const Graph& graph) {
  base::RandomStream random(2);
  Values values(static_cast<std::size_t>(graph.vertex_count()));
  for (double& value : values) value = random.uniform();
  return values;
}

Values degrees(const Graph& graph) {
  Values values(static_cast<std::size_t>(graph.vertex_count()));
  for (Vertex v = 0; v < graph.vertex_count(); ++v) values[static_cast<std::size_t>(v)] = graph.degree(v);
  return values;
}

struct Measurement {
  double edges;
  double seconds;
};

/// The best of three first computations, each with a new object: what one large graph costs.
Measurement measure(const std::string& name, const std::function<Graph(Vertex)>& make_graph,
                    const std::function<Values(const Graph&)>& make_values, Vertex vertices) {
  const std::int64_t before_graph = test::live_bytes();
  const Graph graph = make_graph(vertices);
  const std::int64_t graph_bytes = test::live_bytes() - before_graph;
  const Values values = make_values(graph);
  const std::int64_t before_work = test::live_bytes();
  test::reset_peak();

  double seconds = INFINITY;
  std::uint64_t steps = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const std::clock_t start = std::clock();
    persistence::ExtendedPersistence persistence;
    persistence.compute(graph, values);
    seconds = std::min(seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    steps = persistence.climb_steps();
  }

  const auto edges = static_cast<double>(graph.edge_count());
  const auto bytes = static_cast<double>(graph_bytes + test::peak_bytes() - before_work);
  fmt::print("{:<40} {:>9} {:>9} {:>9.4f} {:>8.1f} {:>11.2f} {:>7.1f} {:>11.1f}\n", name,
             graph.vertex_count(), graph.edge_count(), seconds, 1e9 * seconds / edges,
             static_cast<double>(steps) / edges, std::log2(static_cast<double>(graph.vertex_count())),
             bytes / edges);
  return {edges, seconds};
}

void measure_growth(const std::string& name, const std::function<Graph(Vertex)>& make_graph,
                    const std::function<Values(const Graph&)>& make_values, Vertex largest) {
  std::vector<Measurement> results;
  for (Vertex n = 10'000; n <= largest; n *= 10) results.push_back(measure(name, make_graph, make_values, n));
  if (results.size() < 2) return;
  const double growth = std::log(results.back().seconds / results.front().seconds);
  fmt::print("{:<40} time grows as m^{:.2f}\n", "",
             growth / std::log(results.back().edges / results.front().edges));
}

}  // namespace

int main(int argc, char** argv) {
  const auto largest = static_cast<Vertex>(argc > 1 ? std::atoi(argv[1]) : 1'000'000);
  fmt::print("{:<40} {:>9} {:>9} {:>9} {:>8} {:>11} {:>7} {:>11}\n", "graph, function", "vertices", "edges",
             "cpu s", "ns/edge", "steps/edge", "log2 n", "bytes/edge");
  measure_growth("preferential attachment, random values", preferential_attachment, random_values, largest);
  measure_growth("preferential attachment, degree", preferential_attachment, degrees, largest);
  measure_growth("grid with diagonals, random values", grid_with_diagonals, random_values, largest);
  measure_growth("grid with diagonals, degree", grid_with_diagonals, degrees, largest);
}
