#include <fstream>

#include <gtest/gtest.h>
#include <io/temporary_folder.h>
#include <learn/toy_learner.h>
#include <nlohmann/json.hpp>
#include <sentence.h>

#include <perslay/data/generators.h>
#include <perslay/experiment/reproduce.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/learn/models.h>

namespace perslay::experiment {
namespace {

/// A small table on graphs that the test makes: features only, which the toy learner reads.
Table small_table() {
  Table table{"table-small", "A small table", {}};
  Job job;
  job.row = "SHAPES";
  job.column = "toy";
  job.folder = "shapes/toy";
  job.archive = "SHAPES";
  job.settings.features.names = {"size"};
  job.settings.features.standardise = true;
  job.settings.network.use_diagrams = false;
  job.settings.training.epochs = 30;
  job.protocol.folds = 3;
  job.protocol.repeats = 2;
  job.paper = Reported{50, 1};
  table.jobs.push_back(job);
  job.row = "ORBITS";
  job.folder = "orbits/toy";
  job.archive = "";
  job.per_class = 6;
  job.draws = 2;
  job.settings.data.filtrations = {"alpha"};
  job.settings.features.names = {"h1/statistics"};
  job.protocol.type = learn::Protocol::Type::random_split;
  job.paper.reset();
  table.jobs.push_back(job);
  return table;
}

learn::MakeLearner toy() {
  return [](const learn::Settings& settings) { return std::make_unique<test::ToyLearner>(settings); };
}

class Reproduce : public ::testing::Test {
 protected:
  Reproduce() {
    io::write_tu_dataset(folder_ / "SHAPES", data::shapes_dataset(20));
    options_.data = folder_.path();
    options_.folder = folder_ / "out";
    std::filesystem::create_directory(options_.folder);
  }

  test::TemporaryFolder folder_;
  ReproduceOptions options_;
};

TEST_F(Reproduce, SaysHowManyEpochsAreRun) {
  auto table = small_table();
  table.jobs.resize(1);
  const auto epochs = [&] {
    return nlohmann::json::parse(to_json(table, reproduce(table, toy(), options_)))["rows"][0]["epochs"];
  };
  table.jobs[0].settings.training.epochs = 1000;
  table.jobs[0].settings.training.schedule = "halving:20";
  EXPECT_EQ(epochs(), 480);
  table.jobs[0].folder = "shapes/other";
  table.jobs[0].settings = learn::with_model(table.jobs[0].settings, "ridge:no-topology");
  EXPECT_TRUE(epochs().is_null());
}

TEST_F(Reproduce, WritesTablesWithThePapersNumbersBeside) {
  const auto table = small_table();
  const auto outcomes = reproduce(table, toy(), options_);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_TRUE(outcomes[0].accuracy.deviation.has_value());
  EXPECT_GT(outcomes[0].accuracy.mean, 0.6);
  const auto json = nlohmann::json::parse(test::read_bytes(options_.folder / "table-small.json"));
  ASSERT_EQ(json["rows"].size(), 2U);
  EXPECT_EQ(json["rows"][0]["dataset"], "SHAPES");
  EXPECT_EQ(json["rows"][0]["paper"]["mean"], 50);
  EXPECT_NEAR(json["rows"][0]["difference"].get<double>(), 100 * outcomes[0].accuracy.mean - 50, 1e-9);
  EXPECT_EQ(json["rows"][0]["epochs"], 30);
  EXPECT_FALSE(json["rows"][1].contains("paper"));
  EXPECT_EQ(json["rows"][1]["protocol"], "30 % tested, 2 runs, 2 draws");
  const auto text = test::read_bytes(options_.folder / "table-small.md");
  EXPECT_NE(text.find("| SHAPES | toy | 3 folds, 2 repeats |"), std::string::npos);
  EXPECT_NE(text.find("50.0 ± 1.0"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(options_.folder / "orbits/toy/draw1/results.json"));
}

TEST_F(Reproduce, GoesOnWhereItWas) {
  const auto table = small_table();
  const auto first = reproduce(table, toy(), options_);
  const learn::MakeLearner never = [](const learn::Settings&) -> std::unique_ptr<learn::Learner> {
    throw std::logic_error("nothing is left to be learned");
  };
  const auto again = reproduce(table, never, options_);
  EXPECT_EQ(again[0].accuracy, first[0].accuracy);
  EXPECT_EQ(again[1].accuracy, first[1].accuracy);
}

TEST_F(Reproduce, FreshClearsAFolderOnce) {
  const auto table = small_table();
  (void)reproduce(table, toy(), options_);
  options_.fresh = true;
  std::size_t made = 0;
  const learn::MakeLearner counting = [&](const learn::Settings& settings) {
    ++made;
    return std::make_unique<test::ToyLearner>(settings);
  };
  (void)reproduce(table, counting, options_);
  EXPECT_GT(made, 0U);
  made = 0;
  (void)reproduce(table, counting, options_);  // another table of the same command
  EXPECT_EQ(made, 0U);
}

TEST_F(Reproduce, AFolderThatCannotBeMadeIsTheUsersMistake) {
  std::ofstream(folder_ / "file") << "text";
  options_.folder = folder_ / "file" / "out";
  EXPECT_EQ(test::sentence_of([&] { reproduce(small_table(), toy(), options_); }),
            (folder_ / "file").string() + ": This is not a folder, and results are written to one.");
}

TEST_F(Reproduce, LooksForDatasetsBeforeItStarts) {
  auto table = small_table();
  std::swap(table.jobs[0], table.jobs[1]);
  table.jobs[1].archive = "ELSEWHERE";
  const auto sentence = test::sentence_of([&] { reproduce(table, toy(), options_); });
  EXPECT_NE(sentence.find("ELSEWHERE"), std::string::npos);
  EXPECT_NE(sentence.find("--data"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(options_.folder / "orbits"));
}

}  // namespace
}  // namespace perslay::experiment
