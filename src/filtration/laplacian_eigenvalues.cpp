#include "dense_eigen.h"
#include "twin_quotient.h"

#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {

namespace {

void refuse_if_too_large(const data::Graph& graph, const TwinQuotient& quotient) {
  constexpr double most_bytes = 8e9;
  const double rows = static_cast<double>(quotient.class_count()), bytes = 8 * rows * rows;
  if (bytes <= most_bytes) return;
  throw base::user_error(
      fmt::format("The spectrum of a graph with {} vertices and {} edges needs a dense matrix of {:.2g} MB, "
                  "and the limit is {:g} MB.",
                  graph.vertex_count(), graph.edge_count(), bytes / 1e6, most_bytes / 1e6));
}

}  // namespace

// The spectrum of L: 1 - eig(B), 1 - nu_c with multiplicity s_c - 1 for every class of s_c twins, 0 per
// isolated vertex.
std::vector<double> laplacian_eigenvalues(const data::Graph& graph) {
  TwinQuotient quotient;
  quotient.build(graph);
  refuse_if_too_large(graph, quotient);
  DenseEigen eigen;
  eigen.decompose(quotient.reduced(), DenseEigen::Want::eigenvalues);

  std::vector<double> spectrum;
  spectrum.reserve(static_cast<std::size_t>(graph.vertex_count()));
  for (const double mu : eigen.eigenvalues()) spectrum.push_back(std::clamp(1 - mu, 0.0, 2.0));
  for (std::size_t c = 0; c < quotient.class_count(); ++c)
    spectrum.insert(spectrum.end(), static_cast<std::size_t>(quotient.sizes()[c] - 1),
                    1 - quotient.twin_eigenvalues()[c]);
  spectrum.insert(spectrum.end(), static_cast<std::size_t>(quotient.isolated_count()), 0.0);
  std::ranges::sort(spectrum);
  // 0 is an eigenvalue exactly once per component.
  std::fill_n(spectrum.begin(), data::component_count(graph), 0.0);
  return spectrum;
}

}  // namespace perslay::filtration
