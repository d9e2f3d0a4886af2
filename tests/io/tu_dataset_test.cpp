#include "archive_writer.h"
#include "graph_files.h"
#include "temporary_folder.h"

#include <algorithm>
#include <atomic>
#include <clocale>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::test {
namespace {

using Edges = std::set<std::pair<int, int>>;
using Files = std::map<std::string, std::string>;

/// A triangle, an empty graph, a path of two vertices with an isolated third; every kind of file.
Files small_dataset() {
  return {{"SMALL_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n"},
          {"SMALL_graph_indicator.txt", "1\n1\n1\n3\n3\n3\n"},
          {"SMALL_graph_labels.txt", "5\n-1\n5\n"},
          {"SMALL_node_labels.txt", "7\n8\n-9\n7\n7\n7\n"},
          {"SMALL_node_attributes.txt", "1.5, 2\n0.1, -3e-5\n1,1\n2,2\n3,3\n4,4\n"}};
}

class TuDataset : public ::testing::Test {
 protected:
  /// Writes the files into the folder that `read` reads.
  void put(const Files& files) const {
    std::filesystem::remove_all(folder());
    std::filesystem::create_directory(folder());
    for (const auto& [name, content] : files) replace_file(folder() / name, content);
  }
  void put_with(const std::string& name, const std::string& content) const {
    Files files = small_dataset();
    files[name] = content;
    put(files);
  }
  [[nodiscard]] std::filesystem::path folder() const { return temporary_ / "data"; }
  [[nodiscard]] data::GraphDataset read() const { return io::read_graph_dataset(folder()); }
  [[nodiscard]] std::string error() const {
    return user_error_of([&] { (void)read(); });
  }

  TemporaryFolder temporary_;
};

void expect_small(const data::GraphDataset& dataset) {
  EXPECT_EQ(dataset.name, "SMALL");
  ASSERT_EQ(dataset.size(), 3U);
  EXPECT_EQ(dataset.vertex_offsets, (std::vector<std::int64_t>{0, 3, 3, 6}));
  EXPECT_EQ(dataset.graphs[0].vertex_count(), 3);
  EXPECT_EQ(dataset.graphs[1].vertex_count(), 0);
  EXPECT_EQ(dataset.graphs[2].vertex_count(), 3);
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(edge_set(dataset.graphs[1]), Edges{});
  EXPECT_EQ(edge_set(dataset.graphs[2]), (Edges{{0, 1}}));
  EXPECT_EQ(dataset.labels, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(dataset.classes, (std::vector<std::string>{"-1", "5"}));
  EXPECT_EQ(dataset.node_labels, (std::vector<int>{7, 8, -9, 7, 7, 7}));
  EXPECT_EQ(dataset.attribute_count, 2U);
  EXPECT_EQ(dataset.node_attributes, (std::vector<double>{1.5, 2, 0.1, -3e-5, 1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(dataset.cleaning.self_loops_dropped, 0);
  EXPECT_EQ(dataset.cleaning.duplicate_edges_merged, 0);
  EXPECT_TRUE(dataset.notes.empty());
}

TEST_F(TuDataset, IsReadFromAFolder) {
  put(small_dataset());
  expect_small(read());
}

TEST_F(TuDataset, NodeLabelsAndAttributesAreOptional) {
  Files files = small_dataset();
  files.erase("SMALL_node_labels.txt");
  files.erase("SMALL_node_attributes.txt");
  put(files);
  const auto dataset = read();
  EXPECT_TRUE(dataset.node_labels.empty());
  EXPECT_TRUE(dataset.node_attributes.empty());
  EXPECT_EQ(dataset.attribute_count, 0U);
}

TEST_F(TuDataset, LabelsAreOptional) {
  Files files = small_dataset();
  files.erase("SMALL_graph_labels.txt");
  put(files);
  const auto unlabelled = read();
  EXPECT_TRUE(unlabelled.labels.empty());
  EXPECT_TRUE(unlabelled.classes.empty());
  EXPECT_EQ(unlabelled.vertex_offsets, (std::vector<std::int64_t>{0, 3, 3, 6}));
  ASSERT_EQ(unlabelled.size(), 3U);
  EXPECT_EQ(edge_set(unlabelled.graphs[2]), (Edges{{0, 1}}));
  write_archive(temporary_ / "unlabelled.zip", files);
  EXPECT_TRUE(io::read_graph_dataset(temporary_ / "unlabelled.zip").labels.empty());

  files["SMALL_graph_indicator.txt"] = "1\n1\n1\n3\n3\n5000000000\n";
  put(files);
  expect_parts(error(), {"SMALL_graph_indicator.txt:6:", "Graph 5000000000 is too large"});
}

TEST_F(TuDataset, LinesMayEndAndNumbersMayBeSeparatedInManyWays) {
  put({{"SMALL_A.txt", "\xEF\xBB\xBF 1 ,2\r\n2,1\r\n2\t3 \r\n3 2\r\n1,\t3\r\n3,1\r\n4,5\r\n5,4"},
       {"SMALL_graph_indicator.txt", "1 \n 1\n1\n3\n3\n3\n\n  \n\r\n"},
       {"SMALL_graph_labels.txt", "5\r\n-1\r\n5"},
       {"SMALL_node_labels.txt", "7, 0\n8, 1\n-9, 2\n7, 3\n7, 4\n7, 5\n"},
       {"SMALL_node_attributes.txt", "+1.5 2\n.1 -3E-5\n1,1\n2,2\n3,3\n4,4\n"}});
  expect_small(read());
}

TEST_F(TuDataset, IsReadFromArchivesOfAllKinds) {
  for (const std::string ending : {".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".7z"}) {
    for (const std::string inside : {"", "SMALL/", "./deep/er/"}) {
      SCOPED_TRACE(ending + " " + inside);
      Files files{{inside + "README.md", "not numbers"}, {"__MACOSX/._SMALL_A.txt", "not numbers"}};
      for (const auto& [name, content] : small_dataset()) files[inside + name] = content;
      const auto archive = temporary_ / ("data" + ending);
      write_archive(archive, files);
      expect_small(io::read_graph_dataset(archive));
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(temporary_.path()))
    EXPECT_TRUE(entry.is_regular_file()) << entry.path();
}

TEST_F(TuDataset, NamesInArchivesMayBeInAnyScript) {
  Files files;
  for (const auto& [name, content] : small_dataset()) files["\u7db2/" + name] = content;
  ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr);
  write_archive(temporary_ / "data.zip", files);
  expect_small(io::read_graph_dataset(temporary_ / "data.zip"));
  ASSERT_NE(std::setlocale(LC_CTYPE, "C"), nullptr);
}

/// The mark of an encrypted member, set in all headers of a zip archive: bit 0 of their flags.
std::string marked_as_encrypted(std::string zip) {
  for (const auto& [header, flags] : {std::pair("PK\3\4", 6), std::pair("PK\1\2", 8)})
    for (auto at = zip.find(header); at != std::string::npos; at = zip.find(header, at + 1))
      zip[at + static_cast<std::size_t>(flags)] |= 1;
  return zip;
}

TEST_F(TuDataset, EncryptedArchivesAreNamedSo) {
  const auto path = temporary_ / "data.zip";
  write_archive(path, small_dataset());
  write_bytes(path, marked_as_encrypted(read_bytes(path)));
  const auto sentence = user_error_of([&] { (void)io::read_graph_dataset(path); });
  expect_parts(sentence,
               {"data.zip:", " is encrypted, and archives are read without a password; unpack it first."});
}

std::string from_hexadecimal(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

/// Written by py7zr with a password, of D_A.txt and D_graph_indicator.txt: the members alone, then their names, too.
TEST_F(TuDataset, EncryptedSevenZipArchivesAreNamedSo) {
  const auto members = from_hexadecimal(
      "377abcaf271c000450f0e780bb0000000000000016000000000000002b4b6d1cc35f61f70eb4ede52741c19d8f5b0509af517f"
      "2c"
      "6494f49de0a65646e5663719e000a800935d0000813307ae0fd00efe13524a607132c5823e7e0a6265aa8e19fad1f98f0e29e9"
      "1c"
      "8abca483b96a447e67d626638f077535bfd22d3f65dfa40bbaf04da988efd4db424e7a6c688486b8fcf0ea4978c44d4d4951bb"
      "48"
      "a2ade87d07264480f2bc55986b652cd04e7c5874bf4ce0ec1c905fbf7ea378530eeb5c22c6bd59161adb26a44384018da781bb"
      "1e"
      "898fbe20f87f10000000001706200109809b00070b010001212101180c80a90000");
  const auto names = from_hexadecimal(
      "377abcaf271c0004fceab6c5d0000000000000002a00000000000000d55f3609e666a087fd424e40572cd681980e46a7763bb3"
      "38"
      "fe65ef3883d2e2a19a515e00556222b2fa276bab63f9381671df6dba666c905fc6f29a53f097ce027f9116b2720253853dcba2"
      "7b"
      "bfd09287186dbb4571809abbdc661ea05c179019a8423f9c1e6f1039a7ece54716dbedce52e8064635810aa104f3d1b23ccf79"
      "6a"
      "6ee8808cf466cce962ff9961186f468931b5f9eb2b33af8e55005ad75fae85d7ce31347307e14957b183450e5ecd85327032ec"
      "7e"
      "e354e7fd8931c47f0025cc5facf35656b40f76ea33b69664283d90fb19120a5c170620010980b000070b0100012406f1070112"
      "53"
      "0f72fffa3e342afc632f07886e2d16c6c60c80a90000");
  const auto path = (temporary_ / "data.7z").string();
  const auto sentence = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    return user_error_of([&] { (void)io::read_graph_dataset(path); });
  };
  const std::string rest = " is encrypted, and archives are read without a password; unpack it first.";
  EXPECT_EQ(sentence(members), path + ":D_A.txt" + rest);
  EXPECT_EQ(sentence(names), path + rest);
  // A reason is given if libarchive has one, and none is made up.
  for (const auto& whole : {members, names})
    for (std::size_t length = 8; length < whole.size(); ++length) {
      const auto said = sentence(whole.substr(0, length));
      EXPECT_EQ(said.find("unknown"), std::string::npos) << said;
      EXPECT_TRUE(said.starts_with(path) && said.ends_with(".") && !said.ends_with(": .")) << said;
    }
}

TEST_F(TuDataset, ArchiveEndingsMayBeInCapitals) {
  write_archive(temporary_ / "data.zip", small_dataset());
  std::filesystem::rename(temporary_ / "data.zip", temporary_ / "DATA.ZIP");
  expect_small(io::read_graph_dataset(temporary_ / "DATA.ZIP"));
}

TEST_F(TuDataset, FilesOfAFolderMustBeRegular) {
  put(small_dataset());
  const auto labels = folder() / "SMALL_graph_labels.txt";
  std::filesystem::remove(labels);
  std::filesystem::create_symlink("/dev/zero", labels);
  EXPECT_EQ(error(), labels.string() + ": This is not a regular file.");
}

TEST_F(TuDataset, SelfLoopsAndRepetitionsAreCounted) {
  put_with("SMALL_A.txt", "1, 2\n2, 1\n1, 2\n1, 2\n3, 3\n6, 6\n6, 6\n");
  const auto dataset = read();
  EXPECT_EQ(edge_set(dataset.graphs[0]), (Edges{{0, 1}}));
  EXPECT_EQ(edge_set(dataset.graphs[2]), Edges{});
  EXPECT_EQ(dataset.cleaning.self_loops_dropped, 3);
  EXPECT_EQ(dataset.cleaning.duplicate_edges_merged, 2);
}

TEST_F(TuDataset, ANoteTellsOfDirectedEdgesOnce) {
  put_with("SMALL_A.txt", "1, 2\n2, 1\n1, 3\n5, 4\n");
  const auto mixed = read();
  ASSERT_EQ(mixed.notes.size(), 1U);
  EXPECT_NE(mixed.notes[0].find("undirected"), std::string::npos);
  EXPECT_EQ(edge_set(mixed.graphs[0]), (Edges{{0, 1}, {0, 2}}));
  EXPECT_EQ(edge_set(mixed.graphs[2]), (Edges{{0, 1}}));

  put_with("SMALL_A.txt", "1, 2\n1, 3\n5, 4\n");
  EXPECT_TRUE(read().notes.empty());
}

TEST_F(TuDataset, LabelsAreSortedAsNumbers) {
  put_with("SMALL_graph_labels.txt", "10\n9\n-2\n");
  const auto dataset = read();
  EXPECT_EQ(dataset.classes, (std::vector<std::string>{"-2", "9", "10"}));
  EXPECT_EQ(dataset.labels, (std::vector<int>{2, 1, 0}));
}

/// Many random datasets, their lines in random order, against one Graph::from_edges per graph.
TEST_F(TuDataset, PackedGraphsEqualGraphsMadeOneByOne) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    base::RandomStream random(1, round);
    const std::size_t graphs = 1 + random.below(8);
    const bool both_directions = random.below(2) == 0;
    std::vector<std::vector<data::Edge>> edges(graphs);
    std::vector<data::Vertex> sizes(graphs);
    std::vector<std::string> lines;
    std::string indicator;
    std::string labels;
    std::int64_t first = 1;
    for (std::size_t g = 0; g < graphs; ++g) {
      sizes[g] = static_cast<data::Vertex>(random.below(9)) + (g + 1 == graphs ? 1 : 0);
      for (data::Vertex v = 0; v < sizes[g]; ++v) indicator += std::to_string(g + 1) + "\n";
      labels += std::to_string(g) + "\n";
      for (std::uint64_t i = sizes[g] > 0 ? random.below(30) : 0; i > 0; --i) {
        const auto size = static_cast<std::uint64_t>(sizes[g]);
        const auto a = static_cast<data::Vertex>(random.below(size));
        const auto b = static_cast<data::Vertex>(random.below(size));
        edges[g].push_back({a, b});
        if (both_directions) edges[g].push_back({b, a});
      }
      for (const data::Edge& e : edges[g])
        lines.push_back(std::to_string(first + e.a) + ", " + std::to_string(first + e.b) + "\n");
      first += sizes[g];
    }
    for (std::size_t i = lines.size(); i > 1; --i) std::swap(lines[i - 1], lines[random.below(i)]);
    std::string text;
    for (const std::string& line : lines) text += line;
    put({{"R_A.txt", text}, {"R_graph_indicator.txt", indicator}, {"R_graph_labels.txt", labels}});

    const auto dataset = read();
    ASSERT_EQ(dataset.size(), graphs);
    data::Graph::Cleaning expected;
    for (std::size_t g = 0; g < graphs; ++g) {
      data::Graph::Cleaning cleaning;
      const auto graph = data::Graph::from_edges(sizes[g], edges[g], false, &cleaning);
      expected.self_loops_dropped += cleaning.self_loops_dropped;
      expected.duplicate_edges_merged += cleaning.duplicate_edges_merged;
      EXPECT_EQ(dataset.graphs[g].vertex_count(), sizes[g]);
      EXPECT_EQ(edge_set(dataset.graphs[g]), edge_set(graph));
    }
    EXPECT_EQ(dataset.cleaning.self_loops_dropped, expected.self_loops_dropped);
    EXPECT_EQ(dataset.cleaning.duplicate_edges_merged, expected.duplicate_edges_merged);
    EXPECT_TRUE(dataset.notes.empty() || !both_directions);
  }
}

TEST_F(TuDataset, GraphsOutliveTheirDataset) {
  put(small_dataset());
  const data::Graph triangle = read().graphs[0];
  EXPECT_EQ(edge_set(triangle), (Edges{{0, 1}, {0, 2}, {1, 2}}));
}

struct BadFile {
  std::string file;
  std::string content;
  std::vector<std::string> parts;  // of the sentence
};

TEST_F(TuDataset, BadContentIsRefusedWithFileLineAndNumbers) {
  const std::string a = "SMALL_A.txt";
  const std::string indicator = "SMALL_graph_indicator.txt";
  const std::string labels = "SMALL_graph_labels.txt";
  const std::string node_labels = "SMALL_node_labels.txt";
  const std::string attributes = "SMALL_node_attributes.txt";
  const std::vector<BadFile> cases = {
      {a, "1, 2\n3, 4\n", {a + ":2:", "vertex 3 of graph 1", "vertex 4 of graph 3"}},
      {a, "1, 2\n\n2, 1\n", {a + ":2:", "empty"}},
      {a, "1, 7\n", {a + ":1:", "Vertex 7", "1 to 6"}},
      {a, "1, 2\n0, 1\n", {a + ":2:", "Vertex 0", "1 to 6"}},
      {a, "-1, 1\n", {a + ":1:", "Vertex -1"}},
      {a, "1, two\n", {a + ":1:", "'two' is not an integer"}},
      {a, "1, 2\n1, 2.5\n", {a + ":2:", "'2.5' is not an integer"}},
      {a, "1, 2x\n", {a + ":1:", "'2x'"}},
      {a, std::string("1, \x01\xff\0z\n", 8), {a + ":1:", "'\\x01\\xff\\x00z'"}},
      {a, "1, " + std::string(5000, 'y') + "\n", {a + ":1:", "'" + std::string(40, 'y') + "...'"}},
      {a, "1, 99999999999999999999\n", {a + ":1:", "'99999999999999999999' is too large"}},
      {a, "1\n", {a + ":1:", "number is missing"}},
      {a, "1,\n", {a + ":1:", "missing after the last comma"}},
      {a, "1,,2\n", {a + ":1:", "number is missing"}},
      {a, "1, 2, 3\n", {a + ":1:", "','", "line should end"}},
      {a, "1 2 3\n", {a + ":1:", "'3' stands"}},
      {indicator,
       "1\n1\n1\n3\n3\n4\n",
       {labels + ":4:", "label is missing", "3 labels", indicator + ":6", "graph 4"}},
      {indicator, "1\n1\n1\n3\n2\n3\n", {indicator + ":5:", "Graph 2", "graph 3"}},
      {indicator, "0\n1\n1\n3\n3\n3\n", {indicator + ":1:", "Graph 0"}},
      {indicator, "1\n1\n1\n2\n2\n2\n", {labels + ":3:", "3 labels", "graph 2"}},
      {indicator, "", {indicator + ":1:", "empty", "0 vertices"}},
      {indicator, "\n\n", {indicator + ":1:", "empty", "0 vertices"}},
      {indicator, "1\n1\n1\n3\n3\n", {node_labels + ":6:", "6 lines", "has 5"}},
      {labels, "5\n-1\n", {labels + ":3:", "2 labels", "graph 3"}},
      {labels, "5\n-1\n5\n5\n", {labels + ":4:", "4 labels", "graph 3"}},
      {labels, "", {labels + ":1:", "0 labels", "graph 1"}},
      {labels, "5\n\n5\n", {labels + ":2:", "empty"}},
      {labels, "5\nA\n5\n", {labels + ":2:", "'A'"}},
      {node_labels, "7\n8\n", {node_labels + ":3:", "2 lines", "has 6"}},
      {node_labels, "7\n8\n7\n7\n7\n7\n7\n", {node_labels + ":7:", "7 lines", "has 6"}},
      {node_labels, "7\n8\n7\n7\n7\n3000000000\n", {node_labels + ":6:", "3000000000", "2147483647"}},
      {node_labels, "7\n8 1\n7\n7\n7\n7\n", {node_labels + ":2:", "2 columns", "has 1"}},
      {attributes, "1\n2\n3\n4\n5\n", {attributes + ":6:", "5 lines", "has 6"}},
      {attributes, "1\n2\n3\n4\n5\nnan\n", {attributes + ":6:", "'nan' is not a finite number"}},
      {attributes, "1\n-inf\n3\n4\n5\n6\n", {attributes + ":2:", "'-inf' is not a finite number"}},
      {attributes, "1\n1e999\n3\n4\n5\n6\n", {attributes + ":2:", "'1e999'"}},
      {attributes, "1\n+-1\n3\n4\n5\n6\n", {attributes + ":2:", "'+-1' is not a number"}},
      {attributes, "1\n1.5.2\n3\n4\n5\n6\n", {attributes + ":2:", "'1.5.2' is not a number"}},
      {attributes, "1,2\n1,2\n1\n4,5\n5,6\n6,7\n", {attributes + ":3:", "1 columns", "has 2"}},
  };
  for (const BadFile& bad : cases) {
    SCOPED_TRACE(bad.file + ": " + bad.content.substr(0, 60));
    put_with(bad.file, bad.content);
    expect_parts(error(), bad.parts);
  }
}

TEST_F(TuDataset, MembersOfArchivesAreNamedInErrors) {
  Files files;
  for (const auto& [name, content] : small_dataset()) files["SMALL/" + name] = content;
  files["SMALL/SMALL_A.txt"] = "1, 2\n1, x\n";
  const auto archive = temporary_ / "bad.tar.gz";
  write_archive(archive, files);
  const std::string sentence = user_error_of([&] { (void)io::read_graph_dataset(archive); });
  expect_parts(sentence, {archive.string() + ":SMALL/SMALL_A.txt:2:", "'x'"});
}

TEST_F(TuDataset, MissingFilesAreNamed) {
  for (const std::string name : {"SMALL_A.txt", "SMALL_graph_indicator.txt"}) {
    Files files = small_dataset();
    files.erase(name);
    put(files);
    expect_parts(error(),
                 {folder().string(), name == "SMALL_A.txt" ? "no file NAME_A.txt" : "but no " + name});
    write_archive(temporary_ / "missing.zip", files);
    expect_parts(user_error_of([&] { (void)io::read_graph_dataset(temporary_ / "missing.zip"); }),
                 {"missing.zip", name == "SMALL_A.txt" ? "no file NAME_A.txt" : "but no " + name});
  }
}

TEST_F(TuDataset, OnlyOneDatasetMayBeThere) {
  put_with("OTHER_A.txt", "1, 2\n");
  expect_parts(error(), {"2 files", "OTHER_A.txt", "SMALL_A.txt"});
}

TEST_F(TuDataset, WhatCannotBeReadIsAnError) {
  expect_parts(error(), {"does not exist"});
  put({});
  expect_parts(error(), {"no file NAME_A.txt"});
  put(small_dataset());
  std::filesystem::remove(folder() / "SMALL_graph_labels.txt");
  std::filesystem::create_directory(folder() / "SMALL_graph_labels.txt");
  expect_parts(error(), {"SMALL_graph_labels.txt", "cannot be read"});
}

TEST_F(TuDataset, WhatIsNoArchiveIsAnError) {
  for (const std::string& content : {std::string("1 2\n2 3\n"), std::string(3000, '\xab'), std::string()}) {
    for (const std::string name : {"x.zip", "x.tar.xz", "x.7z", "x.tar"}) {
      replace_file(temporary_ / name, content);
      expect_parts(user_error_of([&] { (void)io::read_graph_dataset(temporary_ / name); }), {name});
    }
  }
  expect_parts(user_error_of([&] { (void)io::read_tu_dataset(temporary_ / "absent.zip"); }), {"absent.zip"});
}

/// Text that does not compress well, so that any cut falls into the data.
TEST_F(TuDataset, TruncatedArchivesAreErrors) {
  Files files = small_dataset();
  base::RandomStream random(2);
  files["SMALL_A.txt"] = "";
  for (int i = 0; i < 3000; ++i)
    files["SMALL_A.txt"] +=
        std::to_string(1 + random.below(3)) + ", " + std::to_string(1 + random.below(3)) + "\n";
  for (const std::string ending : {".zip", ".tar", ".tar.gz", ".tar.xz", ".tar.bz2", ".7z"}) {
    const auto archive = temporary_ / ("cut" + ending);
    write_archive(archive, files);
    const std::string whole = read_bytes(archive);
    for (const double part : {0.05, 0.3, 0.5, 0.6}) {
      SCOPED_TRACE(ending + " " + std::to_string(part));
      replace_file(archive,
                   whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
      expect_parts(user_error_of([&] { (void)io::read_graph_dataset(archive); }), {archive.string()});
    }
  }
}

TEST_F(TuDataset, CancellingStopsReading) {
  put(small_dataset());
  const std::atomic<bool> cancel = true;
  base::Context context;
  context.cancel = &cancel;
  try {
    (void)io::read_graph_dataset(folder(), context);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::cancelled);
  }
}

/// One to three random changes: a byte replaced, inserted or removed, a number swapped for another, or the
/// end cut off.
std::string spoiled(std::string bytes, base::RandomStream& random) {
  static const std::vector<std::string> pieces = {"-",           ",",    "\n",    "\r", "\t", "9", "0",
                                                  "99999999999", "nan",  "1e308", "x",  " ",  ".", "\xff",
                                                  "2147483648",  "\n\n", "1\n",   "+",  "#"};
  for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
    const std::size_t at = random.below(bytes.size() + 1);
    switch (random.below(5)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.insert(at, pieces[random.below(pieces.size())]);
        break;
      case 2:
        bytes.erase(at, 1 + random.below(4));
        break;
      case 3:
        bytes.insert(at, 1, static_cast<char>(random.below(256)));
        break;
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
    }
  }
  return bytes;
}

/// Reads, and checks what was read as far as it can be: either it is a sound dataset or there was an error.
bool read_or_refuse(const std::filesystem::path& path) {
  try {
    const auto dataset = io::read_graph_dataset(path);
    for (const data::Graph& graph : dataset.graphs) (void)edge_set(graph);
    EXPECT_EQ(dataset.vertex_offsets.size(), dataset.size() + 1);
    return true;
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return false;
  }
}

TEST_F(TuDataset, SpoiledFilesAreReadOrRefused) {
  int accepted = 0;
  int refused = 0;
  for (std::uint64_t round = 0; round < 3000; ++round) {
    base::RandomStream random(3, round);
    Files files = small_dataset();
    auto chosen = std::next(files.begin(), static_cast<std::ptrdiff_t>(random.below(files.size())));
    if (round == 0) put(files);
    const std::string good = chosen->second;
    replace_file(folder() / chosen->first, spoiled(good, random));
    ++(read_or_refuse(folder()) ? accepted : refused);
    replace_file(folder() / chosen->first, good);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 1000);
}

TEST_F(TuDataset, SpoiledArchivesAreReadOrRefused) {
  for (const std::string ending : {".zip", ".tar", ".tar.gz", ".tar.xz", ".7z"}) {
    const auto archive = temporary_ / ("data" + ending);
    write_archive(archive, small_dataset());
    const std::string good = read_bytes(archive);
    int refused = 0;
    for (std::uint64_t round = 0; round < 400; ++round) {
      base::RandomStream random(4, round);
      replace_file(archive, spoiled(good, random));
      if (!read_or_refuse(archive)) ++refused;
    }
    EXPECT_GT(refused, 100) << ending;
  }
}

void expect_equal(const data::GraphDataset& a, const data::GraphDataset& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t g = 0; g < a.size(); ++g) {
    EXPECT_EQ(a.graphs[g].vertex_count(), b.graphs[g].vertex_count());
    EXPECT_EQ(edge_set(a.graphs[g]), edge_set(b.graphs[g]));
  }
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.vertex_offsets, b.vertex_offsets);
  EXPECT_EQ(a.node_labels, b.node_labels);
  EXPECT_EQ(a.attribute_count, b.attribute_count);
  EXPECT_EQ(a.node_attributes, b.node_attributes);  // the same doubles
}

TEST_F(TuDataset, WritingAndReadingGivesTheSame) {
  auto dataset = data::shapes_dataset(10);
  const auto vertices = static_cast<std::size_t>(dataset.vertex_offsets.back());
  base::RandomStream random(5);
  dataset.attribute_count = 3;
  for (std::size_t v = 0; v < vertices; ++v)
    dataset.node_labels.push_back(static_cast<int>(random.below(9)) - 4);
  for (std::size_t i = 0; i < 3 * vertices; ++i) dataset.node_attributes.push_back(random.normal() * 1e-3);
  dataset.node_attributes[0] = std::numeric_limits<double>::denorm_min();
  dataset.node_attributes[1] = std::numeric_limits<double>::max();
  dataset.node_attributes[2] = -0.1;

  io::write_tu_dataset(temporary_ / "COPY", dataset);
  const auto copy = io::read_graph_dataset(temporary_ / "COPY");
  EXPECT_EQ(copy.name, "COPY");
  expect_equal(dataset, copy);
  EXPECT_TRUE(copy.notes.empty());
  EXPECT_EQ(temporary_.entries(), 1);

  io::write_tu_dataset(temporary_ / "PLAIN/", data::shapes_dataset(3));
  expect_equal(data::shapes_dataset(3), io::read_graph_dataset(temporary_ / "PLAIN"));
}

TEST_F(TuDataset, EmptyGraphsSurviveWriting) {
  put(small_dataset());
  const auto dataset = read();
  io::write_tu_dataset(temporary_ / "SMALL", dataset);
  expect_small(io::read_graph_dataset(temporary_ / "SMALL"));
}

TEST_F(TuDataset, WritingRefusesToOverwriteOrToLose) {
  const auto refusal = [&](const data::GraphDataset& dataset) {
    const auto sentence = user_error_of([&] { io::write_tu_dataset(temporary_ / "NEW", dataset); });
    EXPECT_FALSE(std::filesystem::exists(temporary_ / "NEW"));
    return sentence;
  };
  const auto good = data::shapes_dataset(2);
  auto dataset = good;
  dataset.classes[0] = "tree";
  expect_parts(refusal(dataset), {"'tree'"});
  dataset = good;
  dataset.labels.clear();
  expect_parts(refusal(dataset), {"0 labels for 6 graphs"});
  dataset = good;
  dataset.graphs.emplace_back();
  dataset.labels.push_back(0);
  dataset.vertex_offsets.push_back(dataset.vertex_offsets.back());
  expect_parts(refusal(dataset), {"last graph, 7"});
  dataset = good;
  const std::vector<data::Edge> edges{{0, 1, 2.0}};
  dataset.graphs[1] = data::Graph::from_edges(dataset.graphs[1].vertex_count(), edges, true);
  expect_parts(refusal(dataset), {"graph 2 has edge weights"});
  expect_parts(refusal({}), {"no vertices"});

  std::filesystem::create_directory(temporary_ / "OLD");
  expect_parts(user_error_of([&] { io::write_tu_dataset(temporary_ / "OLD", good); }), {"OLD", "exists"});
  EXPECT_TRUE(std::filesystem::is_empty(temporary_ / "OLD"));
}

}  // namespace
}  // namespace perslay::test
