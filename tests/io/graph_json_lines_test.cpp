#include "graph_parsing.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using Strings = std::vector<std::string>;

/// Two lines as `to_json(lines=True)` writes them of a dataset with the hubs' columns.
constexpr auto by_pandas =
    R"({"edge_index":[[0,1,1,2],[1,0,2,1]],"edge_attr":[[1.0,0.0],[1.0,0.0],[0.0,1.0],[0.0,1.0]],"y":[1],"num_nodes":3,)"
    R"("node_feat":[[1.0,0.5],[0.0,2.0],[1.0,0.0]]})"
    "\n"
    R"({"edge_index":[[],[]],"edge_attr":[],"y":[0],"num_nodes":2,"node_feat":[[0.0,0.0],[3.0,4.0]]})"
    "\n";

io::ParsedGraph read(const std::string& content) { return only_graph(io::parse_graph_lines, content); }

TEST(GraphLines, AsHubsHaveThem) {
  const auto graphs = parsed(io::parse_graph_lines, by_pandas);
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0].vertices, 3);
  EXPECT_EQ(arcs_of(graphs[0]), (Arcs{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_EQ(graphs[0].label, "1");
  EXPECT_EQ(columns_of(graphs[0]), (Strings{"node_feat_0: 1 0 1", "node_feat_1: 0.5 2 0"}));
  EXPECT_EQ(graphs[0].left_out, (Strings{"column 'edge_attr'"}));
  EXPECT_TRUE(graphs[0].names.empty());
  EXPECT_EQ(graphs[1].vertices, 2);
  EXPECT_TRUE(graphs[1].arcs.empty());
  EXPECT_EQ(graphs[1].label, "0");
}

TEST(GraphLines, ColumnsInAnyForm) {
  const auto graph =
      read(R"({"y": null, "num_nodes": [3], "node_feat": [5, 6, 7], "edge_weight": [[0.5], [2]],
                              "edge_attr": null, "smiles": {"a": [1]}, "edge_index": [[0, 2], [1, 2]]})");
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {2, 2}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(graph.lines, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(columns_of(graph), (Strings{"node_feat: 5 6 7"}));
  EXPECT_FALSE(graph.label.has_value());
  EXPECT_EQ(graph.left_out, (Strings{"column 'smiles'"}));
}

TEST(GraphLines, Labels) {
  const auto label = [](const std::string& y) {
    return read(R"({"edge_index": [[], []], "num_nodes": 1, "y": )" + y + "}").label;
  };
  EXPECT_EQ(label("-3"), "-3");
  EXPECT_EQ(label("0.25"), "0.25");
  EXPECT_EQ(label("[[7]]"), "7");
  EXPECT_EQ(label("[\"toxic\"]"), "toxic");
  EXPECT_EQ(label("true"), "true");
  EXPECT_EQ(label("[null]"), std::nullopt);
  EXPECT_EQ(label("[]"), std::nullopt);
  EXPECT_EQ(label("[1, 0]"), std::nullopt);
  EXPECT_EQ(label("[[1, null]]"), std::nullopt);
  EXPECT_EQ(read(R"({"edge_index": [[], []], "num_nodes": 1, "y": [1, 0]})").left_out,
            (Strings{"column 'y', which has several numbers"}));
}

TEST(GraphLines, FeaturesCountVertices) {
  EXPECT_EQ(read(R"({"edge_index": [[], []], "node_feat": [[1], [2]]})").vertices, 2);
  EXPECT_EQ(read(R"([{"edge_index": [], "node_feat": []}])").vertices, 0);
}

TEST(GraphLines, IsRecognised) {
  EXPECT_TRUE(io::recognises_graph_lines(by_pandas));
  EXPECT_TRUE(io::recognises_graph_lines("{\"edge_attr\":[[1.0,2.0],[3.0"));
  EXPECT_FALSE(io::recognises_graph_lines("{\"nodes\": [{\"id\": 1, \"edge_attr\": 2}"));
  for (const std::string text : {"", "edge_index", "{\"nodes\": []}", "0 1\n"})
    EXPECT_FALSE(io::recognises_graph_lines(text)) << text;
}

TEST(GraphLines, WhatIsRefused) {
  const auto line = [](const std::string& columns) {
    return "{\"edge_index\": [[], []], \"num_nodes\": 0}\n{" + columns + "}\n";
  };
  const auto edges = [&](const std::string& index, const std::string& more = "") {
    return line("\"edge_index\": " + index + ", \"num_nodes\": 3" + more);
  };
  expect_refusals(
      io::parse_graph_lines,
      {{"", " holds no graphs."},
       {"[]\n", " holds no graphs."},
       {"\n0", ":2: A graph is expected: an object with 'edge_index'."},
       {line("\"num_nodes\": 3"), ":2: The graph has no 'edge_index'."},
       {line("\"edge_index\": [[], []]"), ":2: The graph has no 'num_nodes'."},
       {line("\"num_nodes\": 3, \"num_nodes\": 3"), ":2: The graph has a second column 'num_nodes'."},
       {line("\"num_nodes\": -1, \"edge_index\": [[], []]"), ":2: 'num_nodes' is -1."},
       {line("\"num_nodes\": [1, 2]"), ":2: 'num_nodes' has 2 numbers; one is expected."},
       {line("\"num_nodes\": \"3\""), ":2: '\"3\"' stands where a number is expected."},
       {line("\"num_nodes\": 1.0"), ":2: '1.0' is not an integer."},
       {line("\"num_nodes\": 2000000, \"edge_index\": [[], []]"),
        ":2: 2000000 vertices are too many for a file of this size: most would have no edges."},
       {edges("[[0, 1], [1]]"), ":2: 'edge_index' has 2 sources and 1 targets."},
       {edges("[[0], [1, 2]]"), ":2: 'edge_index' has 1 sources and 2 targets."},
       {edges("[[0, 1], [1, 2], [0, 2]]"),
        ":2: 'edge_index' has 3 lists; two are expected: the edges' sources and their targets."},
       {edges("[[]]"),
        ":2: 'edge_index' has 1 list; two are expected: the edges' sources and their targets."},
       {edges("[0, 1]"), ":2: '0' stands where a list is expected."},
       {edges("[[0.5], [1]]"), ":2: '0.5' is not an integer."},
       {edges("[[0], [-1]]"), ":2: Vertex -1 is out of range: vertices are numbered 0 to 2147483646."},
       {edges("[[0], [3]]"), ":2: 'edge_index' joins 0 and 3, but 'num_nodes' is 3."},
       {edges("[[0], [1]]", ", \"edge_weight\": [1, 2]"),
        ":2: 'edge_weight' has 2 numbers, but 'edge_index' has 1 edges."},
       {edges("[[0], [1]]", ", \"edge_weight\": []"),
        ":2: 'edge_weight' has 0 numbers, but 'edge_index' has 1 edges."},
       {edges("[[0], [1]]", ", \"edge_weight\": [0]"), ":2: The weight 0 is not positive."},
       {edges("[[0], [1]]", ", \"edge_weight\": [[1, 2]]"),
        ":2: An entry of 'edge_weight' has 2 numbers; one is expected."},
       {edges("[[], []]", ", \"node_feat\": [1, 2]"), ":2: 'node_feat' has 2 rows, but 'num_nodes' is 3."},
       {edges("[[], []]", ", \"node_feat\": [[1], [2, 3]]"),
        ":2: Row 1 of 'node_feat', counted from 0, has 2 numbers, but the first row has 1."},
       {edges("[[], []]", ", \"node_feat\": [[1], []]"),
        ":2: Row 1 of 'node_feat', counted from 0, has 0 numbers, but the first row has 1."},
       {edges("[[], []]", ", \"node_feat\": [NaN]"), ":2: 'NaN' is not a finite number."}});
}

/// The vertices of all graphs together are bounded by the file.
TEST(GraphLines, VerticesAreBoundedByTheFile) {
  std::string text;
  for (int i = 0; i < 3; ++i) text += "{\"edge_index\": [[], []], \"num_nodes\": 400000}\n";
  EXPECT_EQ(user_error_of([&] { (void)parsed(io::parse_graph_lines, text); }),
            "graph.txt:3: 400000 vertices are too many for a file of this size: most would have no edges.");
}

}  // namespace
}  // namespace perslay::test
