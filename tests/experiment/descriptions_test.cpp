#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <io/temporary_folder.h>
#include <nlohmann/json.hpp>
#include <sentence.h>

#include <perslay/experiment/descriptions.h>
#include <perslay/experiment/paper.h>
#include <perslay/experiment/reproduce.h>

namespace perslay::experiment {
namespace {

using Cell = Description::Cell;

std::vector<std::string> ours(const Description::Row& row) {
  std::vector<std::string> all;
  for (const auto& cell : row.cells) all.push_back(cell.ours);
  return all;
}

TEST(Descriptions, OrbitsAndSettingsAreThePapers) {
  for (const auto* name : {"table-orbits-description", "table-settings"}) {
    const auto table = describe(name, {}, {});
    EXPECT_EQ(table.rows.size(), name == std::string("table-settings") ? 13U : 2U);
    for (const auto& row : table.rows) {
      EXPECT_EQ(row.cells.size(), table.columns.size());
      for (const auto& [ours, paper] : row.cells) EXPECT_EQ(ours, paper) << row.dataset;
    }
  }
}

/// A triangle and two single vertices; a path of three, with a self loop and an edge said twice.
void write_small_dataset(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "MUTAG_A.txt") << "1, 2\n2, 3\n3, 1\n6, 7\n7, 8\n7, 6\n6, 6\n";
  std::ofstream(folder / "MUTAG_graph_indicator.txt") << "1\n1\n1\n1\n1\n2\n2\n2\n";
  std::ofstream(folder / "MUTAG_graph_labels.txt") << "1\n-1\n";
}

TEST(Descriptions, DatasetsAreCounted) {
  const test::TemporaryFolder folder;
  write_small_dataset(folder.path() / "MUTAG");
  const auto table = describe("table-datasets", folder.path(), {"mutag"});
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].cells.size(), table.columns.size());
  // (5 + 3) / 2 vertices, (3 + 2) / 2 edges, (3 + 1) / 2 components, (1 + 0) / 2 loops
  EXPECT_EQ(ours(table.rows[0]), (std::vector<std::string>{"2", "2", "4.00", "2.50", "2.0", "0.50"}));
  EXPECT_EQ(cells(table)[1][1], "2 (paper: 188)");
  EXPECT_EQ(cells(table)[1][2], "2");
}

TEST(Descriptions, RealDatasetsAreThePapersUpToTheRemarks) {
  const char* data = std::getenv("PERSLAY_DATASETS");
  if (data == nullptr) GTEST_SKIP() << "PERSLAY_DATASETS does not name the folder with the real datasets.";
  const auto table = describe("table-datasets", data, {"MUTAG", "COX2", "IMDB-B", "PROTEINS"});
  for (const auto& row : table.rows)
    for (const auto& [ours, paper] : row.cells) EXPECT_EQ(ours == paper, row.remark.empty()) << row.dataset;
}

TEST(Descriptions, FilesSayTheSame) {
  const test::TemporaryFolder folder;
  write_small_dataset(folder.path() / "MUTAG");
  const auto table = describe("table-datasets", folder.path(), {"MUTAG"});
  write(table, folder.path() / "out");
  write(table, folder.path() / "out");  // over its own
  const auto json = nlohmann::json::parse(std::ifstream(folder.path() / "out" / "table-datasets.json"));
  EXPECT_EQ(json["table"], "table-datasets");
  EXPECT_EQ(json["rows"][0]["nodes"]["ours"], "4.00");
  EXPECT_EQ(json["rows"][0]["nodes"]["paper"], "17.93");
  EXPECT_NE(to_markdown(table).find("| MUTAG | 2 (paper: 188) |"), std::string::npos);
  EXPECT_NE(to_markdown(table).find("edges - nodes + beta0"), std::string::npos);
}

TEST(Descriptions, MistakesAreNamed) {
  EXPECT_EQ(test::sentence_of([] { (void)describe("table-settings", {}, {"ENZYMES"}); }),
            "There is no dataset called 'ENZYMES' in table-settings; there are ORBIT5K, ORBIT100K, REDDIT5K, "
            "REDDIT12K, COLLAB, IMDB-B, IMDB-M, COX2, DHFR, MUTAG, PROTEINS, NCI1, NCI109.");
  const test::TemporaryFolder folder;
  EXPECT_NE(
      test::sentence_of([&] { (void)describe("table-datasets", folder.path(), {"MUTAG"}); }).find("--data"),
      std::string::npos);
  std::ofstream(folder.path() / "table-settings.md") << "mine\n";
  EXPECT_NE(
      test::sentence_of([&] { write(describe("table-settings", {}, {}), folder.path()); }).find("in the way"),
      std::string::npos);
}

}  // namespace
}  // namespace perslay::experiment
