#include "snap.h"
#include "vertex_places.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {

using data::Graph;
using data::Vertex;

void pagerank(const Graph& graph, double damping, std::span<double> values, const base::Context& context) {
  check_size(graph, values);
  if (values.empty()) return;
  constexpr double error = 1e-12;
  const auto n = static_cast<double>(values.size());
  std::ranges::fill(values, 1 / n);
  std::vector<double> shares(values.size());
  // Each step multiplies the error, which is at most 2 in the beginning, by the damping.
  const auto steps = static_cast<std::size_t>(std::ceil(std::log(error / 2) / std::log(damping)));
  double change = damping == 0 ? 0 : 1;
  for (std::size_t step = 0; step < steps && change * damping > error * (1 - damping); ++step) {
    context.stop_if_cancelled();
    double stranded = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      const double degree = graph.degree(static_cast<Vertex>(v));
      if (degree == 0) stranded += values[v];
      shares[v] = degree == 0 ? 0 : values[v] / degree;
    }
    change = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      double arriving = stranded / n;
      for (const Vertex u : graph.neighbours(static_cast<Vertex>(v))) arriving += shares[index(u)];
      const double value = damping * arriving + (1 - damping) / n;
      change += std::abs(value - values[v]);
      values[v] = value;
    }
  }
  Snap()(values, Snap::Gap::relative);
}

}  // namespace perslay::filtration
