#include "cli/program.h"

namespace perslay::test {
namespace {

class KindsTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    write_bytes(folder_ / name, text);
    return (folder_ / name).string();
  }

  TemporaryFolder folder_;
};

TEST_F(KindsTest, PointsThatAreReadAsEdgesAreNamed) {
  const auto points = write("points.txt", "0.5 1\n2 1.5\n");
  const std::string sentence = "points.txt:1: '0.5' is not an integer; --as clouds reads it as point clouds.";
  expect_mistake({"info", points, "--as", "graphs"}, sentence);
  expect_mistake({"diagrams", points, "--as", "graphs"}, sentence);
  expect_mistake({"train", points, "--as", "graphs", "--no-cache", "--quiet", "-o", (folder_ / "m").string()},
                 sentence);
  EXPECT_EQ(run({"info", points, "--as", "clouds"}).exit_code, 0);
}

TEST_F(KindsTest, EdgesThatAreReadAsPointsAreNamed) {
  const auto weighted = write("roads.txt", "0 1 2.5\n1 2 1.5\n");
  expect_mistake({"info", weighted, "--as", "clouds"}, "; --as graphs reads it as graphs.");
  EXPECT_EQ(run({"info", weighted, "--as", "graphs"}).exit_code, 0);
}

TEST_F(KindsTest, WhatCouldBeTwoThingsIsBoth) {
  expect_mistake({"info", write("pairs.csv", "0,1\n1,2\n"), "--as", "diagrams"},
                 "; --as graphs reads it as graphs, --as clouds reads it as point clouds.");
}

TEST_F(KindsTest, OtherMistakesStayAsTheyAre) {
  const auto expect_unchanged = [](const std::vector<std::string>& words) {
    const auto result = run(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err.find("--as"), std::string::npos) << result.err;
  };
  expect_unchanged({"info", write("words.txt", "one two\n"), "--as", "graphs"});
  expect_unchanged({"info", (folder_ / "none.txt").string(), "--as", "clouds"});
  // The edges are read; something else is wrong.
  expect_unchanged({"diagrams", write("edges.txt", "0 1\n1 2\n"), "--as", "graphs", "--filtration",
                    "file:" + write("values.txt", "1\n")});
}

}  // namespace
}  // namespace perslay::test
