#include "graph_parsing.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using Strings = std::vector<std::string>;

/// Written by NetworkX 3.6 (write_gml).
constexpr auto by_networkx = R"(graph [
  label "1"
  author "me"
  node [
    id 0
    label "alice"
    age 31
    town "K&#246;ln"
  ]
  node [
    id 1
    label "bob"
    age 42
    town "Paris &#38; &#34;Nice&#34;"
  ]
  node [
    id 2
    label "carol"
    age 7
    town "_networkx_list_start"
    town "x"
  ]
  edge [
    source 0
    target 1
    weight 0.5
    color "red"
  ]
  edge [
    source 1
    target 2
    weight 2.0
  ]
]
)";

/// Written by igraph 1.0 (write_gml).
constexpr auto by_igraph = R"(Creator "igraph version 1.0.0 Thu Nov 19 21:53:10 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "alice"
    age 31
  ]
  node
  [
    id 1
    name "bob"
    age 42.5
  ]
  edge
  [
    source 1
    target 0
    weight 0.5
  ]
]
)";

/// A multigraph whose nodes are 0, 1 and 2, written by NetworkX.
constexpr auto directed = R"(graph [
  directed 1
  multigraph 1
  node [
    id 0
    label "0"
  ]
  node [
    id 1
    label "1"
  ]
  node [
    id 2
    label "2"
  ]
  edge [
    source 0
    target 1
    key 0
  ]
  edge [
    source 0
    target 1
    key 1
  ]
  edge [
    source 1
    target 0
    key 0
  ]
])";

io::ParsedGraph read(const std::string& content) { return only_graph(io::parse_gml, content); }

TEST(Gml, AsNetworkxWritesIt) {
  const auto graph = read(by_networkx);
  EXPECT_EQ(graph.names, (Strings{"alice", "bob", "carol"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {1, 2}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(graph.lines, (std::vector<std::int64_t>{23, 29}));
  EXPECT_EQ(columns_of(graph), (Strings{"age: 31 42 7"}));
  EXPECT_EQ(graph.label, "1");
  EXPECT_EQ(graph.left_out,
            (Strings{"edge data 'color'", "graph data 'author'", "node data 'town', which are lists",
                     "node data 'town', which some nodes lack"}));
}

TEST(Gml, AsIgraphWritesIt) {
  const auto graph = read(by_igraph);
  EXPECT_EQ(graph.names, (Strings{"alice", "bob"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{1, 0}}));
  EXPECT_EQ(columns_of(graph), (Strings{"age: 31 42.5"}));
  EXPECT_TRUE(graph.left_out.empty());
}

TEST(Gml, DirectedAndMultipleEdges) {
  const auto graph = read(directed);
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_TRUE(graph.names.empty());
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {0, 1}, {1, 0}}));
  EXPECT_TRUE(graph.weights.empty());
  EXPECT_TRUE(graph.columns.empty());
  EXPECT_TRUE(graph.left_out.empty());
}

TEST(Gml, LabelsAreNamesIfTheyAreDifferentWords) {
  const auto with = [](const std::string& a, const std::string& b) {
    return read("graph [ node [ id 7 label " + a + " ] node [ id 5 label " + b + " ] ]");
  };
  EXPECT_EQ(with("\"a\"", "\"b\"").names, (Strings{"a", "b"}));
  EXPECT_EQ(with("\"C\"", "\"C\"").names, (Strings{"7", "5"}));
  EXPECT_EQ(columns_of(with("\"C\"", "\"C\"")), (Strings{"label: 'C' 'C'"}));
  EXPECT_EQ(columns_of(with("1", "2")), (Strings{"label: 1 2"}));
}

TEST(Gml, TextAndSeveralGraphs) {
  const auto graphs = parsed(io::parse_gml,
                             "# comment ]\ngraph [ node [ id 3 t \"K\xC3\xB6ln &amp; &lt;&#x1F600;&bad; &\" "
                             "graphics [ x 1 y [ z 2 ] ] ] ]\r\ngraph [ ]");
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(columns_of(graphs[0]), (Strings{"t: 'K\xC3\xB6ln & <\xF0\x9F\x98\x80&bad; &'"}));
  EXPECT_EQ(graphs[0].left_out, (Strings{"node data 'graphics', which are lists"}));
  EXPECT_EQ(graphs[1].vertices, 0);
}

TEST(Gml, IsRecognised) {
  for (const std::string text : {by_networkx, by_igraph, directed})
    EXPECT_TRUE(io::recognises_gml(text)) << text;
  for (const std::string text :
       {"", "graph", "graph { a -- b }", "0 1\n", "source,target\n", "graph 1", "\"", "a \""})
    EXPECT_FALSE(io::recognises_gml(text)) << text;
}

TEST(Gml, WhatIsRefused) {
  const auto inside = [](const std::string& content) {
    return "graph [\nnode [ id 0 ] node [ id 1 ]\n" + content + "\n]";
  };
  expect_refusals(
      io::parse_gml,
      {{"", " holds no 'graph [ ... ]'."},
       {"Version 1", " holds no 'graph [ ... ]'."},
       {"graph", ":1: The key 'graph' has no value."},
       {"\n[", ":2: '[' stands where a key is expected."},
       {"graph [\n\"x\" 1 ]", ":2: 'x' stands where a key is expected."},
       {"graph [\nnode [ id 0 ]\n", ":1: The bracket that opens here is never closed."},
       {"graph [\nx [ y [ ]\n", ":2: The bracket that opens here is never closed."},
       {"graph [ ]\n]", ":2: ']' stands where a key is expected."},
       {inside("x \"y"), ":3: A text that opens with a quote is never closed."},
       {inside("x \"\xE4\""), ":3: The text '\\xe4' is not UTF-8."},
       {inside("x"), ":4: The key 'x' has no value."},
       {inside("x 1e"), ":3: '1e' is not a number."},
       {inside("node [ ]"), ":3: The node has no 'id'."},
       {inside("node [ id 1 ]"), ":3: There is a node '1' already."},
       {inside("node [ id 2\nid 2 ]"), ":4: There is a second 'id'."},
       {inside("node [ id \"2\" ]"), ":3: The 'id' '2' is not an integer."},
       {inside("node [ id 2.5 ]"), ":3: The 'id' '2.5' is not an integer."},
       {inside("node [ id 2 graph [ ] ]"),
        ":3: A graph stands inside a node; graphs that are not nested are read."},
       {inside("edge [ source 0 ]"), ":3: The edge has no 'target'."},
       {inside("edge [ target 0 ]"), ":3: The edge has no 'source'."},
       {inside("edge [ source 0 target 2 ]"), ":3: The edge ends at '2', which is no node of the graph."},
       {inside("edge [ source 0 target 1 weight \"1\" ]"), ":3: The weight '1' is not a number."},
       {inside("edge [ source 0 target 1 weight 0 ]"), ":3: The weight 0 is not positive."},
       {inside("edge [ source 0 target 1 weight 1 weight 2 ]"), ":3: The weight 'a list' is not a number."},
       {inside("label 1\ny 2"), ":4: The graph has a label already; one of 'label' and 'y' is expected."}});
}

TEST(Gml, DeepLists) {
  std::string open, close;
  for (int i = 0; i < 100'000; ++i) {
    open += " x [";
    close += " ]";
  }
  EXPECT_EQ(read("graph [" + open + close + "]").vertices, 0);
}

}  // namespace
}  // namespace perslay::test
