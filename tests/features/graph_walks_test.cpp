#include "filtration/graphs.h"
#include "random_fourier.h"

#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/features/diagram_numbers.h>
#include <perslay/features/item_features.h>
#include <perslay/features/load_items.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::features {
namespace {

using namespace filtration::testing;
using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::Kind;
using diagram::Point;

data::GraphDataset all_graphs() {
  data::GraphDataset dataset;
  for (const auto& [name, graph] : small_graphs()) {
    dataset.graphs.push_back(graph);
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  }
  return dataset;
}

FeatureBlock block_of(const data::GraphDataset& dataset, const std::string& name, int threads = 1) {
  base::Context context;
  context.threads = threads;
  return make_items(dataset, {.features = {name}, .keep_diagrams = false}, context).blocks.front();
}

std::vector<double> row_of(const FeatureBlock& block, std::size_t item) {
  return {block.values.begin() + block.offsets[item], block.values.begin() + block.offsets[item + 1]};
}

/// The probabilities that walks are back, by powers of the matrix of their steps; those that cannot leave
/// stay.
std::vector<std::vector<double>> return_probabilities(const Graph& graph, std::size_t steps) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::vector<double>> step(n, std::vector<double>(n, 0)), back(n);
  for (std::size_t v = 0; v < n; ++v) {
    const auto vertex = static_cast<Vertex>(v);
    const auto neighbours = graph.neighbours(vertex);
    double total = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      total += graph.weighted() ? graph.weights(vertex)[i] : 1;
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      step[v][static_cast<std::size_t>(neighbours[i])] =
          (graph.weighted() ? graph.weights(vertex)[i] : 1) / total;
    if (neighbours.empty()) step[v][v] = 1;
  }
  auto power = step;
  for (std::size_t s = 2; s <= steps; ++s) {
    auto next = step;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        next[a][b] = 0;
        for (std::size_t c = 0; c < n; ++c) next[a][b] += power[a][c] * step[c][b];
      }
    power = std::move(next);
    for (std::size_t v = 0; v < n; ++v) back[v].push_back(power[v][v]);
  }
  return back;
}

TEST(PathLengths, AreFractionsOfAllPairs) {
  const auto dataset = all_graphs();
  const auto block = block_of(dataset, "path-lengths:4");
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const double n = dataset.graphs[g].vertex_count();
    const auto row = row_of(block, g);
    ASSERT_EQ(row.size(), 4U);
    const double pairs = n * (n - 1) / 2;
    EXPECT_NEAR(row[0], pairs == 0 ? 0 : static_cast<double>(dataset.graphs[g].edge_count()) / pairs, 1e-6);
    const bool connected = data::component_count(dataset.graphs[g]) == 1 && n > 1;
    EXPECT_EQ(connected, n > 1 && std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) < 1e-6);
  }
  data::GraphDataset path;
  path.graphs = {data::path_graph(7)};
  path.vertex_offsets.push_back(7);
  const auto row = row_of(block_of(path, "path-lengths:4"), 0);  // 6, 5, 4 and 3 + 2 + 1 of 21 pairs
  const std::vector<double> pairs{6, 5, 4, 6};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(row[i], pairs[i] / 21, 1e-7);
}

TEST(Moments, AreMeansOverTheSpectrum) {
  const auto dataset = all_graphs();
  const auto block = block_of(dataset, "moments:48");
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const auto eigenvalues = filtration::laplacian_eigenvalues(dataset.graphs[g]);
    const auto row = row_of(block, g);
    ASSERT_EQ(row.size(), 48U);
    for (std::size_t k = 1; k <= 48; ++k) {
      double mean = 0;
      for (const double eigenvalue : eigenvalues)
        mean += std::cos(static_cast<double>(k) * std::acos(1 - eigenvalue)) /
                static_cast<double>(eigenvalues.size());
      EXPECT_NEAR(row[k - 1], mean, 1e-6) << g << " " << k;
    }
  }
}

TEST(Returns, AreMeansOverVerticesOfFourierFeatures) {
  const auto dataset = all_graphs();
  const auto block = block_of(dataset, "returns:32@0.5");
  const RandomFourier fourier(16, 32, 0.5);
  for (std::size_t g = 0; g < dataset.size(); ++g) {
    const auto probabilities = return_probabilities(dataset.graphs[g], 16);
    std::vector<double> mean(32), of_vertex(32);
    for (std::size_t v = 0; v < probabilities.size(); ++v) {
      auto point = probabilities[v];
      point.push_back(std::log(1.0 + dataset.graphs[g].degree(static_cast<Vertex>(v))));
      fourier.sum(point, std::vector{1.0}, of_vertex);
      for (std::size_t c = 0; c < 32; ++c)
        mean[c] += of_vertex[c] / static_cast<double>(probabilities.size());
    }
    const auto row = row_of(block, g);
    for (std::size_t c = 0; c < 32; ++c) EXPECT_NEAR(row[c], mean[c], 1e-6) << g << " " << c;
  }
}

TEST(GraphWalks, DoNotDependOnTheOrderOfVertices) {
  const auto dataset = all_graphs();
  auto other = dataset;
  base::RandomStream random(6);
  for (auto& graph : other.graphs) graph = relabel(graph, random_permutation(graph.vertex_count(), random));
  for (const std::string name : {"path-lengths:6", "moments:20", "returns:64@0.05", "deciles:core", "size"}) {
    const auto a = block_of(dataset, name), b = block_of(other, name);
    ASSERT_EQ(a.offsets, b.offsets);
    for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-5) << name;
  }
}

TEST(GraphWalks, TheNumberOfThreadsLeavesNoTrace) {
  const auto dataset = all_graphs();
  for (const std::string name : {"path-lengths:6", "moments:20", "returns:64@0.05", "deciles:core"})
    EXPECT_EQ(block_of(dataset, name, 1), block_of(dataset, name, 3)) << name;
}

// ---- random Fourier features

double gaussian(double x, double y, double u, double v, double sigma) {
  return std::exp(-(std::pow(x - u, 2) + std::pow(y - v, 2)) / (2 * sigma * sigma));
}

TEST(RandomFourier, HasInnerProductsNearTheGaussian) {
  constexpr std::size_t numbers = 4000;
  for (const double sigma : {0.05, 1.0}) {
    const RandomFourier fourier(2, numbers, sigma);
    base::RandomStream random(3);
    for (int trial = 0; trial < 30; ++trial) {
      const std::vector<double> a{random.uniform(-1, 1), random.uniform(-1, 1)};
      const std::vector<double> b{a[0] + 2 * sigma * random.normal(), a[1] + 2 * sigma * random.normal()};
      std::vector<double> of_a(numbers), of_b(numbers);
      fourier.sum(a, std::vector{1.0}, of_a);
      fourier.sum(b, std::vector{1.0}, of_b);
      const double product = std::inner_product(of_a.begin(), of_a.end(), of_b.begin(), 0.0);
      // Cosines have a deviation of at most 1 / sqrt(2), and there are 2000: five deviations.
      EXPECT_NEAR(product, gaussian(a[0], a[1], b[0], b[1], sigma), 5 * std::sqrt(0.5 / 2000));
      EXPECT_NEAR(std::inner_product(of_a.begin(), of_a.end(), of_a.begin(), 0.0), 1, 1e-12);
    }
  }
}

TEST(RandomFourier, IsCosinesAndSinesOfSeededFrequencies) {
  constexpr double sigma = 0.02;
  for (const std::size_t numbers : {2U, 6U, 14U, 128U}) {
    const RandomFourier fourier(2, numbers, sigma);
    // Far from the origin too: the phase is then a large number of turns.
    const std::vector<double> points{0.3, 0.1, -2.5, 40, 1e4, 7}, weights{1, 2, 0.5};
    std::vector<double> found(numbers);
    fourier.sum(points, weights, found);
    for (std::size_t j = 0; j < numbers / 2; ++j) {
      base::RandomStream random(std::bit_cast<std::uint64_t>(sigma), j);
      const double x = random.normal() / sigma, y = random.normal() / sigma;
      double cosine = 0, sine = 0;
      for (std::size_t p = 0; p < 3; ++p) {
        cosine += weights[p] * std::cos(x * points[2 * p] + y * points[2 * p + 1]);
        sine += weights[p] * std::sin(x * points[2 * p] + y * points[2 * p + 1]);
      }
      const double scale = std::sqrt(2.0 / static_cast<double>(numbers));
      EXPECT_NEAR(found[j], scale * cosine, 1e-8);
      EXPECT_NEAR(found[numbers / 2 + j], scale * sine, 1e-8);
    }
  }
}

TEST(RandomFourier, OfNothingIsZero) {
  std::vector<double> found(6, -1);
  RandomFourier(2, 6, 1).sum({}, {}, found);
  EXPECT_EQ(found, std::vector<double>(6, 0));
}

TEST(Fourier, OfDiagramsSumsOverBirthAndPersistenceInUnitsOfTheFrame) {
  const std::vector<Point> points{{1, 5}, {1.8, 2}, {1.4, 1.4}};
  Items items;
  items.groups = {{"degree", Kind::ord0, DiagramBatch(points, {0, 1, 3, 3}), {}},
                  {"degree", Kind::ext1, DiagramBatch(points, {0, 0, 0, 3}), {}}};
  const RandomFourier fourier(2, 10, 0.5);
  const auto expected = [&](std::vector<double> births_and_persistences, double unit) {
    std::vector<double> numbers(10);
    for (double& number : births_and_persistences) number /= unit;
    fourier.sum(births_and_persistences, std::vector<double>(births_and_persistences.size() / 2, 1), numbers);
    return numbers;
  };
  const auto numbers_of = [&](const std::string& name, const std::vector<std::size_t>& fitted_to) {
    const auto feature = parse_item_feature(name);
    std::vector<layer::Frame> frames;
    for (const auto& group : items.groups)
      if (feature.reads(group)) frames.push_back(frame_around(group, fitted_to));
    return DiagramNumbers(feature, items.groups, frames);
  };
  const auto expect_rows = [&](const std::vector<std::size_t>& fitted_to, double first_unit,
                               double second_unit) {
    const auto of_diagrams = numbers_of("fourier:10@0.5", fitted_to);
    ASSERT_EQ(of_diagrams.width(), 20U);
    std::vector<float> matrix(3 * 20);
    of_diagrams.write(std::vector<std::size_t>{0, 1, 2}, {matrix, 20, 0});
    const auto expect_row = [&](std::size_t item, const std::vector<double>& first,
                                const std::vector<double>& second) {
      auto numbers = expected(first, first_unit);
      const auto more = expected(second, second_unit);
      numbers.insert(numbers.end(), more.begin(), more.end());
      for (std::size_t c = 0; c < 20; ++c) EXPECT_NEAR(matrix[item * 20 + c], numbers[c], 1e-6);
    };
    expect_row(0, {1, 4}, {});
    expect_row(1, {1.8, 0.2, 1.4, 0}, {});
    expect_row(2, {}, {1, 4, 1.8, 0.2, 1.4, 0});
  };
  expect_rows({0, 1, 2}, 4, 4);
  expect_rows({1}, 0.6, 1);  // without points, the unit square
  EXPECT_EQ(numbers_of("ext1/fourier:10@0.5", {0}).width(), 10U);
}

}  // namespace
}  // namespace perslay::features
