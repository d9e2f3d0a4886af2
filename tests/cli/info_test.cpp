#include "cli/program.h"

namespace perslay::test {
namespace {

TEST(Info, CountsADatasetMadeByHand) {
  const TemporaryFolder folder;
  const auto json = run_json({"info", write_small_dataset(folder)});
  EXPECT_EQ(json["name"], "small");
  EXPECT_EQ(json["graphs"], 3);
  EXPECT_EQ(json["classes"], 2);
  EXPECT_EQ(json["class_sizes"], nlohmann::json::parse(R"([{"name":"-2","size":1},{"name":"5","size":2}])"));
  EXPECT_DOUBLE_EQ(json["avg_nodes"], 3);
  EXPECT_DOUBLE_EQ(json["avg_edges"], 2);
  EXPECT_DOUBLE_EQ(json["avg_beta0"], 4.0 / 3);
  EXPECT_DOUBLE_EQ(json["avg_beta1"], 1.0 / 3);
  EXPECT_EQ(json["largest_graph"], 4);
  EXPECT_EQ(json["isolated_vertices"], 2);
  EXPECT_EQ(json["self_loops_dropped"], 1);
  EXPECT_EQ(json["duplicate_edges_merged"], 0);
  EXPECT_EQ(json["node_attributes"], 0);
}

TEST(Info, SaysTheSameInWords) {
  const TemporaryFolder folder;
  const auto result = run({"info", write_small_dataset(folder)});
  EXPECT_EQ(result.exit_code, 0);
  for (const std::string line : {"graphs                  3\n", "classes                 2 (-2: 1, 5: 2)\n",
                                 "average beta0           1.333\n", "self loops dropped      1\n"})
    EXPECT_NE(result.out.find(line), std::string::npos) << result.out << "lacks " << line;
}

TEST(Info, DescribesDiagramFiles) {
  const TemporaryFolder folder;
  write_bytes(
      folder / "d.csv",
      "item,filtration,kind,birth,death\n0,degree,ord0,1,2\n2,degree,ord0,-1,4\n2,degree,ord0,0,inf\n");
  const auto json = run_json({"info", (folder / "d.csv").string()});
  EXPECT_EQ(json["items"], 3);
  const auto& group = json["groups"].at(0);
  EXPECT_EQ(group["points"], 3);
  EXPECT_EQ(group["infinite"], 1);
  EXPECT_DOUBLE_EQ(group["points_per_item"], 1);
  EXPECT_DOUBLE_EQ(group["mean_persistence"], 3);
  EXPECT_EQ(group["births"], nlohmann::json::parse("[-1.0,1.0]"));
  EXPECT_EQ(group["deaths"], nlohmann::json::parse("[2.0,4.0]"));
  const auto text = run({"info", (folder / "d.csv").string()});
  EXPECT_NE(text.out.find("degree      ord0       3      1.00  -1 .. 1  2 .. 4"), std::string::npos)
      << text.out;
}

TEST(Info, ReadsEdgeListsCalledCsv) {
  const TemporaryFolder folder;
  write_bytes(folder / "edges.csv", "0,1\n1,2\n2,0\n");
  EXPECT_DOUBLE_EQ(run_json({"info", (folder / "edges.csv").string(), "--as", "graphs"})["avg_beta1"], 1);
}

TEST(Info, ReadsOneBasedEdgeLists) {
  const TemporaryFolder folder;
  write_bytes(folder / "list.txt", "1 2\n2 3\n");
  const auto path = (folder / "list.txt").string();
  EXPECT_DOUBLE_EQ(run_json({"info", path, "--one-based"})["avg_nodes"], 3);
  EXPECT_DOUBLE_EQ(run_json({"info", path, "--as", "graphs", "--quiet"})["avg_nodes"], 4);
  // The note that vertex 0 exists is said once, and not at all if it shall be quiet.
  EXPECT_NE(run({"info", path, "--as", "graphs"}).err.find("--one-based"), std::string::npos);
  EXPECT_EQ(run({"info", path, "--as", "graphs", "--quiet"}).err, "");
}

TEST(Info, ArchivesUnpackToALimit) {
  const TemporaryFolder folder;
  const auto archive = (folder / "small.tar").string();
  const auto dataset = write_small_dataset(folder);
  ASSERT_EQ(std::system(("tar -C '" + dataset + "' -cf '" + archive + "' .").c_str()), 0);
  EXPECT_EQ(run_json({"info", archive, "--unpack-limit", "1K"})["graphs"], 3);
  expect_mistake({"info", archive, "--unpack-limit", "20"},
                 "at most 20 are allowed; --unpack-limit allows more");
  for (const std::string size : {"", "many", "-1", "1g", "1GB", "99999999P", "8388608P"})
    expect_mistake({"info", archive, "--unpack-limit", size}, "--unpack-limit needs a number of bytes");
}

TEST(Info, BadFilesAreMistakes) {
  const TemporaryFolder folder;
  expect_mistake({"info", (folder / "missing").string()}, "missing");
  write_bytes(folder / "empty.txt", "");
  expect_mistake({"info", (folder / "empty.txt").string()}, "empty.txt");
  write_bytes(folder / "empty.h5", "");
  expect_mistake({"info", (folder / "empty.h5").string()}, "empty.h5: This is not an HDF5 file");
  write_bytes(folder / "words.txt", "0 1\n0 one\n");
  expect_mistake({"info", (folder / "words.txt").string()}, "words.txt:2: 'one'");
  expect_mistake({"info", folder.path().string()}, folder.path().string());
}

}  // namespace
}  // namespace perslay::test
