#include "graph_parsing.h"

#include <map>

#include <gtest/gtest.h>
#include <zlib.h>

namespace perslay::test {
namespace {

using Strings = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

/// As gzip packs it.
std::string packed(const std::string& text) {
  z_stream state{};
  deflateInit2(&state, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&state, text.size()), '\0');
  std::string input = text;
  state.next_in = reinterpret_cast<Bytef*>(input.data());
  state.avail_in = static_cast<uInt>(input.size());
  state.next_out = reinterpret_cast<Bytef*>(bytes.data());
  state.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  bytes.resize(state.total_out);
  deflateEnd(&state);
  return bytes;
}

/// Three molecules; the second has no edges.
Files molecules() {
  return {{"raw/num-node-list.csv.gz", "3\n2\n2\n"},
          {"raw/num-edge-list.csv.gz", "2\n0\n1\n"},
          {"raw/edge.csv.gz", "0,1\n1,2\n1,0\n"},
          {"raw/graph-label.csv.gz", "1\n0\n1\n"},
          {"raw/node-feat.csv.gz", "5,0\n6,0\n7,0.5\n8,1\n9,1\n1,1\n2,1\n"},
          {"raw/edge-feat.csv.gz", "0,1\n0,1\n0,1\n"},
          {"split/scaffold/train.csv.gz", "0\n"},
          {"split/scaffold/valid.csv.gz", "1\n"},
          {"split/scaffold/test.csv.gz", "2\n"}};
}

Files with(Files files, const std::string& path, const std::string& content) {
  files.insert_or_assign(path, content);
  return files;
}

Files without(Files files, const std::string& path) {
  files.erase(path);
  return files;
}

std::vector<io::ParsedGraph> read(const Files& files, const io::GraphReadOptions& options = {}) {
  std::vector<io::Text> texts;
  for (const auto& [path, content] : files)
    texts.push_back({path, path.ends_with(".gz") ? packed(content) : content});
  return io::parse_ogb("mol", std::move(texts), options, {});
}

TEST(Ogb, GraphsWithFeaturesAndClasses) {
  const auto graphs = read(molecules());
  ASSERT_EQ(graphs.size(), 3U);
  EXPECT_EQ(graphs[0].vertices, 3);
  EXPECT_EQ(arcs_of(graphs[0]), (Arcs{{0, 1}, {1, 2}}));
  EXPECT_TRUE(graphs[1].arcs.empty());
  EXPECT_EQ(arcs_of(graphs[2]), (Arcs{{1, 0}}));
  EXPECT_EQ(columns_of(graphs[0]), (Strings{"node_feat_0: 5 6 7", "node_feat_1: 0 0 0.5"}));
  EXPECT_EQ(columns_of(graphs[2]), (Strings{"node_feat_0: 1 2", "node_feat_1: 1 1"}));
  EXPECT_EQ(graphs[0].label, "1");
  EXPECT_EQ(graphs[1].label, "0");
  EXPECT_EQ(graphs[0].left_out, (Strings{"table 'edge-feat'"}));
  EXPECT_EQ(graphs[0].notes, (Strings{"The dataset has the split scaffold, which is not used."}));
}

TEST(Ogb, FoldersAreReadFromTheTopAndFromRaw) {
  const TemporaryFolder folder;
  EXPECT_FALSE(io::is_ogb_folder(folder.path()));
  for (const auto& [path, content] : molecules()) {
    std::filesystem::create_directories((folder / path).parent_path());
    write_bytes(folder / path, packed(content));
  }
  std::filesystem::create_directories(folder / "split/random");
  for (const auto& place : {folder.path(), folder / "raw"}) {
    ASSERT_TRUE(io::is_ogb_folder(place));
    const auto graphs = io::read_ogb_folder(place, {}, {});
    ASSERT_EQ(graphs.size(), 3U);
    EXPECT_EQ(columns_of(graphs[2]), (Strings{"node_feat_0: 1 2", "node_feat_1: 1 1"}));
    EXPECT_EQ(graphs[0].notes, (Strings{"The dataset has the splits random, scaffold, which are not used."}));
  }
  write_bytes(folder / "raw/edge.csv.gz", packed("0,1\n1,3\n1,0\n"));
  EXPECT_EQ(user_error_of([&] { (void)io::read_ogb_folder(folder.path(), {}, {}); }),
            (folder / "raw/edge.csv.gz").string() +
                ":2: Vertex 3 is out of range: graph 0, counted from 0, has 3 vertices.");
  EXPECT_TRUE(user_error_of([&] {
                (void)io::read_ogb_folder(folder / "split", {}, {});
              }).ends_with("split holds no num-node-list.csv.gz."));
}

/// Datasets of single nodes are one graph without a class.
TEST(Ogb, OneGraphWithLabelsOfNodes) {
  const auto graphs = read({{"num-node-list.csv", "3\n"},
                            {"num-edge-list.csv", "2\n"},
                            {"edge.csv", "0,1\n1,2\n"},
                            {"node-feat.csv", "1\n2\n3\n"},
                            {"node-label.csv.gz", "4\n5\n4\n"}});
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(columns_of(graphs[0]), (Strings{"node_feat: 1 2 3", "label: 4 5 4"}));
  EXPECT_FALSE(graphs[0].label.has_value());
}

TEST(Ogb, TargetsAreNoClasses) {
  const auto graph = [](const std::string& labels) {
    return read(with(molecules(), "raw/graph-label.csv.gz", labels))[0];
  };
  for (const std::string numbers : {"0.5\n1\n2\n", "1.0\n0.0\n1.0\n", "1\nnan\n0\n", "1\n\n0\n"}) {
    EXPECT_FALSE(graph(numbers).label.has_value()) << numbers;
    EXPECT_EQ(graph(numbers).left_out.front(), "table 'graph-label', whose values are not all integers");
  }
  EXPECT_FALSE(graph("1,0\n0,0\n0,1\n").label.has_value());
  EXPECT_EQ(graph("1,0\n0,0\n0,1\n").left_out.front(), "table 'graph-label', which has 2 columns");
}

TEST(Ogb, MembersOfArchives) {
  for (const auto* const path :
       {"molhiv/raw/edge.csv.gz", "num-node-list.csv", "a/split/random/valid.csv.gz"})
    EXPECT_TRUE(io::belongs_to_ogb(path)) << path;
  for (const auto* const path :
       {"molhiv/mapping/mol.csv.gz", "edges.csv", "edge.csv.xz", "train.csv.gz", "split/x"})
    EXPECT_FALSE(io::belongs_to_ogb(path)) << path;
}

TEST(Ogb, WhatIsRefused) {
  const auto expect = [](const Files& files, const std::string& sentence) {
    EXPECT_EQ(user_error_of([&] { (void)read(files); }), sentence);
  };
  const auto changed = [](const std::string& table, const std::string& content) {
    return with(molecules(), "raw/" + table + ".csv.gz", content);
  };
  for (const std::string table : {"edge", "num-node-list", "num-edge-list"})
    expect(without(molecules(), "raw/" + table + ".csv.gz"),
           "mol holds no " + table + ".csv.gz, which belongs to a dataset of the Open Graph Benchmark.");
  expect(with(molecules(), "raw/edge.csv", ""),
         "mol holds edge.csv and edge.csv.gz; one of them is expected.");
  expect(with(molecules(), "old/edge.csv.gz", ""),
         "mol holds tables of the Open Graph Benchmark in 'old/' and in 'raw/'; one dataset is expected.");
  expect(changed("triplet-type-list", ""),
         "mol holds a graph with several kinds of nodes or edges (triplet-type-list); graphs with one kind "
         "are read.");
  expect(changed("num-node-list", ""), "mol/raw/num-node-list.csv.gz:1: The dataset has no graphs.");
  expect(changed("num-node-list", "3\n-1\n2\n"),
         "mol/raw/num-node-list.csv.gz:2: -1 is out of range: a graph has 0 to 2147483646 of them.");
  expect(changed("num-node-list", "3\n2\n2,1\n"),
         "mol/raw/num-node-list.csv.gz:3: ',' stands where the line should end.");
  expect(changed("num-node-list", "3\n2\n2000000\n"),
         "mol/raw/num-node-list.csv.gz: 2000005 vertices are too many for edges of 12 bytes: most would have "
         "none.");
  expect(changed("num-edge-list", "3\n"),
         "mol/raw/num-edge-list.csv.gz:1: There are 1 lines, but mol/raw/num-node-list.csv.gz has 3; both "
         "need one per "
         "graph.");
  expect(changed("edge", "0,1\n1,2\n"),
         "mol/raw/edge.csv.gz:2: The file ends too early: mol/raw/num-edge-list.csv.gz says that there are 3 "
         "edges.");
  expect(changed("edge", "0,1\n1,2\n1,0\n0,1\n"),
         "mol/raw/edge.csv.gz:4: The edge is one more than the 3 that mol/raw/num-edge-list.csv.gz says.");
  expect(changed("edge", "0,1\n1,2\n1,2\n"),
         "mol/raw/edge.csv.gz:3: Vertex 2 is out of range: graph 2, counted from 0, has 2 vertices.");
  expect(changed("edge", "0,1\n1\n1,0\n"), "mol/raw/edge.csv.gz:2: A number is missing.");
  expect(changed("edge", "0,1,1\n1,0\n1,0\n"),
         "mol/raw/edge.csv.gz:1: '1' stands where the line should end.");
  expect(changed("graph-label", "1\n0\n"),
         "mol/raw/graph-label.csv.gz:3: The file has 2 lines, but there are 3 graphs.");
  expect(changed("graph-label", "1\nb\n0\n"), "mol/raw/graph-label.csv.gz:2: 'b' is not a number.");
  expect(changed("node-feat", "1\n2\n"),
         "mol/raw/node-feat.csv.gz:3: The file has 2 lines, but there are 7 vertices.");
  expect(changed("node-feat", "1\n2\n3\n4\n5\n6\n7\n8\n"),
         "mol/raw/node-feat.csv.gz:8: The line is one more than there are vertices: 7.");
  expect(changed("node-feat", "1\n2,3\n"),
         "mol/raw/node-feat.csv.gz:2: The line has 2 columns, but the first line has 1.");
  expect(changed("node-feat", "1\nnan\n"), "mol/raw/node-feat.csv.gz:2: 'nan' is not a finite number.");
  auto damaged = std::vector<io::Text>{{"num-node-list.csv.gz", packed("3\n").substr(0, 12)}};
  expect_parts(user_error_of([&] { (void)io::parse_ogb("mol", damaged, {}, {}); }),
               {"mol/num-node-list.csv.gz is damaged or cut short"});
}

/// Small files of zeros must not fill the memory.
TEST(Ogb, UnpacksWithinALimit) {
  EXPECT_EQ(user_error_of([] { (void)read(molecules(), {.unpack_limit = 20}); }),
            "mol/raw/edge.csv.gz unpacks to more than the 20 bytes that are allowed for the dataset; "
            "--unpack-limit "
            "allows more.");
}

}  // namespace
}  // namespace perslay::test
