#include "cli/program.h"

namespace perslay::test {
namespace {

TEST(Shapes, WritesADatasetThatReadsBack) {
  const TemporaryFolder folder;
  const auto path = (folder / "shapes").string();
  EXPECT_EQ(run({"shapes", "--per-class", "7", "-o", path}).out,
            "21 graphs in 3 classes written to " + path + ".\n");
  const auto json = run_json({"info", path});
  EXPECT_EQ(json["graphs"], 21);
  EXPECT_EQ(json["class_sizes"].size(), 3U);
  for (const auto& entry : json["class_sizes"]) EXPECT_EQ(entry["size"], 7);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Shapes, DependOnTheSeedAlone) {
  const TemporaryFolder folder;
  const auto edges = [&](const std::string& name, const std::string& seed, const std::string& threads) {
    const auto json = run_json({"shapes", "--per-class", "20", "--seed", seed, "--threads", threads, "-o",
                                (folder / name).string()});
    EXPECT_EQ(json["graphs"], 60);
    return read_bytes(folder / name / (name + "_A.txt"));
  };
  const auto first = edges("a", "1", "1");
  EXPECT_EQ(first, edges("b", "1", "2"));
  EXPECT_NE(first, edges("c", "2", "1"));
}

TEST(Shapes, ReplacesNothing) {
  const TemporaryFolder folder;
  expect_mistake({"shapes", "-o", folder.path().string()}, "exists already");
  expect_mistake({"shapes", "-o", (folder / "missing/shapes").string()}, "missing does not exist");
}

}  // namespace
}  // namespace perslay::test
