#include <cstdio>
#include <vector>

#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/persistence/extended_persistence.h>

// The README's library example: a triangle with a tail has one loop, wherever it is looked at from.
int main() {
  using namespace perslay;
  const std::vector<data::Edge> edges{{0, 1}, {1, 2}, {2, 0}, {2, 3}};
  const data::Graph graph = data::Graph::from_edges(4, edges);
  const std::vector<double> hks = filtration::heat_kernel_signature(graph, std::vector{10.0});
  const auto diagrams = persistence::extended_persistence(graph, hks);
  std::printf("%zu component, %zu loop\n", diagrams.ext0.size(), diagrams.ext1.size());
  return diagrams.ext0.size() == 1 && diagrams.ext1.size() == 1 ? 0 : 1;
}
