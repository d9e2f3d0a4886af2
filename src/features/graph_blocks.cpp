#include "quantiles.h"
#include "return_features.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/chebyshev_diagonals.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::features {
namespace {

using data::Graph;
using Type = ItemFeature::Type;

/// The fractions of `bins` that are 0, 1, ...; the last place counts all larger ones.
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

/// Of the pairs of different vertices, ordered or not.
std::vector<double> path_length_fractions(const Graph& graph, std::size_t count,
                                          const base::Context& context) {
  std::vector<double> fractions(count);
  filtration::path_lengths(graph, fractions, context);
  const double vertices = graph.vertex_count();
  for (double& fraction : fractions) fraction /= std::max(vertices * (vertices - 1), 1.0);
  return fractions;
}

/// The trace of T_k(I - L) divided by n, k = 1 ... count.
std::vector<double> spectral_moments(const filtration::ChebyshevDiagonals& diagonals, std::size_t count) {
  std::vector<double> sizes(diagonals.class_count()), moments(count);
  for (const std::int32_t of_vertex : diagonals.class_of()) ++sizes[static_cast<std::size_t>(of_vertex)];
  const auto vertices = static_cast<double>(std::max(diagonals.class_of().size(), std::size_t{1}));
  for (std::size_t k = 1; k <= count; ++k) {
    const auto diagonal = diagonals.diagonal(k);
    moments[k - 1] = std::inner_product(sizes.begin(), sizes.end(), diagonal.begin(), 0.0) / vertices;
  }
  return moments;
}

std::vector<double> quantiles(std::span<const double> values, std::size_t count) {
  std::vector<double> sorted(values.begin(), values.end());
  std::vector<double> result(count);
  quantiles_of(sorted, result);
  return result;
}

/// A feature with what is prepared once for all graphs.
struct PreparedFeature {
  ItemFeature feature;
  std::span<const double> values{};         // deciles: of the function, on all vertices of the dataset
  std::optional<ReturnFeatures> returns{};  // returns
};

/// Numbers of one graph that several features read.
struct GraphData {
  const Graph& graph;
  std::size_t first_vertex;
  std::vector<double> eigenvalues;  // ascending
  const filtration::ChebyshevDiagonals& diagonals;
};

std::span<const double> values_of(const filtration::Filtration& function,
                                  std::span<const GivenFunction> functions) {
  const auto found = std::ranges::find(functions, function.name, &GivenFunction::name);
  if (found == functions.end())
    throw base::internal_error(fmt::format("The values of {} are not given.", function.name));
  return found->values;
}

std::vector<double> numbers_of(const PreparedFeature& prepared, const GraphData& data,
                               const base::Context& context) {
  const auto& [feature, values, returns] = prepared;
  switch (feature.type) {
    case Type::eigenvalues:
      return {data.eigenvalues.rbegin(), data.eigenvalues.rend()};
    case Type::spectrum:
      return quantiles(data.eigenvalues, feature.count);
    case Type::spectrum_histogram:
      return spectrum_histogram(data.eigenvalues, feature.count);
    case Type::deciles:
      return quantiles(values.subspan(data.first_vertex, static_cast<std::size_t>(data.graph.vertex_count())),
                       feature.count);
    case Type::degree_histogram:
      return degree_histogram(data.graph, feature.count);
    case Type::path_lengths:
      return path_length_fractions(data.graph, feature.count, context);
    case Type::moments:
      return spectral_moments(data.diagonals, feature.count);
    case Type::returns:
      return returns->mean(data.graph, data.diagonals);
    case Type::size:
      return sizes(data.graph, context);
    default:
      break;
  }
  throw base::internal_error(
      fmt::format("{} is keyed or computed from diagrams, and blocks of graphs are neither.", feature.name));
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
                                       std::span<const ItemFeature> features,
                                       std::span<const GivenFunction> functions,
                                       const base::Context& context) {
  std::vector<PreparedFeature> prepared;
  bool spectral = false;
  std::size_t degree = 0;  // of the Chebyshev polynomials that are read
  for (const auto& feature : features) {
    auto& added = prepared.emplace_back(PreparedFeature{feature});
    const Type type = feature.type;
    if (type == Type::deciles) added.values = values_of(feature.function, functions);
    if (type == Type::returns) added.returns.emplace(feature.count, feature.sigma);
    if (type == Type::returns) degree = std::max(degree, ReturnFeatures::degree);
    if (type == Type::moments) degree = std::max(degree, feature.count);
    spectral =
        spectral || type == Type::eigenvalues || type == Type::spectrum || type == Type::spectrum_histogram;
  }

  std::vector<std::vector<std::vector<double>>> numbers(dataset.size());
  base::Context inside = context;
  inside.progress = nullptr;
  base::parallel_for(
      context, "features of graphs", dataset.size(), [] { return filtration::ChebyshevDiagonals(); },
      [&](std::size_t g, filtration::ChebyshevDiagonals& diagonals) {
        const Graph& graph = dataset.graphs[g];
        if (degree > 0) diagonals.compute(graph, degree, inside);
        const GraphData data{graph, static_cast<std::size_t>(dataset.vertex_offsets[g]),
                             spectral ? filtration::laplacian_eigenvalues(graph) : std::vector<double>{},
                             diagonals};
        for (const auto& feature : prepared) numbers[g].push_back(numbers_of(feature, data, inside));
      });

  std::vector<FeatureBlock> blocks;
  for (std::size_t f = 0; f < features.size(); ++f) blocks.push_back(pack(features[f], numbers, f));
  return blocks;
}

}  // namespace perslay::features
