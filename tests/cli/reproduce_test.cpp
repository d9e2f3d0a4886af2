#include "cli/learning.h"
#include "cli/program.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

class ReproduceTest : public LearningTest {};

TEST_F(ReproduceTest, OrbitsNeedNoData) {
  const auto json = run_json({"reproduce", "ORBIT5K", "--quick", "--no-cache", "-o", path("out")});
  const auto& rows = json.at("tables").at(0).at("rows");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].at("column"), "paper's network");
  EXPECT_EQ(rows[0].at("paper").at("mean"), 87.7);
  EXPECT_EQ(rows[0].at("competitors").at("PF-K"), 85.9);
  EXPECT_EQ(rows[1].at("column"), "stronger recipe");
  EXPECT_EQ(rows[2].at("column"), "ridge orbits");
  EXPECT_EQ(rows[3].at("column"), "ridge + stronger recipe");
  for (const auto& row : rows) {
    EXPECT_GT(row.at("accuracy").at("mean"), 0.5);
    EXPECT_NEAR(row.at("majority").get<double>(), 0.2, 0.1);
  }
  EXPECT_NE(read_bytes(path("out/orbit5k.md")).find("| ORBIT5K | stronger recipe |"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(path("out/orbit5k.json")));
}

TEST_F(ReproduceTest, SaysFirstHowLongItTakes) {
  const auto result =
      run({"reproduce", "MUTAG", "--quick", "--threads", "2", "--data", path("nothing"), "-o", path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("7 evaluations, about 3 s of training"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("neither a folder MUTAG nor an archive MUTAG.zip"), std::string::npos)
      << result.err;
}

TEST(Reproduce, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto out = (folder / "out").string();
  expect_mistake({"reproduce", "table-9", "-o", out}, "there are table-orbits, table-kernels");
  expect_mistake({"reproduce", "MUTAG", "--columns", "colour", "-o", out},
                 "no column called 'colour' in mutag");
  expect_mistake({"reproduce", "MUTAG", "--repeats", "0", "-o", out}, "--repeats needs an integer from 1");
  expect_mistake({"reproduce", "MUTAG"}, "--output is required");
  expect_mistake({"reproduce", "-o", out}, "NAME is required");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace perslay::test
