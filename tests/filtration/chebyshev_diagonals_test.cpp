#include "filtration/graphs.h"
#include "sentence.h"

#include <atomic>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/filtration/chebyshev_diagonals.h>

namespace perslay::filtration {
namespace {

using namespace testing;
using Dense = std::vector<std::vector<long double>>;

/// I - L as its definition has it.
Dense walk_matrix(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  Dense matrix(n, std::vector<long double>(n, 0));
  std::vector<long double> degrees(n, 0);
  for (Vertex v = 0; v < graph.vertex_count(); ++v)
    for (std::size_t i = 0; i < graph.neighbours(v).size(); ++i) {
      const long double weight = graph.weighted() ? graph.weights(v)[i] : 1;
      matrix[static_cast<std::size_t>(v)][static_cast<std::size_t>(graph.neighbours(v)[i])] = weight;
      degrees[static_cast<std::size_t>(v)] += weight;
    }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b)
      if (matrix[a][b] != 0) matrix[a][b] /= std::sqrt(degrees[a]) * std::sqrt(degrees[b]);
    if (degrees[a] == 0) matrix[a][a] = 1;
  }
  return matrix;
}

/// 2 a b - c.
Dense next_polynomial(const Dense& a, const Dense& b, const Dense& c) {
  Dense result = c;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) {
      long double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[i][k] * b[k][j];
      result[i][j] = 2 * sum - c[i][j];
    }
  return result;
}

void expect_diagonals(const Graph& graph, const ChebyshevDiagonals& found, std::size_t degree,
                      const std::string& name) {
  const Dense matrix = walk_matrix(graph);
  Dense before = matrix, current = matrix;
  for (std::size_t v = 0; v < matrix.size(); ++v) {
    before[v].assign(matrix.size(), 0);
    before[v][v] = 1;
  }
  ASSERT_EQ(found.class_of().size(), matrix.size()) << name;
  for (std::size_t k = 0; k <= degree; ++k) {
    ASSERT_EQ(found.diagonal(k).size(), found.class_count());
    for (std::size_t v = 0; v < matrix.size(); ++v) {
      const auto of_class = static_cast<std::size_t>(found.class_of()[v]);
      EXPECT_NEAR(found.diagonal(k)[of_class], static_cast<double>(before[v][v]), 1e-12)
          << name << ", degree " << k << ", vertex " << v;
    }
    Dense next = next_polynomial(matrix, current, before);
    before = std::move(current);
    current = std::move(next);
  }
}

TEST(ChebyshevDiagonals, AreThoseOfTheRecursionOnDenseMatrices) {
  ChebyshevDiagonals diagonals;
  for (const auto& [name, graph] : small_graphs())
    for (const std::size_t degree : {0U, 1U, 16U, 23U}) {
      diagonals.compute(graph, degree);
      expect_diagonals(graph, diagonals, degree, name);
    }
}

TEST(ChebyshevDiagonals, OfDenseGraphsComeFromEigenvectors) {
  base::RandomStream random(2);
  const Graph graph = data::random_graph(40, 0.9, random);
  ChebyshevDiagonals diagonals;
  diagonals.compute(graph, 200);  // so high that an eigendecomposition is cheaper
  expect_diagonals(graph, diagonals, 200, "dense");
}

TEST(ChebyshevDiagonals, OfLargeGraphsAreRefused) {
  base::RandomStream random(4);
  const Graph graph = data::preferential_attachment_graph(400000, 4, random);
  const auto sentence = test::sentence_of([&] { ChebyshevDiagonals().compute(graph, 48); });
  EXPECT_TRUE(sentence.starts_with("The walks on a graph with 400000 vertices and ")) << sentence;
}

TEST(ChebyshevDiagonals, StopWhenCancelled) {
  const std::atomic<bool> cancel = true;
  base::Context context;
  context.cancel = &cancel;
  EXPECT_THROW(ChebyshevDiagonals().compute(data::path_graph(50), 16, context), base::Error);
}

}  // namespace
}  // namespace perslay::filtration
