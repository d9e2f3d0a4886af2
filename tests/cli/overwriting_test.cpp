#include "cli/program.h"

#include <map>

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

namespace fs = std::filesystem;

/// Graphs and point clouds; what is in them must stay as it is.
class OverwritingTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run({"shapes", "--per-class", "4", "-o", graphs_}).exit_code, 0);
    fs::create_directory(clouds_);
    write_bytes(fs::path(clouds_) / "a.csv", "x,y\n0,0\n2,0\n2,2\n0,2\n");
    write_bytes(fs::path(clouds_) / "b.csv", "0,0\n0,6\n");
    write_bytes(values_, all_values());
    before_ = contents();
  }
  void TearDown() override { EXPECT_EQ(contents(), before_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// One line for each vertex.
  [[nodiscard]] std::string all_values() const {
    std::string values;
    for (const char c : read_bytes(fs::path(graphs_) / "graphs_graph_indicator.txt"))
      if (c == '\n') values += std::to_string(values.size() % 7) + '\n';
    return values;
  }

  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> files{{values_, read_bytes(values_)}};
    for (const auto& data : {graphs_, clouds_})
      for (const auto& entry : fs::recursive_directory_iterator(data))
        files[entry.path().string()] = read_bytes(entry.path());
    return files;
  }

  TemporaryFolder folder_;
  std::string graphs_ = path("graphs"), clouds_ = path("clouds"), values_ = path("values.csv");
  std::vector<std::string> train_{"train", graphs_, "--model", "svm:sw", "--no-cache", "-o"};
  std::map<std::string, std::string> before_;
};

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(OverwritingTest, NothingIsWrittenToAFolderThatIsRead) {
  const auto inside = [](const std::string& data) {
    return "The folder " + data + " is read, so nothing is written to it";
  };
  expect_mistake(train_ + std::vector{graphs_ + "/graphs_A.txt"}, inside(graphs_));
  expect_mistake(train_ + std::vector{graphs_ + "/new"}, inside(graphs_));
  expect_mistake(train_ + std::vector{graphs_ + "/../graphs//new"}, inside(graphs_));
  expect_mistake({"diagrams", clouds_, "-o", clouds_ + "/a.csv"}, inside(clouds_));
  expect_mistake({"diagrams", clouds_, "-o", clouds_ + "/new.csv"}, inside(clouds_));
  expect_mistake({"diagrams", clouds_ + "/", "--plot", clouds_ + "/new.html"}, inside(clouds_ + "/"));
  expect_mistake({"evaluate", graphs_, "--model", "svm:sw", "-o", graphs_ + "/r"}, inside(graphs_));
  expect_mistake({"evaluate", graphs_, "--model", "svm:sw", "-o", graphs_}, "are the same folder");
  write_bytes(path("model"), "no model");
  expect_mistake({"predict", path("model"), clouds_, "-o", clouds_ + "/b.csv"}, inside(clouds_));
}

TEST_F(OverwritingTest, LinksHideNothing) {
  fs::create_directory_symlink(graphs_, path("link"));
  expect_mistake(train_ + std::vector{path("link") + "/graphs_graph_labels.txt"}, "nothing is written to it");
  expect_mistake({"train", path("link"), "--model", "svm:sw", "-o", graphs_ + "/graphs_A.txt"},
                 "nothing is written to it");
  fs::create_symlink(clouds_ + "/a.csv", path("a.csv"));
  expect_mistake({"diagrams", clouds_, "-o", path("a.csv")}, "nothing is written to it");

  // Data that are links to somewhere else.
  fs::create_directory(path("linked"));
  fs::create_symlink(clouds_ + "/a.csv", path("linked") + "/1.csv");
  fs::create_hard_link(clouds_ + "/b.csv", path("linked") + "/2.csv");
  for (const auto& target : {clouds_ + "/a.csv", clouds_ + "/b.csv", path("linked") + "/1.csv"})
    expect_mistake({"diagrams", path("linked"), "-o", target}, "nothing is written to it");
}

TEST_F(OverwritingTest, FilesOfValuesAreKept) {
  const auto same = "values.csv: Input and output are the same file";
  const auto setting = "data.filtrations=[\"file:" + values_ + "\"]";
  expect_mistake({"diagrams", graphs_, "--filtration", "file:" + values_, "-o", values_}, same);
  expect_mistake(train_ + std::vector<std::string>{values_, "--set", setting}, same);
  const auto model = path("model");
  ASSERT_EQ(run(train_ + std::vector<std::string>{model, "--set", setting}).exit_code, 0);
  expect_mistake({"predict", model, graphs_, "--no-cache", "-o", values_}, same);
  EXPECT_EQ(run({"predict", model, graphs_, "--no-cache", "-o", path("p.csv")}).exit_code, 0);
}

TEST_F(OverwritingTest, AnEvaluationKeepsWhatItIsGiven) {
  const std::vector<std::string> evaluate{"evaluate", "--model", "svm:sw", "--folds", "2", "--no-cache"};
  ASSERT_EQ(run(evaluate + std::vector<std::string>{graphs_, "-o", path("r")}).exit_code, 0);
  const auto sample = read_bytes(path("r/sample.h5")), settings = read_bytes(path("r/settings.toml"));
  const auto results = read_bytes(path("r/results.json"));
  expect_mistake(evaluate + std::vector<std::string>{path("r/sample.h5"), "--fresh", "-o", path("r")},
                 "r/sample.h5: This lies in the folder for results, " + path("r"));
  expect_mistake(
      {"evaluate", graphs_, "--settings", path("r/settings.toml"), "--folds", "3", "-o", path("r")},
      "r/settings.toml: This lies in the folder for results, " + path("r"));
  EXPECT_EQ(read_bytes(path("r/sample.h5")), sample);
  EXPECT_EQ(read_bytes(path("r/settings.toml")), settings);
  EXPECT_EQ(read_bytes(path("r/results.json")), results);
}

/// labels.csv may name files outside its folder.
TEST_F(OverwritingTest, WhatLabelsNameElsewhereIsKept) {
  fs::create_directory(path("labelled"));
  write_bytes(path("labelled") + "/labels.csv", "../clouds/a.csv,x\n" + clouds_ + "/b.csv,y\n");
  fs::create_symlink(clouds_ + "/a.csv", path("soft.csv"));
  fs::create_hard_link(clouds_ + "/b.csv", path("hard.csv"));
  fs::create_directory_symlink(clouds_, path("around"));
  const std::vector<std::string> train{"train", path("labelled"), "--model", "svm:sw", "--no-cache", "-o"};
  for (const auto& output : {clouds_ + "/a.csv", clouds_ + "/b.csv", path("soft.csv"), path("hard.csv"),
                             path("around/a.csv"), path("labelled/../clouds/b.csv")}) {
    const auto before = read_bytes(output);
    expect_mistake({"diagrams", path("labelled"), "-o", output}, "Input and output are the same file");
    expect_mistake(train + std::vector{output}, "Input and output are the same file");
    EXPECT_EQ(read_bytes(output), before);
  }
  expect_mistake({"evaluate", path("labelled"), "--model", "svm:sw", "--folds", "2", "-o", clouds_},
                 "a.csv: This lies in the folder for results");
  EXPECT_EQ(run({"diagrams", path("labelled"), "-o", path("new.csv")}).exit_code, 0);
}

TEST_F(OverwritingTest, ALinkIntoAFolderThatIsReadMakesNothingThere) {
  fs::create_symlink(clouds_ + "/new.csv", path("link.csv"));
  expect_mistake({"diagrams", clouds_, "-o", path("link.csv")}, "nothing is written to it");
}

TEST_F(OverwritingTest, AResultBehindALinkIsReplacedThere) {
  fs::create_symlink("real.csv", path("link.csv"));
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(run({"diagrams", clouds_, "-o", path("link.csv")}).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(path("link.csv")));
    EXPECT_TRUE(read_bytes(path("real.csv")).starts_with("item,filtration"));
  }
  fs::create_symlink("loop.csv", path("loop.csv"));
  expect_mistake({"diagrams", clouds_, "-o", path("loop.csv")},
                 "loop.csv: The links of this name lead in a circle");
}

/// Where a results folder came from somebody else, its links could lead to any file of the user.
TEST_F(OverwritingTest, NothingIsWrittenThroughLinksInAFolderOfResults) {
  const auto settings = path("my.toml"), results = path("results");
  write_bytes(settings, "model = \"svm:sw\"\n");
  const std::vector<std::string> evaluate{"evaluate", graphs_, "--settings", settings,    "--folds",
                                          "2",        "-o",    results,      "--no-cache"};
  ASSERT_EQ(run(evaluate).exit_code, 0);
  const auto link = fs::path(results) / "settings.toml";
  fs::remove(link);
  fs::create_symlink("../my.toml", link);
  expect_mistake(evaluate, link.string() + ": This is a link, and results are not written through links.");
  EXPECT_EQ(read_bytes(settings), "model = \"svm:sw\"\n");
}

TEST_F(OverwritingTest, NothingIsReproducedAmongTheDatasets) {
  const auto data = path("data");
  fs::create_directory(data);
  fs::create_directory_symlink(graphs_, data + "/MUTAG");
  for (const std::string name : {"MUTAG", "table-datasets"})
    for (const auto& output : {data + "/r", data + "/../data/r"})
      expect_mistake({"reproduce", name, "--quiet", "--data", data, "-o", output},
                     "The folder " + data + " is read, so nothing is written to it");
  EXPECT_FALSE(fs::exists(data + "/r"));
}

/// A page is called page.html, but what it links to is a result.
TEST_F(OverwritingTest, APageReplacesNoResultBehindALink) {
  ASSERT_EQ(run({"evaluate", graphs_, "--model", "svm:sw", "--folds", "2", "--no-cache", "-o", path("r")})
                .exit_code,
            0);
  const auto results = read_bytes(path("r/results.json"));
  fs::create_symlink("r/results.json", path("soft.html"));
  fs::create_hard_link(path("r/results.json"), path("hard.html"));
  expect_mistake({"report", path("r"), "-o", path("soft.html")}, "ends in .html or .htm");
  expect_mistake({"report", path("r"), "-o", path("hard.html")}, "Input and output are the same file");
  EXPECT_EQ(read_bytes(path("r/results.json")), results);
}

/// The page lies beside what it shows, and may be made again.
TEST_F(OverwritingTest, APageMayLieInTheFolderThatItShows) {
  ASSERT_EQ(run({"evaluate", graphs_, "--model", "svm:sw", "--folds", "2", "-o", path("r")}).exit_code, 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(run({"report", path("r"), "-o", path("r/page.html")}).exit_code, 0);
}

}  // namespace
}  // namespace perslay::test
