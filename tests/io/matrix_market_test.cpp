#include "graph_parsing.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

/// Written by SciPy 1.17 (scipy.io.mmwrite).
constexpr auto by_scipy = "%%MatrixMarket matrix coordinate real symmetric\n%\n4 4 2\n2 1 5E-1\n3 2 2\n";

io::ParsedGraph read(const std::string& content) { return only_graph(io::parse_matrix_market, content); }

TEST(MatrixMarket, AsScipyWritesIt) {
  const auto graph = read(by_scipy);
  EXPECT_EQ(graph.vertices, 4);
  EXPECT_EQ(arcs_of(graph), (Arcs{{1, 0}, {2, 1}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(graph.lines, (std::vector<std::int64_t>{4, 5}));
  EXPECT_TRUE(graph.names.empty());
}

TEST(MatrixMarket, PatternsAndOnesHaveNoWeights) {
  const Arcs arcs{{0, 1}, {1, 0}, {2, 2}};
  for (const std::string text :
       {"%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n3 3\n",
        "%%MATRIXMARKET Matrix Coordinate Integer General \r\n3 3 3\r\n1 2 1\r\n2 1 1\r\n3 3 1\r\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1.0\n2 1 1e0\n3 3 1"}) {
    const auto graph = read(text);
    EXPECT_EQ(arcs_of(graph), arcs) << text;
    EXPECT_TRUE(graph.weights.empty()) << text;
    EXPECT_TRUE(graph.lines.empty()) << text;
  }
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n0 0 0\n").vertices, 0);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 1\n").arcs.size(), 2U);
}

TEST(MatrixMarket, IsRecognised) {
  EXPECT_TRUE(io::recognises_matrix_market(by_scipy));
  EXPECT_FALSE(io::recognises_matrix_market("% MatrixMarket"));
  EXPECT_FALSE(io::recognises_matrix_market(""));
}

TEST(MatrixMarket, WhatIsRefused) {
  const auto kind = [](const std::string& words) { return "%%MatrixMarket " + words + "\n2 2 1\n2 1 1\n"; };
  const auto general = [](const std::string& lines) {
    return "%%MatrixMarket matrix coordinate real general\n" + lines;
  };
  expect_refusals(
      io::parse_matrix_market,
      {{"2 2 1\n", ":1: A MatrixMarket file begins with '%%MatrixMarket'."},
       {kind("matrix array real general"),
        ":1: The matrix is called 'matrix array'; 'matrix coordinate', a list of entries, is expected."},
       {kind("vector coordinate real general"),
        ":1: The matrix is called 'vector coordinate'; 'matrix coordinate', a list of entries, is expected."},
       {kind("matrix coordinate complex general"),
        ":1: The matrix is called 'complex'; 'pattern', 'real' or 'integer' is expected."},
       {kind("matrix coordinate real skew-symmetric"),
        ":1: The matrix is called 'skew-symmetric'; 'general' or 'symmetric' is expected."},
       {kind("matrix coordinate real hermitian"),
        ":1: The matrix is called 'hermitian'; 'general' or 'symmetric' is expected."},
       {kind("matrix coordinate real"), ":1: The matrix is called ''; 'general' or 'symmetric' is expected."},
       {general("% nothing\n"), ":1: The line 'rows columns entries' is missing."},
       {general("2 2\n"), ":2: A number is missing."},
       {general("2 2 1 1\n"), ":2: '1' stands where the line should end."},
       {general("-2 -2 0\n"), ":2: -2 -2 0 is no size of a matrix."},
       {general("2 3 0\n"), ":2: The matrix has 2 rows and 3 columns; the matrix of a graph is square."},
       {general("3000000 3000000 0\n"),
        ":2: 3000000 rows are too many for a file of 64 bytes: most vertices would have no edges."},
       {general("2 2 1\n"), ":2: The file ends after 0 entries, but the size line says 1."},
       {general("2 2 1\n1 2 3\n\n2 2 3\n"), ":5: The line is entry 2, but the size line says 1."},
       {general("2 2 1\n0 1 3\n"), ":3: Entry (0, 1) is out of range: rows and columns are 1 to 2."},
       {general("2 2 1\n1 3 3\n"), ":3: Entry (1, 3) is out of range: rows and columns are 1 to 2."},
       {general("2 2 1\n1 2\n"), ":3: A number is missing."},
       {general("2 2 1\n1 2 0\n"), ":3: Entry (1, 2) is 0; weights of edges are positive and finite."},
       {general("2 2 1\n1 2 -1\n"), ":3: Entry (1, 2) is -1; weights of edges are positive and finite."},
       {general("2 2 2\n1 2 1\n1 2 1\n"),
        ":4: Entry (1, 2) is given twice; it could be the sum of both, or one of them."},
       {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n1 2\n",
        ":3: Entry (1, 2) is above the diagonal, but the matrix is symmetric."},
       {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 5\n",
        ":3: '5' stands where the line should end."}});
}

}  // namespace
}  // namespace perslay::test
