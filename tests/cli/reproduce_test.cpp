#include "cli/learning.h"
#include "cli/program.h"

#include <algorithm>
#include <filesystem>

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
  const nlohmann::json competitors{{"PSS-K", 72.38}, {"PWG-K", 76.63}, {"SW-K", 83.6}, {"PF-K", 85.9}};
  EXPECT_EQ(rows[0].at("competitors"), competitors);
  EXPECT_NE(read_bytes(path("out/orbit5k.md")).find("PSS-K 72.4, PWG-K 76.6, SW-K 83.6, PF-K 85.9"),
            std::string::npos);
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

/// Graphs that are easy to tell apart, under the name of a dataset of the paper.
TEST_F(ReproduceTest, TablesOfGraphsRunToTheirEnds) {
  std::filesystem::create_directory(path("data"));
  ASSERT_EQ(run({"shapes", "--per-class", "6", "-o", path("data/MUTAG")}).exit_code, 0);
  const auto tables = run_json({"reproduce", "table-ablation", "table-hyperparameters", "--datasets", "MUTAG",
                                "--quick", "--no-cache", "--data", path("data"), "-o", path("out")})
                          .at("tables");
  ASSERT_EQ(tables.size(), 2U);
  const auto& ablation = tables[0].at("rows");
  ASSERT_EQ(ablation.size(), 4U);
  EXPECT_EQ(ablation[0].at("column"), "spectral alone");
  EXPECT_EQ(ablation[0].at("variant"), "features-only");
  EXPECT_EQ(ablation[2].at("variant"), "ordinary-only");
  EXPECT_GT(ablation[1].at("accuracy").at("mean"), 0.8);  // extended alone
  const auto& choices = tables[1].at("rows");
  ASSERT_EQ(choices.size(), 11U);
  EXPECT_EQ(choices[0].at("column"), "grid none");
  for (const auto& row : choices) {
    EXPECT_GT(row.at("training_accuracy").at("mean"), 0.8) << row;
    EXPECT_GT(row.at("paper_seconds"), 2) << row;
  }
  // Three columns are the paper's own choice, which is evaluated once.
  for (const auto* column : {"grid 10x10", "phi gaussian", "op sum"}) {
    const auto same = std::ranges::find(choices, column, [](const auto& row) { return row.at("column"); });
    ASSERT_NE(same, choices.end()) << column;
    EXPECT_EQ(same->at("folder"), ablation[3].at("folder")) << column;
  }
  EXPECT_NE(read_bytes(path("out/table-hyperparameters.md")).find("| MUTAG | op max | 10 folds, 1 repeat |"),
            std::string::npos);
  EXPECT_NE(read_bytes(path("out/table-ablation.md")).find("| MUTAG | ordinary alone |"), std::string::npos);
}

TEST_F(ReproduceTest, SaysFirstHowLongItTakes) {
  const auto result =
      run({"reproduce", "MUTAG", "--quick", "--threads", "2", "--data", path("nothing"), "-o", path("out")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("10 evaluations, about 4 s of training"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("neither a folder MUTAG nor an archive MUTAG.zip"), std::string::npos)
      << result.err;
}

TEST_F(ReproduceTest, ALoopOfLinksIsNoDataset) {
  std::filesystem::create_directory(path("data"));
  std::filesystem::create_symlink("MUTAG", path("data/MUTAG"));
  expect_mistake({"reproduce", "MUTAG", "--quick", "--quiet", "--data", path("data"), "-o", path("out")},
                 "data/MUTAG cannot be read: ");
}

TEST_F(ReproduceTest, WhatStandsInSeveralColumnsIsCountedOnce) {
  const auto result = run({"reproduce", "table-hyperparameters", "--datasets", "MUTAG", "--threads", "1",
                           "--data", path("nothing"), "-o", path("out")});
  EXPECT_NE(result.err.find("9 evaluations, about"), std::string::npos) << result.err;  // 11 columns
  EXPECT_NE(result.err.find("on 1 thread;"), std::string::npos) << result.err;
}

TEST_F(ReproduceTest, NothingOfOthersIsReplaced) {
  std::filesystem::create_directory(path("data"));
  ASSERT_EQ(run({"shapes", "--per-class", "6", "-o", path("data/MUTAG")}).exit_code, 0);
  const auto command = [&](const std::string& output) {
    return std::vector<std::string>{"reproduce",  "MUTAG",      "--columns", "ridge diagrams-only",
                                    "--quick",    "--no-cache", "--quiet",   "--data",
                                    path("data"), "-o",         path(output)};
  };
  expect_mistake(command("data/MUTAG"), "Input and output are the same folder.");
  expect_mistake(command("data/MUTAG/results"), "is read, so nothing is written to it");
  EXPECT_FALSE(std::filesystem::exists(path("data/MUTAG/results")));
  for (const auto* name : {"mutag.json", "mutag.md"}) {
    std::filesystem::create_directories(path("mine"));
    write_bytes(path("mine/") + name, "precious");
    expect_mistake(command("mine"), name + std::string(": This is in the way"));
    EXPECT_EQ(read_bytes(path("mine/") + name), "precious");
    std::filesystem::remove(path("mine/") + name);
    EXPECT_TRUE(std::filesystem::is_empty(path("mine")));
  }
  write_bytes(path("file"), "precious");
  expect_mistake(command("file"), "file: This is not a folder");
  expect_mistake(command("file/in/it"), "file: This is not a folder");
  std::filesystem::create_directories(path("mine/mutag.json"));
  expect_mistake(command("mine"), "mutag.json: This is in the way");
  std::filesystem::create_directory_symlink("loop", path("loop"));
  expect_mistake(command("loop"), "loop");
  expect_mistake(command(std::string(300, 'x')), "xxx");
  // Its own files are replaced, and folders made, but not through links.
  EXPECT_EQ(run(command("out")).exit_code, 0);
  EXPECT_EQ(run(command("out")).exit_code, 0);
  std::filesystem::rename(path("out/mutag.json"), path("kept"));
  std::filesystem::create_symlink("../kept", path("out/mutag.json"));
  expect_mistake(command("out"), "mutag.json: This is a link, and results are not written through links.");
  std::filesystem::create_directories(path("fresh"));
  std::filesystem::create_directory(path("elsewhere"));
  std::filesystem::create_directory_symlink("../elsewhere", path("fresh/mutag"));
  expect_mistake(command("fresh"), "mutag: This is a link, and results are not written through links.");
  EXPECT_TRUE(std::filesystem::is_empty(path("elsewhere")));
}

TEST_F(ReproduceTest, DamagedDataLeaveNothingBehind) {
  std::filesystem::create_directory(path("data"));
  write_bytes(path("data/MUTAG.zip"), "x");
  expect_mistake(
      {"reproduce", "MUTAG", "--quick", "--quiet", "--no-cache", "--data", path("data"), "-o", path("out")},
      "MUTAG.zip");
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST(Reproduce, TablesThatNeedNoTrainingAreMade) {
  const TemporaryFolder folder;
  const auto out = (folder / "out").string();
  const auto tables = run_json({"reproduce", "table-settings", "table-orbits-description", "--datasets",
                                "orbit5k", "-o", out})["tables"];
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0]["rows"].size(), 1U);
  EXPECT_EQ(tables[0]["rows"][0]["channel"]["ours"], "Pm(25,25,10,top-5)");
  EXPECT_EQ(tables[1]["rows"][0]["orbits"]["paper"], "5000");
  EXPECT_TRUE(std::filesystem::exists(folder / "out" / "table-settings.md"));
}

TEST(Reproduce, TablesThatNeedNoTrainingAreMadeAfterAllChecks) {
  const TemporaryFolder folder;
  const auto out = (folder / "out").string();
  expect_mistake({"reproduce", "table-settings", "nonsense", "-o", out}, "give them to two commands");
  expect_mistake({"reproduce", "table-settings", "--repeats", "2", "-o", out}, "needs no training");
  expect_mistake({"reproduce", "table-settings", "--datasets", "ENZYMES", "-o", out},
                 "There is no dataset called 'ENZYMES' in table-settings");
  std::filesystem::create_directory(folder / "data");
  expect_mistake(
      {"reproduce", "table-settings", "table-datasets", "--data", (folder / "data").string(), "-o", out},
      "--data");
  expect_mistake({"reproduce", "table-settings", "-o", "/proc/perslay"}, "The folder cannot be made");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
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
