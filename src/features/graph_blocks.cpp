#include "quantiles.h"

#include <algorithm>
#include <numeric>

#include <perslay/base/parallel.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::features {
namespace {

using data::Graph;
using Type = ItemFeature::Type;

bool reads_spectrum(const ItemFeature& feature) {
  return feature.type == Type::eigenvalues || feature.type == Type::spectrum ||
         feature.type == Type::spectrum_histogram;
}

/// Which fraction of `bins` is 0, 1, ...; the last place takes what lies beyond.
std::vector<double> fractions_of(std::span<const std::size_t> bins, std::size_t count) {
  std::vector<double> fractions(count);
  for (const std::size_t bin : bins) ++fractions[std::min(bin, count - 1)];
  for (double& fraction : fractions) fraction /= static_cast<double>(std::max(bins.size(), std::size_t{1}));
  return fractions;
}

std::vector<double> spectrum_histogram(std::span<const double> eigenvalues, std::size_t count) {
  std::vector<std::size_t> bins(eigenvalues.size());
  std::ranges::transform(eigenvalues, bins.begin(), [&](double value) {
    return static_cast<std::size_t>(value / 2 * static_cast<double>(count));
  });
  return fractions_of(bins, count);
}

std::vector<double> degree_histogram(const Graph& graph, std::size_t count) {
  std::vector<std::size_t> degrees(static_cast<std::size_t>(graph.vertex_count()));
  for (std::size_t v = 0; v < degrees.size(); ++v)
    degrees[v] = static_cast<std::size_t>(graph.degree(static_cast<data::Vertex>(v)));
  return fractions_of(degrees, count);
}

/// Vertices, edges, components, independent cycles, triangles, density.
std::vector<double> sizes(const Graph& graph, const base::Context& context) {
  std::vector<double> corners(static_cast<std::size_t>(graph.vertex_count()));
  filtration::triangles(graph, corners, context);
  const double vertices = graph.vertex_count();
  const auto edges = static_cast<double>(graph.edge_count());
  return {vertices,
          edges,
          static_cast<double>(data::component_count(graph)),
          static_cast<double>(data::cycle_rank(graph)),
          std::accumulate(corners.begin(), corners.end(), 0.0) / 3,
          vertices < 2 ? 0 : 2 * edges / (vertices * (vertices - 1))};
}

std::vector<double> quantiles(std::span<const double> values, std::size_t count) {
  std::vector<double> sorted(values.begin(), values.end());
  std::vector<double> result(count);
  quantiles_of(sorted, result);
  return result;
}

/// Of one graph; `eigenvalues` ascending, if they are read, and `values` those of the vertex function.
std::vector<double> numbers_of(const ItemFeature& feature, const Graph& graph,
                               std::span<const double> eigenvalues, std::span<const double> values,
                               const base::Context& context) {
  switch (feature.type) {
    case Type::eigenvalues:
      return {eigenvalues.rbegin(), eigenvalues.rend()};
    case Type::spectrum:
      return quantiles(eigenvalues, feature.count);
    case Type::spectrum_histogram:
      return spectrum_histogram(eigenvalues, feature.count);
    case Type::deciles:
      return quantiles(values, feature.count);
    case Type::degree_histogram:
      return degree_histogram(graph, feature.count);
    default:
      return sizes(graph, context);
  }
}

FeatureBlock pack(const ItemFeature& feature, std::span<std::vector<std::vector<double>>> numbers,
                  std::size_t place) {
  FeatureBlock block;
  block.name = feature.name;
  for (auto& of_graph : numbers) {
    for (const double number : of_graph[place]) block.values.push_back(static_cast<float>(number));
    block.offsets.push_back(static_cast<std::int64_t>(block.values.size()));
  }
  return block;
}

}  // namespace

std::vector<FeatureBlock> graph_blocks(const data::GraphDataset& dataset,
                                       std::span<const ItemFeature> features, const base::Context& context) {
  std::vector<filtration::Filtration> functions;
  std::vector<std::size_t> function_of(features.size());
  for (std::size_t f = 0; f < features.size(); ++f) {
    function_of[f] = functions.size();
    if (features[f].type == Type::deciles) functions.push_back(features[f].function);
  }
  const auto values = vertex_values(dataset, functions, context);
  const bool spectral = std::ranges::any_of(features, reads_spectrum);

  std::vector<std::vector<std::vector<double>>> numbers(dataset.size());
  base::Context inside = context;
  inside.progress = nullptr;
  base::parallel_for(context, "features of graphs", dataset.size(), [&](std::size_t g) {
    const Graph& graph = dataset.graphs[g];
    const auto eigenvalues = spectral ? filtration::laplacian_eigenvalues(graph) : std::vector<double>{};
    for (std::size_t f = 0; f < features.size(); ++f) {
      std::span<const double> of_graph;
      if (features[f].type == Type::deciles)
        of_graph = std::span(values[function_of[f]])
                       .subspan(static_cast<std::size_t>(dataset.vertex_offsets[g]),
                                static_cast<std::size_t>(graph.vertex_count()));
      numbers[g].push_back(numbers_of(features[f], graph, eigenvalues, of_graph, inside));
    }
  });

  std::vector<FeatureBlock> blocks;
  for (std::size_t f = 0; f < features.size(); ++f) blocks.push_back(pack(features[f], numbers, f));
  return blocks;
}

}  // namespace perslay::features
