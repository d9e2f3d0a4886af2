#include "graph_parsing.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using Strings = std::vector<std::string>;

/// json.dumps(networkx.node_link_data(graph)), NetworkX 3.6.
constexpr auto by_networkx =
    R"({"directed": false, "multigraph": false, "graph": {"label": 1, "author": "me"}, "nodes": [)"
    R"({"age": 31, "mark": 0.5, "town": "K\u00f6ln", "id": "alice"}, {"age": 42, "mark": 1.5, "town": "Paris & \"Nice\"", )"
    R"("id": "bob"}, {"age": 7, "mark": -2.0, "id": "carol"}], "edges": [{"weight": 0.5, "color": "red", )"
    R"("source": "alice", "target": "bob"}, {"weight": 2.0, "source": "bob", "target": "carol"}]})";

io::ParsedGraph read(const std::string& content) { return only_graph(io::parse_node_link, content); }

/// An object with these nodes and links.
std::string document(const std::string& nodes, const std::string& links) {
  return "{\"nodes\": [\n" + nodes + "],\n\"links\": [\n" + links + "]}";
}

TEST(NodeLink, AsNetworkxWritesIt) {
  const auto graph = read(by_networkx);
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(graph.names, (Strings{"alice", "bob", "carol"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {1, 2}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(columns_of(graph), (Strings{"age: 31 42 7", "mark: 0.5 1.5 -2"}));
  EXPECT_EQ(graph.label, "1");
  EXPECT_EQ(graph.left_out,
            (Strings{"edge data 'color'", "graph data 'author'", "node data 'town', which some nodes lack"}));
}

TEST(NodeLink, LinksMayComeFirst) {
  const auto graph =
      read(R"({"links": [{"target": 0, "source": 1, "key": 0}, {"target": 1, "source": 1, "key": 0}],
                              "multigraph": true, "directed": true, "nodes": [{"id": 0}, {"id": 1}]})");
  EXPECT_TRUE(graph.names.empty());
  EXPECT_EQ(arcs_of(graph), (Arcs{{1, 0}, {1, 1}}));
  EXPECT_TRUE(graph.left_out.empty());
}

TEST(NodeLink, ListsOfGraphsAndGraphsPerLine) {
  const std::string one = R"({"nodes": [{"id": 7}], "edges": []})";
  for (const auto& text : {"[" + one + ",\n" + one + "]", one + "\n" + one + "\n"}) {
    const auto graphs = parsed(io::parse_node_link, text);
    ASSERT_EQ(graphs.size(), 2U);
    EXPECT_EQ(graphs[1].names, (Strings{"7"}));
  }
}

TEST(NodeLink, DataOfEveryType) {
  const auto graph = read(R"({"graph": {"y": [3], "name": null, "z": []}, "more": {"x": [1, {}]}, "nodes": [
    {"id": 1, "a": true, "b": NaN, "c": [1], "d": null, "e": 1, "label": 4},
    {"id": "b", "a": false, "b": 1, "c": 2, "d": 5, "e": "x", "label": 5}], "edges": [{"source": 1, "target": "b"}]})");
  EXPECT_EQ(graph.names, (Strings{"1", "b"}));
  EXPECT_EQ(columns_of(graph), (Strings{"a: 1 0", "e: '1' 'x'", "label: 4 5"}));
  EXPECT_EQ(graph.label, "3");
  EXPECT_EQ(graph.left_out,
            (Strings{"graph data 'more'", "graph data 'z'", "node data 'b', which are not all finite",
                     "node data 'c', which are lists or objects", "node data 'c', which some nodes lack",
                     "node data 'd', which some nodes lack"}));
  EXPECT_EQ(read(R"({"graph": {"y": [3, 4]}, "nodes": [], "links": []})").left_out,
            (Strings{"graph data 'y', a list"}));
}

TEST(NodeLink, IsRecognised) {
  for (const std::string text : {by_networkx, " [\n{\"multigraph\": false", "\xEF\xBB\xBF{\"nodes\": [1"})
    EXPECT_TRUE(io::recognises_node_link(text)) << text;
  for (const std::string text :
       {"", "[1, 2]", "\"nodes\"", "{\"edge_index\": [], \"edges\": 1}", "{\"a\": 1}"})
    EXPECT_FALSE(io::recognises_node_link(text)) << text;
}

TEST(NodeLink, WhatIsRefused) {
  const std::string nodes = R"({"id": 0}, {"id": 1})";
  const auto linking = [&](const std::string& links) { return document(nodes, links); };
  const std::string edge = R"({"source": 0, "target": 1})",
                    heavy = R"({"source": 0, "target": 1, "weight": 1})";
  expect_refusals(
      io::parse_node_link,
      {{"", " holds no graphs."},
       {"[]", " holds no graphs."},
       {"\n1", ":2: A graph is expected: an object with 'nodes' and 'links'."},
       {"{}",
        ":1: The object has no list 'nodes'; a graph has 'nodes' and 'links' (or 'edges'), as node_link_data "
        "of "
        "NetworkX writes them."},
       {R"({"nodes": []})",
        ":1: The object has no list 'links'; a graph has 'nodes' and 'links' (or 'edges'), as node_link_data "
        "of "
        "NetworkX writes them."},
       {R"({"nodes": {}})", ":1: 'nodes' is not a list."},
       {R"({"nodes": [], "nodes": []})", ":1: The graph has a second list 'nodes'."},
       {R"({"links": [], "edges": []})", ":1: The graph has a second list 'edges'."},
       {R"({"directed": 1})", ":1: '1' stands where true or false is expected."},
       {R"({"nodes": [], "adjacency": []})",
        ":1: This is adjacency JSON; a graph is read as node_link_data of NetworkX writes it."},
       {R"({"data": [], "elements": {}})",
        ":1: This is Cytoscape JSON; a graph is read as node_link_data of NetworkX writes it."},
       {R"({"graph": {"y": 1, "label": 2}})",
        ":1: The graph has a label already; one of 'label' and 'y' is expected."},
       {document("0", ""), ":2: A node is expected: an object with an 'id'."},
       {document("{}", ""), ":2: The node has no 'id'."},
       {document(R"({"id": 1,
                     "id": 2})",
                 ""),
        ":3: There is a second 'id'."},
       {document(R"({"id": [1, 2]})", ""), ":2: The 'id' of a node is neither a number nor a text."},
       {document(R"({"id": 1}, {"id": "1"})", ""), ":2: There is a node '1' already."},
       {document(R"({"id": 1, "x": 1, "x": 2})", ""), ":2: The node has data 'x' already."},
       {linking("0"), ":4: An edge is expected: an object with a 'source' and a 'target'."},
       {linking("{\"source\": 0}"), ":4: The edge has no 'target'."},
       {linking("{\"target\": 0}"), ":4: The edge has no 'source'."},
       {linking("{\"source\": null}"), ":4: The 'source' of a node is neither a number nor a text."},
       {linking(edge + ",\n{\"source\": 0, \"target\": 2}"),
        ":5: The edge ends at '2', which is no node of the graph."},
       {linking(R"({"source": 0, "target": "1"})"),
        ":4: The edge ends at the text '1', but the node has the number as its 'id'."},
       {document(R"({"id": "0"})", R"({"source": "0", "target": 0})"),
        ":4: The edge ends at the number '0', but the node has the text as its 'id'."},
       {linking(heavy + ",\n" + edge),
        ":5: The edge has no weight, but the edge in line 4 has one; either all edges have one or none."},
       {linking(edge + ",\n" + heavy),
        ":5: The edge has a weight, but the edge in line 4 has none; either all edges have one or none."},
       {linking(R"({"source": 0, "target": 1, "weight": "1"})"), ":4: The weight '1' is not a number."},
       {linking(R"({"source": 0, "target": 1, "weight": [1]})"),
        ":4: The weight 'a list or an object' is not a number."},
       {linking(R"({"source": 0, "target": 1, "weight": NaN})"),
        ":4: The weight NaN is not a finite number."}});
}

}  // namespace
}  // namespace perslay::test
