#include "graph_parsing.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using Strings = std::vector<std::string>;

/// Written by NetworkX 3.6 (write_graphml) from a graph with data of every kind.
constexpr auto by_networkx = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
  <key id="d6" for="edge" attr.name="color" attr.type="string" />
  <key id="d5" for="edge" attr.name="weight" attr.type="double" />
  <key id="d4" for="node" attr.name="town" attr.type="string" />
  <key id="d3" for="node" attr.name="mark" attr.type="double" />
  <key id="d2" for="node" attr.name="age" attr.type="long" />
  <key id="d1" for="graph" attr.name="author" attr.type="string" />
  <key id="d0" for="graph" attr.name="label" attr.type="long" />
  <graph edgedefault="undirected">
    <node id="alice">
      <data key="d2">31</data>
      <data key="d3">0.5</data>
      <data key="d4">Köln</data>
    </node>
    <node id="bob">
      <data key="d2">42</data>
      <data key="d3">1.5</data>
      <data key="d4">Paris &amp; "Nice"</data>
    </node>
    <node id="carol">
      <data key="d2">7</data>
      <data key="d3">-2.0</data>
    </node>
    <edge source="alice" target="bob">
      <data key="d5">0.5</data>
      <data key="d6">red</data>
    </edge>
    <edge source="bob" target="carol">
      <data key="d5">2.0</data>
    </edge>
    <data key="d0">1</data>
    <data key="d1">me</data>
  </graph>
</graphml>
)";

/// Written by igraph 1.0 (write_graphml) from a graph with names.
constexpr auto by_igraph = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns
         http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<!-- Created by igraph -->
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="v_age" for="node" attr.name="age" attr.type="double"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="undirected">
    <node id="n0">
      <data key="v_name">alice</data>
      <data key="v_age">31</data>
    </node>
    <node id="n1">
      <data key="v_name">bob</data>
      <data key="v_age">42</data>
    </node>
    <edge source="n0" target="n1">
      <data key="e_weight">0.5</data>
    </edge>
  </graph>
</graphml>
)";

/// The example of the format's primer: defaults, and edges without weights of their own.
constexpr auto by_the_primer = R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="color" attr.type="string">
    <default>yellow</default>
  </key>
  <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="undirected">
    <node id="n0"><data key="d0">green</data></node>
    <node id="n1"/>
    <node id="n2"><data key="d0">blue</data></node>
    <edge id="e0" source="n0" target="n2"><data key="d1">1.0</data></edge>
    <edge id="e1" source="n0" target="n1"><data key="d1">1.0</data></edge>
    <edge id="e2" source="n1" target="n2"><data key="d1">2.0</data></edge>
  </graph>
</graphml>)";

io::ParsedGraph read(const std::string& content) { return only_graph(io::parse_graphml, content); }

/// A document with keys and one graph.
std::string document(const std::string& keys, const std::string& graph) {
  return "<graphml>\n" + keys + "\n<graph>\n" + graph + "\n</graph></graphml>";
}

TEST(Graphml, AsNetworkxWritesIt) {
  const auto graph = read(by_networkx);
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(graph.names, (Strings{"alice", "bob", "carol"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {1, 2}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 2}));
  EXPECT_EQ(graph.lines, (std::vector<std::int64_t>{25, 29}));
  EXPECT_EQ(columns_of(graph), (Strings{"age: 31 42 7", "mark: 0.5 1.5 -2"}));
  EXPECT_EQ(graph.label, "1");
  EXPECT_EQ(graph.left_out,
            (Strings{"edge data 'color'", "graph data 'author'", "node data 'town', which some nodes lack"}));
}

TEST(Graphml, AsIgraphWritesIt) {
  const auto graph = read(by_igraph);
  EXPECT_EQ(graph.names, (Strings{"alice", "bob"}));
  EXPECT_EQ(columns_of(graph), (Strings{"age: 31 42"}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5}));
  EXPECT_TRUE(graph.left_out.empty());
}

TEST(Graphml, AsThePrimerHasIt) {
  const auto graph = read(by_the_primer);
  EXPECT_EQ(graph.names, (Strings{"n0", "n1", "n2"}));
  EXPECT_EQ(columns_of(graph), (Strings{"color: 'green' 'yellow' 'blue'"}));
  EXPECT_EQ(graph.weights, (std::vector<double>{1, 1, 2}));
}

TEST(Graphml, DefaultsOfEdgesAndGraphs) {
  const auto graph =
      read(document(R"(<key id="w" for="edge" attr.name="weight" attr.type="float"><default>3</default></key>
                                      <key id="y" for="graph" attr.name="label"><default>b</default></key>)",
                    R"(<node id="1"/><node id="0"/><edge source="0" target="1"/>
                                      <edge source="1" target="1"><data key="w">0.25</data></edge>)"));
  EXPECT_EQ(graph.names, (Strings{"1", "0"}));
  EXPECT_EQ(arcs_of(graph), (Arcs{{1, 0}, {0, 0}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{3, 0.25}));
  EXPECT_EQ(graph.label, "b");
}

TEST(Graphml, TypesSayWhatIsANumber) {
  const auto graph =
      read(document(R"(<key id="a" for="node" attr.type="boolean"/><key id="b" for="node" attr.type="int"/>
                                      <key id="c" for="node" attr.type="string"/><key id="d" for="all"/>
                                      <key id="e" for="node" attr.type="double"/>)",
                    R"(<node id="0"><data key="a"> true </data><data key="b">+7</data><data key="c">7</data>
                                      <data key="d"><![CDATA[<x>]]></data><data key="e">NaN</data></node>)"));
  EXPECT_TRUE(graph.names.empty());
  EXPECT_EQ(columns_of(graph), (Strings{"a: 1", "b: 7", "c: '7'", "d: '<x>'"}));
  EXPECT_EQ(graph.left_out, (Strings{"node data 'e', which are not all finite"}));
}

/// yEd keeps shapes inside data; other programs keep elements of their own beside nodes.
TEST(Graphml, ForeignElementsAreLeftOut) {
  const auto graph = read(
      R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
    <desc>A <b/> graph</desc><key for="graphml" id="p" yfiles.type="resources"/><key for="node" id="d5" yfiles.type="nodegraphics"/>
    <graph id="G"><y:extra><node id="no"/></y:extra><node id="a"><data key="d5"><y:ShapeNode><y:Fill/>text</y:ShapeNode></data></node>
    </graph><data key="p"/></graphml>)");
  EXPECT_EQ(graph.names, (Strings{"a"}));
  EXPECT_EQ(graph.left_out, (Strings{"node data 'd5', which hold XML"}));
}

TEST(Graphml, SeveralGraphsAndAnyOrder) {
  const auto graphs =
      parsed(io::parse_graphml, R"(<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns"><g:graph>
    <g:edge source="b" target="a"/><g:node id="a"/><g:node id="b"/></g:graph><g:graph/></g:graphml>)");
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0].names, (Strings{"b", "a"}));
  EXPECT_EQ(graphs[1].vertices, 0);
}

TEST(Graphml, IsRecognised) {
  for (const std::string text : {by_networkx, by_igraph, by_the_primer, "\xEF\xBB\xBF<!-- x --><g:graphml"})
    EXPECT_TRUE(io::recognises_graphml(text.substr(0, 200))) << text;
  for (const std::string text : {"", "<svg>", "graphml", "graph [", "<xgraphml>"})
    EXPECT_FALSE(io::recognises_graphml(text)) << text;
}

TEST(Graphml, WhatIsRefused) {
  const std::string weight = R"(<key id="w" for="edge" attr.name="weight" attr.type="double"/>)";
  const std::string nodes = R"(<node id="a"/><node id="b"/>)", edge = R"(<edge source="a" target="b"/>)";
  const auto weighing = [](const std::string& value) {
    return R"(<edge source="a" target="b"><data key="w">)" + value + "</data></edge>";
  };
  const auto key = [](const std::string& attributes, const std::string& inside = "") {
    return document("<key " + attributes + ">" + inside + "</key>", R"(<node id="a"/>)");
  };
  expect_refusals(
      io::parse_graphml,
      {{"", ":1: This is not well-formed XML: no element found."},
       {"<graphml>\n<graph></graphml>", ":2: This is not well-formed XML: mismatched tag."},
       {"<graphml><graph/></graphml><x/>", ":1: This is not well-formed XML: junk after document element."},
       {"<graphml>&foo;</graphml>", ":1: This is not well-formed XML: undefined entity."},
       {"<!DOCTYPE graphml [<!ENTITY a 'b'>]><graphml/>",
        ":1: <!DOCTYPE> is not read, for it may change what a file means; GraphML needs none."},
       {"<!DOCTYPE graphml SYSTEM 'x.dtd'><graphml/>",
        ":1: <!DOCTYPE> is not read, for it may change what a file means; GraphML needs none."},
       {"<svg/>", ":1: The document is <svg>; <graphml> is expected."},
       {"<graphml/>", " holds no <graph>."},
       {document("", "<vertex/>"), ":4: <vertex> is not expected here."},
       {document("", "<node/>"), ":4: The node has no attribute 'id'."},
       {document("", nodes + "\n<node id='a'/>"), ":5: There is a node 'a' already."},
       {document("", nodes + "\n<edge target='a'/>"), ":5: The edge has no attribute 'source'."},
       {document("", nodes + "\n<edge source='a'/>"), ":5: The edge has no attribute 'target'."},
       {document("", nodes + "\n<edge source='a' target='c'/>"),
        ":5: The edge ends at 'c', which is no node of the graph."},
       {document("", "<hyperedge/>"),
        ":4: There is a <hyperedge>; graphs with edges between two nodes are read."},
       {document("", "<node id='a'><port/></node>"),
        ":4: There is a <port>; graphs whose edges end at nodes are read."},
       {document("", nodes + "<edge source='a' target='b' sourceport='p'/>"),
        ":4: The edge ends at a port; graphs whose edges end at nodes are read."},
       {document("", "<node id='a'>\n<graph/></node>"),
        ":5: There is a <graph> inside a node or an edge; graphs that are not nested are read."},
       {document("", "<node id='a'><data/></node>"), ":4: The data have no attribute 'key'."},
       {document("", "<node id='a'><data key='x'/></node>"), ":4: The key 'x' is not declared."},
       {document(weight, "<node id='a'><data key='w'/></node>"),
        ":4: The key 'w' is declared for 'edge', but these are data of a node."},
       {document("<key id='x' for='node'/>", "<node id='a'><data key='x'/>\n<data key='x'/></node>"),
        ":5: The node has data 'x' already."},
       {key("for='node'"), ":2: The key has no attribute 'id'."},
       {key("id='x'/><key id='x'"), ":2: There is a key 'x' already."},
       {key("id='x' attr.type='complex'"),
        ":2: The type 'complex' of key 'x' is none of boolean, int, long, float, double and string."},
       {key("id='x'", "<default>1</default><default>1</default>"), ":2: The key has a default already."},
       {key("id='x' attr.name='z'><default>1</default></key><key id='y' attr.name='z'",
            "<default>1</default>"),
        ":5: Two keys give 'z' a default."},
       {document("<key id='x' attr.type='int'/>", "<node id='a'><data key='x'>1.5</data></node>"),
        ":4: '1.5' is not a number of the type int, as 'x' is declared."},
       {document("<key id='x' attr.type='double'/>", "<node id='a'><data key='x'/></node>"),
        ":4: '' is not a number of the type double, as 'x' is declared."},
       {document("<key id='x' attr.type='boolean'/>", "<node id='a'><data key='x'>yes</data></node>"),
        ":4: 'yes' is neither true nor false, but 'x' is of the type boolean."},
       {document(weight, nodes + weighing("1") + "\n" + edge),
        ":5: The edge has no weight, but the edge in line 4 has one; either all edges have one or none."},
       {document(weight, nodes + edge + "\n" + weighing("1")),
        ":5: The edge has a weight, but the edge in line 4 has none; either all edges have one or none."},
       {document(weight, nodes + weighing("-1")), ":4: The weight -1 is not positive."},
       {document(weight, nodes + weighing("inf")), ":4: The weight inf is not a finite number."},
       {document(weight, nodes + weighing("1</data><data key='w'>1")), ":4: The edge has a weight already."},
       {document("<key id='weight' for='edge'/>",
                 nodes + "<edge source='a' target='b'><data key='weight'>1</data></edge>"),
        ":4: The weight '1' is not a number."},
       {document("<key id='y' for='graph'/><key id='label' for='graph'/>",
                 "<data key='y'>1</data><data key='label'>1</data>"),
        ":4: The graph has a label already; one of 'label' and 'y' is expected."}});
}

/// A default for every node is memory that the file does not have.
TEST(Graphml, DefaultsAreBounded) {
  std::string keys, nodes;
  for (int i = 0; i < 1500; ++i) {
    keys += fmt::format("<key id='k{}'><default>1</default></key>", i);
    nodes += fmt::format("<node id='{}'/>", i);
  }
  EXPECT_EQ(user_error_of([&] { (void)read(document(keys, nodes)); }),
            "graph.txt:5: The graph has 1500 nodes and 1500 defaults, which is too much for a file of 86318 "
            "bytes.");
}

/// Nothing recurses: a million elements inside each other are refused or read.
TEST(Graphml, DeepDocuments) {
  std::string open, close;
  for (int i = 0; i < 100'000; ++i) {
    open += "<x>";
    close += "</x>";
  }
  EXPECT_EQ(read(document("<key id='k'/>", "<node id='a'><data key='k'>" + open + close + "</data></node>"))
                .vertices,
            1);
}

}  // namespace
}  // namespace perslay::test
