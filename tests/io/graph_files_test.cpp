#include "graph_files.h"

#include "archive_writer.h"
#include "temporary_folder.h"

#include <gtest/gtest.h>

#include <perslay/io/graph_dataset.h>

namespace perslay::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A file for each graph, in a folder or an archive.
class GraphFiles : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& content) { files_["graphs/" + name] = content; }
  [[nodiscard]] fs::path folder() const {
    const auto path = temporary_ / "graphs";
    fs::remove_all(path);
    fs::create_directory(path);
    for (const auto& [name, content] : files_) write_bytes(temporary_ / name, content);
    return path;
  }
  [[nodiscard]] fs::path archive(const std::string& name) const {
    write_archive(temporary_ / name, files_);
    return temporary_ / name;
  }
  [[nodiscard]] static std::vector<std::int64_t> edge_counts(const data::GraphDataset& dataset) {
    std::vector<std::int64_t> counts;
    for (const auto& graph : dataset.graphs) counts.push_back(graph.edge_count());
    return counts;
  }
  [[nodiscard]] std::string error() const {
    return user_error_of([&] { (void)io::read_graph_dataset(folder()); });
  }

  TemporaryFolder temporary_;
  std::map<std::string, std::string> files_;
};

TEST_F(GraphFiles, ComeInTheNaturalOrderOfTheirNames) {
  add("g10.txt", "0 1\n1 2\n2 0\n");
  add("g2.csv", "source,target\n0,1\n");
  add("g3.edges", "0 1\n1 2\n");
  add(".hidden.txt", "no graph");
  add("about.md", "no graph");
  for (const auto& path : {folder(), archive("graphs.zip"), archive("graphs.tar.gz")}) {
    SCOPED_TRACE(path);
    const auto dataset = io::read_graph_dataset(path);
    EXPECT_EQ(edge_counts(dataset), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(dataset.vertex_offsets, (std::vector<std::int64_t>{0, 2, 5, 8}));
    EXPECT_TRUE(dataset.labels.empty());
    EXPECT_TRUE(dataset.vertex_names.empty());
    EXPECT_TRUE(dataset.name.starts_with("graphs")) << dataset.name;
  }
}

TEST_F(GraphFiles, HaveTheirLabelsInAFile) {
  add("a.txt", "0 1\n");
  add("b.txt", "0 1\n1 2\n");
  add("c.txt", "0 1\n1 2\n2 3\n");
  add("labels.csv", "file,label\nc.txt,ring\na.txt,tree\n");
  for (const auto& path : {folder(), archive("graphs.zip")}) {
    const auto dataset = io::read_graph_dataset(path);
    EXPECT_EQ(edge_counts(dataset), (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(dataset.classes, (Names{"ring", "tree"}));
    EXPECT_EQ(dataset.labels, (std::vector<int>{0, 1}));
    EXPECT_EQ(dataset.labels_from, "labels.csv");
    ASSERT_EQ(dataset.notes.size(), 1U);
    expect_parts(dataset.notes[0], {"1 file of the folder is not named in", "labels.csv and left out"});
  }
}

TEST_F(GraphFiles, MeasuredLabelsAreNoClasses) {
  add("a.txt", "0 1\n");
  add("b.txt", "0 1\n1 2\n");
  add("labels.csv", "a.txt,1\nb.txt,0.37\n");
  const auto path = folder();
  const auto dataset = io::read_graph_dataset(path);
  EXPECT_TRUE(dataset.labels.empty());
  EXPECT_TRUE(dataset.classes.empty());
  EXPECT_EQ(dataset.notes, (Names{"The labels in " + (path / "labels.csv").string() +
                                  " are numbers such as 0.37, not classes, so the graphs have no labels."}));
  add("labels.csv", "a.txt,10.0\nb.txt,-1.0\n");
  const auto whole = io::read_graph_dataset(folder());
  EXPECT_EQ(whole.classes, (Names{"-1", "10"})) << "integers written as floats are classes";
  EXPECT_EQ(whole.labels, (std::vector<int>{1, 0}));
}

TEST_F(GraphFiles, NamesAndNumbersMix) {
  add("a.txt", "0 1\n");
  add("b.txt", "Ada Bob\nBob Cyd\n");
  const auto dataset = io::read_graph_dataset(folder());
  EXPECT_EQ(dataset.vertex_names, (Names{"0", "1", "Ada", "Bob", "Cyd"}));
}

TEST_F(GraphFiles, ANoteIsSaidOnceForAllGraphs) {
  for (const auto* const name : {"a.txt", "b.txt", "c.txt"}) add(name, "1 2\n2 3\n");
  const auto dataset = io::read_graph_dataset(folder());
  ASSERT_EQ(dataset.notes.size(), 1U);
  expect_parts(dataset.notes[0], {"vertex 0", "--one-based", "So it is with 3 graphs."});
}

TEST_F(GraphFiles, MistakesNameTheFile) {
  add("a.txt", "0 1\n");
  add("b.txt", "0 1 1.5\n");
  expect_parts(error(), {"The edges of", "b.txt have weights, but those of", "a.txt have none"});
  add("b.txt", "0 1\n1 x\n");
  expect_parts(error(), {"b.txt:2: 'x' is not an integer"});
  files_.clear();
  expect_parts(
      error(),
      {"holds no graph dataset: there is no file NAME_A.txt in it, and no file of a format of graphs."});
  add("a.txt", "0 1\n");
  add("labels.csv", "b.txt,1\n");
  expect_parts(error(), {"labels.csv:1: There is no file 'b.txt' in the folder."});
}

TEST_F(GraphFiles, MayBeCompressed) {
  write_gzip(temporary_ / "edges.csv.gz", "source,target\nAda,Bob\n");
  const auto dataset = io::read_graph_dataset(temporary_ / "edges.csv.gz");
  EXPECT_EQ(dataset.vertex_names, (Names{"Ada", "Bob"}));
  EXPECT_EQ(dataset.name, "edges");
  write_gzip(temporary_ / "zeros.txt.gz", std::string(100'000, '\n'));
  expect_parts(user_error_of([&] {
                 (void)io::read_graph_dataset(temporary_ / "zeros.txt.gz", {}, {.unpack_limit = 1000});
               }),
               {"unpacks to more than 1000 bytes", "--unpack-limit allows more"});
  const auto whole = read_bytes(temporary_ / "edges.csv.gz");
  write_bytes(temporary_ / "cut.csv.gz", whole.substr(0, whole.size() - 3));
  expect_parts(user_error_of([&] { (void)io::read_graph_dataset(temporary_ / "cut.csv.gz"); }),
               {"damaged or cut short"});
}

// ---- arrays of edges

std::string npy_of(const std::string& type, const std::string& shape,
                   const std::vector<std::int64_t>& values) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  header += std::string(118 - header.size(), ' ');
  header.back() = '\n';
  std::string bytes = std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header;
  for (const auto value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TEST_F(GraphFiles, ArraysOfEdges) {
  const auto path = temporary_ / "e.npy";
  const auto read = [&](const std::string& shape, const std::vector<std::int64_t>& values,
                        const std::string& type = "<i8") {
    replace_file(path, npy_of(type, shape, values));
    return io::read_graph_dataset(path);
  };
  const std::set<std::pair<int, int>> edges{{0, 1}, {1, 2}, {0, 2}};
  EXPECT_EQ(edge_set(read("(3, 2)", {0, 1, 1, 2, 2, 0}).graphs[0]), edges);
  EXPECT_EQ(edge_set(read("(2, 3)", {0, 1, 2, 1, 2, 0}).graphs[0]), edges) << "an edge_index";
  EXPECT_EQ(read("(1, 2)", {5, 1'000'000'000'000}).vertex_names, (Names{"5", "1000000000000"}));
  const auto refusal = [&](const std::string& shape, const std::vector<std::int64_t>& values,
                           const std::string& type = "<i8") {
    return user_error_of([&] { (void)read(shape, values, type); });
  };
  expect_parts(refusal("(2, 2)", {0, 1, 2, 3}),
               {"shape (2, 2) may hold two edges by its rows or by its columns"});
  expect_parts(refusal("(1, 3)", {0, 1, 2}), {"shape (1, 3); edges have the shape (edges, 2) or (2, edges)"});
  expect_parts(refusal("(1, 2)", {0, -1}), {"Edge 0, counted from 0, has a vertex -1"});
  expect_parts(refusal("(1, 2)", {0, 1}, "<f8"), {"Edges are pairs of integers, but the array holds '<f8'."});
}

// ---- what a file says of vertices and graphs

std::string node_link(const std::string& nodes, const std::string& edges, const std::string& graph = "{}") {
  return R"({"directed": false, "multigraph": false, "graph": )" + graph + R"(, "nodes": [)" + nodes +
         R"(], "links": [)" + edges + "]}";
}

TEST_F(GraphFiles, ColumnsOfAllGraphsAreAttributes) {
  add("a.json",
      node_link(
          R"({"id": "x", "age": 3, "label": "C", "city": "Rome"}, {"id": "y", "age": 1.5, "label": "N", "city": "Oslo"})",
          R"({"source": "x", "target": "y"})"));
  add("b.json", node_link(R"({"id": "z", "age": 2, "label": "C", "height": 1})", ""));
  const auto dataset = io::read_graph_dataset(folder());
  EXPECT_EQ(dataset.vertex_names, (Names{"x", "y", "z"}));
  EXPECT_EQ(dataset.attribute_names, Names{"age"});
  EXPECT_EQ(dataset.attribute_count, 1U);
  EXPECT_EQ(dataset.node_attributes, (std::vector<double>{3, 1.5, 2}));
  EXPECT_EQ(data::attribute_called(dataset, "age"), 0U);
  EXPECT_FALSE(data::attribute_called(dataset, "height").has_value());
  ASSERT_EQ(dataset.node_labels.size(), 3U);
  EXPECT_EQ(dataset.node_labels[0], dataset.node_labels[2]);
  EXPECT_NE(dataset.node_labels[0], dataset.node_labels[1]);
  EXPECT_LT(dataset.node_labels[0], 0) << "words are negative numbers";
  ASSERT_EQ(dataset.notes.size(), 1U);
  EXPECT_EQ(dataset.notes[0],
            "Left out: node data 'city', which not all graphs have, node data 'height', which not all graphs "
            "have.");
}

TEST_F(GraphFiles, LabelsOfTheGraphsThemselvesAreClasses) {
  add("a.json", node_link(R"({"id": 0})", "", R"({"label": "tree"})"));
  add("b.json", node_link(R"({"id": 0})", "", R"({"label": "ring"})"));
  const auto dataset = io::read_graph_dataset(folder());
  EXPECT_EQ(dataset.classes, (Names{"ring", "tree"}));
  EXPECT_EQ(dataset.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(dataset.labels_from, "the graphs themselves");
  add("b.json", node_link(R"({"id": 0})", ""));
  EXPECT_EQ(io::read_graph_dataset(folder()).notes, (Names{"1 of 2 graphs have no label, so none has."}));
  add("labels.csv", "a.json,1\nb.json,2\n");
  EXPECT_EQ(io::read_graph_dataset(folder()).classes, (Names{"1", "2"})) << "labels.csv has the last word";
}

}  // namespace
}  // namespace perslay::test
