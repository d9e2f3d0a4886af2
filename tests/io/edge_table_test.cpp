#include "graph_files.h"
#include "temporary_folder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <perslay/io/graph_dataset.h>

namespace perslay::test {
namespace {

using Edges = std::set<std::pair<int, int>>;
using Names = std::vector<std::string>;

/// Edge lists as tables: columns with names, vertices with names.
class EdgeTable : public ::testing::Test {
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
  /// The edges by the names of their ends.
  [[nodiscard]] static std::set<std::pair<std::string, std::string>> named(
      const data::GraphDataset& dataset) {
    std::set<std::pair<std::string, std::string>> edges;
    for (const auto& [a, b] : edge_set(dataset.graphs[0])) {
      const auto ends = std::minmax(dataset.vertex_names.at(static_cast<std::size_t>(a)),
                                    dataset.vertex_names.at(static_cast<std::size_t>(b)));
      edges.insert(ends);
    }
    return edges;
  }
  [[nodiscard]] static double weight(const data::GraphDataset& dataset, data::Vertex from,
                                     std::size_t place) {
    return dataset.graphs[0].weights(from)[place];
  }
  [[nodiscard]] std::filesystem::path file() const { return temporary_ / "edges.csv"; }

  TemporaryFolder temporary_;
};

TEST_F(EdgeTable, AHeaderAndAnySeparator) {
  for (const std::string separator : {",", ";", "\t", " ", " , "}) {
    SCOPED_TRACE(separator);
    const auto line = [&](const std::string& a, const std::string& b) { return a + separator + b + "\n"; };
    const auto dataset = read(line("source", "target") + line("0", "1") + line("1", "2"));
    EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {1, 2}}));
    EXPECT_TRUE(dataset.vertex_names.empty());
    const auto words = read(line("Rome", "Oslo") + line("Oslo", "Bern"));
    EXPECT_EQ(words.vertex_names, (Names{"Rome", "Oslo", "Bern"}));
    EXPECT_EQ(edge_set(words.graphs[0]), (Edges{{0, 1}, {1, 2}}));
  }
  EXPECT_EQ(edge_set(read("\xef\xbb\xbfSource,Target\r\n0,1\r\n").graphs[0]), (Edges{{0, 1}}));
  EXPECT_EQ(edge_set(read(",source,target\n0,0,1\n1,1,2\n").graphs[0]), (Edges{{0, 1}, {1, 2}}))
      << "the index of a table of pandas is no column";
}

TEST_F(EdgeTable, TheOrderOfNamedColumnsDoesNotMatter) {
  const auto dataset = read("weight,target,source\n0.5,1,0\n2,2,1\n");
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(weight(dataset, 0, 0), 0.5);
  EXPECT_EQ(weight(dataset, 2, 0), 2);
}

TEST_F(EdgeTable, TwoColumnsUnderAnyNamesAreAnEdge) {
  EXPECT_EQ(named(read("person,friend\nAda,Bob\nBob,Cyd\n", {.columns = {"person", "friend"}})),
            (std::set<std::pair<std::string, std::string>>{{"Ada", "Bob"}, {"Bob", "Cyd"}}));
  EXPECT_EQ(edge_set(read("a,b\n0,1\n1,2\n").graphs[0]), (Edges{{0, 1}, {1, 2}}));
}

TEST_F(EdgeTable, NamesSurvive) {
  const auto dataset = read(
      "source,target,weight\n\"New York, NY\",\"the "
      "\"\"Loop\"\"\",1.5\n007,7,2\n18446744073709551615,-5,1\n#tag,7,3\n");
  EXPECT_EQ(dataset.vertex_names,
            (Names{"New York, NY", "the \"Loop\"", "007", "7", "18446744073709551615", "-5", "#tag"}));
  EXPECT_EQ(dataset.graphs[0].edge_count(), 4);
}

TEST_F(EdgeTable, NumbersWithGapsAreNames) {
  const auto dataset = read("source,target\n1000000000000,30\n30,7\n");
  EXPECT_EQ(dataset.vertex_names, (Names{"7", "30", "1000000000000"})) << "in ascending order";
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {1, 2}}));
  EXPECT_TRUE(read("source,target\n1,2\n2,3\n", {.one_based = true}).vertex_names.empty());
  EXPECT_EQ(read("source,target\n1,2\n2,3\n").vertex_names, (Names{"1", "2", "3"}));
  EXPECT_EQ(read("source,target\n1.0,2.0\n2.0,0.0\n").vertex_names, Names{}) << "integers held as floats";
}

TEST_F(EdgeTable, HugeNumbersOfAPlainListAreNames) {
  const auto dataset = read("0 1\n1 99999999999999\n");
  EXPECT_EQ(dataset.vertex_names, (Names{"0", "1", "99999999999999"}));
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read("0 1\n1 18446744073709551615\n").vertex_names.back(), "18446744073709551615");
}

TEST_F(EdgeTable, EdgeDataOfNetworkX) {
  // networkx.write_edgelist(graph, file) of a graph with and without data
  const auto plain = read("0 1 {}\n1 2 {}\n");
  EXPECT_EQ(edge_set(plain.graphs[0]), (Edges{{0, 1}, {1, 2}}));
  EXPECT_FALSE(plain.graphs[0].weighted());
  const auto data =
      read("a b {'weight': 3.0, 'color': 'red, {or} not', 'at': (1, [2])}\nb c {'weight': 1}\n");
  EXPECT_EQ(data.vertex_names, (Names{"a", "b", "c"}));
  EXPECT_EQ(weight(data, 0, 0), 3);
  ASSERT_EQ(data.notes.size(), 1U);
  EXPECT_EQ(data.notes[0], "Left out: edge data 'at', edge data 'color'.");
  EXPECT_EQ(weight(read("x y 2.5\ny z 1\n"), 0, 0), 2.5);  // networkx.write_weighted_edgelist
}

TEST_F(EdgeTable, SingleNamesDeclareVertices) {
  const auto dataset = read("Ada Bob\nCyd\n");
  EXPECT_EQ(dataset.vertex_names, (Names{"Ada", "Bob", "Cyd"}));
  EXPECT_EQ(dataset.graphs[0].edge_count(), 1);
}

TEST_F(EdgeTable, MergedEdgesAreCounted) {
  const auto dataset = read("source,target\na,b\na,b\nb,a\nc,c\n");
  EXPECT_EQ(dataset.cleaning.duplicate_edges_merged, 1);
  EXPECT_EQ(dataset.cleaning.self_loops_dropped, 1);
  EXPECT_EQ(dataset.graphs[0].edge_count(), 1);
}

TEST_F(EdgeTable, ColumnsAreChosenByNameOrNumber) {
  const std::string table = "year,from_city,to_city,km\n1999,Rome,Oslo,2000\n2001,Oslo,Bern,1500\n";
  const auto by_name = read(table, {.columns = {"from_city", "to_city", "km"}});
  EXPECT_EQ(by_name.vertex_names, (Names{"Rome", "Oslo", "Bern"}));
  EXPECT_EQ(weight(by_name, 0, 0), 2000);
  const auto by_number = read(table, {.columns = {"2", "3"}});
  EXPECT_EQ(by_number.vertex_names, by_name.vertex_names);
  EXPECT_FALSE(by_number.graphs[0].weighted());
  EXPECT_EQ(edge_set(read("9 0 1 x\n9 1 2 y\n", {.columns = {"2", "3"}}).graphs[0]), (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(read("Ada,Bob\nCyd,Dan\n", {.columns = {"1", "2"}}).vertex_names,
            (Names{"Ada", "Bob", "Cyd", "Dan"}));
  EXPECT_EQ(read("Ada,Bob\nCyd,Dan\n", {.columns = {"Ada", "Bob"}}).vertex_names, (Names{"Cyd", "Dan"}));
}

TEST_F(EdgeTable, MistakesNameFileLineAndWhatToDo) {
  struct Case {
    std::string content;
    Names columns;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases = {
      {"source,target,type,year\na,b,x,1\n",
       {},
       {"The columns are source, target, type and year; --columns SOURCE,TARGET"}},
      {"source,target,year\na,b,1\n", {}, {"The columns are source, target and year; --columns"}},
      {"0,1,2,3\n", {}, {"The lines have 4 columns and no header; --columns 1,2"}},
      {"a b friend\n", {}, {"The lines have 3 columns and no header"}},
      {"a,b,c\nx,y,1\n", {"a", "d"}, {"There is no column 'd'; the columns are a, b and c."}},
      {"a,b\nx,y\n", {"1", "3"}, {"There is no column 3; the columns are 1 to 2."}},
      {"a,b\nx,y\n",
       {"a"},
       {"--columns needs the columns of source and target and perhaps a third, of weights, not 1."}},
      {"person,friend\nAda,Bob\n",
       {},
       {":1: person and friend could be the names of columns or an edge; --columns person,friend says",
        "--columns 1,2"}},
      {"source,target\na,b\nb\n", {}, {":3: The line has 1 field, but the first line has 2."}},
      {"source,target\na,b,c\n", {}, {":2: The line has 3 fields, but the first line has 2."}},
      {"source,target\n", {}, {"has a header, but no edges."}},
      {"source,target\na,b\xff\n", {}, {":2: 'b\\xff' is not text in UTF-8."}},
      {"source,target\na,b\x01\n", {}, {":2: 'b\\x01' is not text in UTF-8."}},
      {"source,target\na,\n", {}, {":2: The name of a vertex is missing."}},
      {"source,target,weight\na,b,x\n", {}, {":2: The weight 'x' is not a finite number."}},
      {"source,target,weight\na,b,\n", {}, {":2: The weight '' is not a finite number."}},
      {"source,target,weight\na,b,inf\n", {}, {":2: The weight 'inf' is not a finite number."}},
      {"source,target,weight\na,b,0\n", {}, {":2: The weight 0 is not positive."}},
      {"source,target,weight\na,b,1\nb,a,2\n",
       {},
       {":3: The edge has the weight 2, but line 2 gives it the weight 1."}},
      {"source,target\n\"a,b\n", {}, {":2: A field that opens with a quote is never closed."}},
      {"source,target\n\"a\"x,b\n", {}, {":2: There is something after the closing quote of a field."}},
      {"0 1 {'weight': 1}\n1 2 {}\n", {}, {":2: The edge has no weight, but the edge in line 1 has one"}},
      {"0 1 {'weight'}\n", {}, {":1: '{'weight'}' is not data of an edge"}},
      {"0 1\n0 one\n",
       {},
       {":2: 'one' is not an integer; vertices with other names need a header such as source,target."}},
  };
  for (const auto& [content, columns, parts] : cases) {
    SCOPED_TRACE(content);
    expect_parts(error(content, {.columns = columns}), parts);
  }
}

TEST_F(EdgeTable, NamesGoWithPartsAndConcatenation) {
  const auto whole = read("a b\nb c\n");
  EXPECT_EQ(whole.vertex_names.size(), 3U);
  expect_parts(user_error_of([&] {
                 auto labelled = whole;
                 labelled.labels = {0};
                 labelled.classes = {"1"};
                 io::write_tu_dataset(temporary_ / "TU", labelled);
               }),
               {"its vertices have names"});
}

}  // namespace
}  // namespace perslay::test
