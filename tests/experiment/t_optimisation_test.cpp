#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/experiment/reproduce.h>

namespace perslay::experiment {
namespace {

learn::FoldResult fold_with(const std::vector<double>& times) {
  learn::FoldResult fold;
  for (std::size_t i = 0; i < times.size(); ++i) fold.history.push_back({0, i, 1, 1, {times[i]}});
  return fold;
}

TEST(TrainedTimes, HasTheStartAndTheSpreadOfEveryEpoch) {
  learn::Settings settings;
  settings.data.filtrations = {"hks:0.5"};
  EXPECT_TRUE(trained_times(settings, {}).empty());
  const auto spread = trained_times(settings, std::vector{fold_with({1, 2}), fold_with({4, 2})});
  ASSERT_EQ(spread.size(), 3U);
  EXPECT_NEAR(spread[0].mean, 0.5, 1e-12);
  EXPECT_NEAR(spread[1].mean, 2, 1e-12);  // of 1 and 4, geometric
  EXPECT_EQ(spread[1].low, 1);
  EXPECT_EQ(spread[1].high, 4);
  EXPECT_EQ(spread[2].low, 2);
}

TEST(TrainedTimes, IsPartOfTheReport) {
  Outcome fixed, trained;
  fixed.job.column = "t fixed at 1";
  trained.job.column = "t trained from 1";
  for (int i = 0; i <= 6; ++i) trained.times.push_back({1.0 + i, 0.5, 10});
  const Table table{"t-optimisation", "Times", {fixed.job, trained.job}};
  const auto text = to_markdown(table, {fixed, trained});
  EXPECT_NE(
      text.find("| epoch | t trained from 1 |\n|---|---|\n| 0 | 1 (0.5 … 10) |\n| 5 | 6 (0.5 … 10) |\n"),
      std::string::npos)
      << text;
  const auto json = nlohmann::json::parse(to_json(table, {fixed, trained}));
  EXPECT_FALSE(json["rows"][0].contains("times"));
  ASSERT_EQ(json["rows"][1]["times"].size(), 7U);
  EXPECT_EQ(json["rows"][1]["times"][6]["mean"], 7);
  EXPECT_EQ(to_markdown(table, {fixed}).find("epoch"), std::string::npos);
}

}  // namespace
}  // namespace perslay::experiment
