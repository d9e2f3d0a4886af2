#include "graph_files.h"
#include "temporary_folder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::test {
namespace {

using Edges = std::set<std::pair<int, int>>;

class EdgeList : public ::testing::Test {
 protected:
  [[nodiscard]] data::GraphDataset read(const std::string& content,
                                        const io::GraphReadOptions& options = {}) const {
    replace_file(file(), content);
    return io::read_graph_dataset(file(), {}, options);
  }
  [[nodiscard]] std::string error(const std::string& content,
                                  const io::GraphReadOptions& options = {}) const {
    return user_error_of([&] { (void)read(content, options); });
  }
  [[nodiscard]] std::filesystem::path file() const { return temporary_ / "roads.txt"; }

  TemporaryFolder temporary_;
};

TEST_F(EdgeList, IsOneGraphWithoutLabels) {
  const auto dataset = read("0 1\n1 2\n4 1\n");
  EXPECT_EQ(dataset.name, "roads");
  ASSERT_EQ(dataset.size(), 1U);
  EXPECT_EQ(dataset.graphs[0].vertex_count(), 5);
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {1, 2}, {1, 4}}));
  EXPECT_FALSE(dataset.graphs[0].weighted());
  EXPECT_TRUE(dataset.labels.empty());
  EXPECT_TRUE(dataset.classes.empty());
  EXPECT_EQ(dataset.vertex_offsets, (std::vector<std::int64_t>{0, 5}));
  EXPECT_TRUE(dataset.notes.empty());
}

TEST_F(EdgeList, SeparatorsCommentsAndEmptyLines) {
  const Edges expected{{0, 1}, {1, 2}, {0, 2}};
  for (const std::string content :
       {"# roads\n\n0 1\n  % more\n1\t2\n\n0 ,2", "0,1\r\n1,2\r\n0,2\r\n", "  0   1  \n1 , 2\n2 0\t\n"})
    EXPECT_EQ(edge_set(read(content).graphs[0]), expected) << content;
  expect_parts(error("0 1\n1 2 # not here\n"), {"roads.txt:2:", "'#' is not a number"});
}

TEST_F(EdgeList, SingleIdsDeclareVertices) {
  const auto dataset = read("0 1\n5\n");
  EXPECT_EQ(dataset.graphs[0].vertex_count(), 6);
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}}));
  EXPECT_EQ(read("0\n").graphs[0].vertex_count(), 1);
}

TEST_F(EdgeList, WeightsFollowTheirEdges) {
  const auto graph = read("0 1 0.5\n2 1 1e-3\n3\n1,0,0.5\n").graphs[0];
  ASSERT_TRUE(graph.weighted());
  EXPECT_EQ(graph.vertex_count(), 4);
  const auto weights = graph.weights(1);
  EXPECT_EQ(std::vector<double>(weights.begin(), weights.end()), (std::vector<double>{0.5, 1e-3}));
  EXPECT_EQ(graph.weights(0)[0], 0.5);
  EXPECT_EQ(graph.weights(2)[0], 1e-3);
}

/// Random weighted lists with repetitions against Graph::from_edges.
TEST_F(EdgeList, EqualsGraphFromEdges) {
  for (std::uint64_t round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    base::RandomStream random(1, round);
    const bool weighted = random.below(2) == 0;
    const bool both_directions = random.below(3) == 0;
    const std::uint64_t vertices = 1 + random.below(12);
    std::vector<data::Edge> edges;
    std::string text = std::to_string(vertices - 1) + "\n";
    const auto add = [&](data::Vertex a, data::Vertex b) {
      const std::string weight = std::to_string(0.1 + a * b + 0.01 * (a + b));  // the same in both directions
      edges.push_back({a, b, std::stod(weight)});
      text.append(std::to_string(a)).append(" ").append(std::to_string(b));
      if (weighted) text.append(" ").append(weight);
      text.append("\n");
    };
    for (std::uint64_t i = 1 + random.below(40); i > 0; --i) {
      const auto a = static_cast<data::Vertex>(random.below(vertices));
      const auto b = static_cast<data::Vertex>(random.below(vertices));
      add(a, b);
      if (both_directions) add(b, a);
    }
    const auto dataset = read(text);
    data::Graph::Cleaning cleaning;
    const auto expected =
        data::Graph::from_edges(static_cast<data::Vertex>(vertices), edges, weighted, &cleaning);
    const data::Graph& graph = dataset.graphs[0];
    ASSERT_EQ(graph.vertex_count(), expected.vertex_count());
    EXPECT_EQ(edge_set(graph), edge_set(expected));
    EXPECT_EQ(graph.weighted(), expected.weighted());
    for (data::Vertex v = 0; graph.weighted() && v < graph.vertex_count(); ++v)
      EXPECT_TRUE(std::ranges::equal(graph.weights(v), expected.weights(v)));
    EXPECT_EQ(dataset.cleaning.self_loops_dropped, cleaning.self_loops_dropped);
    EXPECT_EQ(dataset.cleaning.duplicate_edges_merged, cleaning.duplicate_edges_merged);
  }
}

TEST_F(EdgeList, CountingFromOne) {
  const auto dataset = read("1 2\n2 3\n", {.one_based = true});
  EXPECT_EQ(dataset.graphs[0].vertex_count(), 3);
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {1, 2}}));
  EXPECT_TRUE(dataset.notes.empty());
  expect_parts(error("1 2\n0 1\n", {.one_based = true}), {"roads.txt:2:", "Vertex 0", "numbered from 1"});
}

TEST_F(EdgeList, NotesTellWhatAPersonMayNotExpect) {
  const auto from_one = read("1 2\n2 3\n");
  EXPECT_EQ(from_one.graphs[0].vertex_count(), 4);
  ASSERT_EQ(from_one.notes.size(), 1U);
  EXPECT_NE(from_one.notes[0].find("--one-based"), std::string::npos);
  const auto directed = read("0 1\n1 0\n1 2\n");
  ASSERT_EQ(directed.notes.size(), 1U);
  EXPECT_NE(directed.notes[0].find("undirected"), std::string::npos);
}

TEST_F(EdgeList, BadLinesAreRefusedWithLineAndNumbers) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"", {"no edges and no vertices"}},
      {"# nothing\n\n", {"no edges and no vertices"}},
      {"0 1\n1 -2\n", {":2:", "Vertex -2"}},
      {"0 1\n0 b\n", {":2:", "'b' is not an integer", "need a header"}},
      {"0 1 1\n1 2\n", {":2:", "no weight", "line 1"}},
      {"0 1\n\n1 2 1\n", {":3:", "a weight", "line 1"}},
      {"0 1 0\n", {":1:", "weight 0 "}},
      {"0 1 -2.5\n", {":1:", "weight -2.5"}},
      {"0 1 nan\n", {":1:", "'nan'"}},
      {"0 1 inf\n", {":1:", "'inf'"}},
      {"0 1 1 7\n", {"4 columns and no header"}},
      {"0 1 1.5\n# x\n1 2 1\n0 1 2.5\n", {":4:", "weight 2.5", "line 1", "weight 1.5"}},
      {"0 1 1.5\n# x\n1 0 2.5\n", {":3:", "weight 2.5", "line 1", "weight 1.5"}},
      {"1 0 1.5\n1 2 3\n2 1 3\n0 1 2.5\n1 2 3\n", {":4:", "weight 2.5", "line 1", "weight 1.5"}},
      {std::string("\x7f"
                   "ELF\0\0\0",
                   7),
       {"neither an archive nor text", "byte 4 of 7"}},
      {"\xff\xfe\x01", {":1:", "'\\xff\\xfe\\x01'"}},
  };
  for (const auto& [content, parts] : cases) {
    SCOPED_TRACE(content);
    const std::string sentence = error(content);
    expect_parts(sentence, parts);
    expect_parts(sentence, {file().string()});
  }
}

TEST_F(EdgeList, DiagramFilesAreNamedAsSuch) {
  expect_parts(error("item,filtration,kind,birth,death\n0,hks:10,ord0,0,1\n"), {"diagram file"});
  expect_parts(error(std::string("\x89HDF\r\n\x1a\n\0\0", 10)), {"diagram file"});
}

TEST_F(EdgeList, SpoiledListsAreReadOrRefused) {
  const std::string good = "# list\n0 1 0.5\n1 2 2\n3\n2 0 1e-3\n1 0 0.5\n";
  int accepted = 0;
  int refused = 0;
  for (std::uint64_t round = 0; round < 3000; ++round) {
    base::RandomStream random(2, round);
    std::string bytes = good;
    for (std::uint64_t changes = 1 + random.below(2); changes > 0; --changes) {
      const std::size_t at = random.below(bytes.size());
      if (random.below(4) == 0)
        bytes.resize(at + 1);
      else
        bytes[at] = random.below(2) == 0 ? static_cast<char>(random.below(256))
                                         : "0123456789 \n,.-#"[random.below(16)];
    }
    try {
      const auto dataset = read(bytes);
      (void)edge_set(dataset.graphs[0]);
      ++accepted;
    } catch (const base::Error& error) {
      EXPECT_EQ(error.fault(), base::Fault::user);
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

TEST_F(EdgeList, VertexValues) {
  const auto values = [&](const std::string& content, std::size_t expected) {
    replace_file(file(), content);
    return io::read_vertex_values(file(), expected);
  };
  EXPECT_EQ(values("1\n-2.5e3\r\n.5", 3), (std::vector<double>{1, -2500, 0.5}));
  EXPECT_EQ(values("", 0), std::vector<double>{});
  const auto refusal = [&](const std::string& content) {
    return user_error_of([&] { (void)values(content, 3); });
  };
  expect_parts(refusal("1\n2\n"), {":3:", "2 values", "3 vertices"});
  expect_parts(refusal("1\n2\n3\n4\n"), {":4:", "4 values", "3 vertices"});
  expect_parts(refusal("1\nnan\n3\n"), {":2:", "'nan'"});
  expect_parts(refusal("1\n2 3\n3\n"), {":2:", "'3' stands"});
  expect_parts(user_error_of([&] { (void)io::read_vertex_values(temporary_ / "absent", 3); }), {"absent"});
}

}  // namespace
}  // namespace perslay::test
