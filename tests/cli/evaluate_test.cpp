#include "cli/learning.h"
#include "cli/program.h"
#include "learn/evaluation_content.h"
#include "waiting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using nlohmann::json;

class EvaluateTest : public LearningTest {
 protected:
  [[nodiscard]] std::vector<std::string> command(const std::string& folder) const {
    return {"evaluate", data_,       "--settings", "mutag",      "--set", "training.epochs=25", "--folds",
            "3",        "--repeats", "2",          "--no-cache", "-o",    path(folder)};
  }

  [[nodiscard]] json results(const std::string& folder) const {
    return json::parse(read_bytes(folder_ / folder / "results.json"));
  }
};

TEST_F(EvaluateTest, PrintsAccuraciesBesideBaselines) {
  const auto result = run(command("r"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const auto* const part : {"accuracy in %", "test ", "training ", "majority class", "size alone",
                                 "true \\ predicted", "3 folds, 2 repeats: 6 trainings."})
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out << "lacks: " << part;
  const auto found = results("r");
  EXPECT_EQ(found.at("dataset"), "shapes");
  EXPECT_EQ(found.at("runs").size(), 2U);
  EXPECT_EQ(found.at("runs").at(0).size(), 3U);
  EXPECT_GT(found.at("accuracy").at("mean").get<double>(), 0.9);
}

TEST_F(EvaluateTest, SameResultsForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2"}) {
    auto arguments = command(threads);
    arguments.insert(arguments.end(), {"--threads", threads});
    (void)run_json(arguments);
  }
  EXPECT_EQ(evaluation_content(path("1")), evaluation_content(path("2")));
}

TEST_F(EvaluateTest, RandomSplitsAndVariants) {
  const auto found = run_json({"evaluate", data_, "--settings", "mutag", "--set", "training.epochs=5",
                               "--test-fraction", "0.4", "--runs", "2", "--stratified", "--variant",
                               "extended-only", "--no-cache", "-o", path("r")});
  EXPECT_EQ(found.at("protocol").at("type"), "random-split");
  EXPECT_EQ(found.at("protocol").at("stratified"), true);
  EXPECT_EQ(found.at("variant"), "extended-only");
  EXPECT_EQ(found.at("folds").at(0).at("test_items"), 12);
  EXPECT_EQ(found.at("output"), path("r"));
}

TEST_F(EvaluateTest, ClassesThatNeverDieAreClippedOrDropped) {
  const auto accuracies = [&](const std::string& folder, const std::vector<std::string>& more) {
    auto arguments = command(folder);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_json(arguments).at("accuracy");
  };
  const auto clipped = accuracies("clipped", {"--variant", "ordinary-clipped"});
  EXPECT_EQ(clipped, accuracies("said", {"--variant", "ordinary-only", "--set", "data.essential=clip"}));
  EXPECT_NE(clipped, accuracies("dropped", {"--variant", "ordinary-only"}));
  auto arguments = command("none");
  arguments.insert(arguments.end(), {"--set", "data.essential=clip"});
  expect_mistake(arguments, "none of them is asked for");
}

TEST_F(EvaluateTest, KilledEvaluationContinues) {
  constexpr int epochs = 150;
  const auto long_command = [&](const std::string& folder) {
    auto arguments = command(folder);
    arguments.insert(arguments.end(), {"--set", fmt::format("training.epochs={}", epochs),
                                       "--checkpoint-every", "0", "--threads", "2"});
    return arguments;
  };
  // Epochs that need not be run again: those in checkpoints and those of finished folds, whose files are
  // written before their checkpoints go.
  const auto progress = [&] {
    int done = 0;
    std::error_code none;
    const auto fold_of = [&](const auto& checkpoint) {
      return path("killed") + "/folds/" + checkpoint.path().stem().string() + ".json";
    };
    for (const auto& file : std::filesystem::directory_iterator(path("killed") + "/checkpoints", none))
      if (file.path().extension() == ".safetensors" && !std::filesystem::exists(fold_of(file)))
        done += training_progress(file.path()).second;
    for (const auto& file : std::filesystem::directory_iterator(path("killed") + "/folds", none))
      if (file.path().extension() == ".json") done += epochs;
    return done;
  };
  ASSERT_EQ(run(long_command("whole")).exit_code, 0);
  for (const int done : {1, 10, 20, 30}) {  // epochs: within folds, while they write their state
    const int before = progress();
    Program program(long_command("killed"));
    int now = before;
    wait_until([&] {
      now = progress();
      EXPECT_GE(now, before);  // what was done is not done again
      return now >= before + done || program.has_ended();
    });
    program.send(SIGKILL);
    const auto result = program.wait();
    EXPECT_EQ(result.exit_code, -1) << result.err;
    EXPECT_GT(progress(), before);
  }
  ASSERT_EQ(run(long_command("killed")).exit_code, 0);
  const auto expected = evaluation_content(path("whole"));
  for (const auto* file : {"folds/r2-f3.json", "models/start.safetensors", "models/end.safetensors"})
    EXPECT_TRUE(expected.contains(file)) << file;
  EXPECT_EQ(evaluation_content(path("killed")), expected);
}

TEST_F(EvaluateTest, ModelsWithoutNetworks) {
  for (const std::string model : {"svm:sw", "ridge:diagrams-only", "ridge"}) {
    const auto folder = path(model);
    const auto result =
        run({"evaluate", data_, "--model", model, "--folds", "3", "--no-cache", "-o", folder});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("the default for graphs is used"), std::string::npos) << result.err;
    const auto found = nlohmann::json::parse(std::ifstream(folder + "/results.json"));
    EXPECT_GT(found.at("accuracy").at("mean"), 0.9) << model;
  }
}

/// Results may be kept in a folder, or data in a file, that is called as the settings are.
TEST_F(EvaluateTest, NothingInTheFolderHidesSettingsThatTheProgramCarries) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  write_bytes("dhfr", "no settings");
  for (const auto& [settings, output] : {std::pair{"mutag", "mutag"}, {"mutag", "mutag"}, {"dhfr", "r"}}) {
    const auto result = run({"evaluate", data_, "--settings", settings, "--set", "training.epochs=1",
                             "--folds", "2", "--no-cache", "-o", output});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  expect_mistake({"evaluate", data_, "--settings", "./dhfr", "-o", "s"}, "./dhfr:1");
  std::filesystem::current_path(before);
}

TEST_F(EvaluateTest, AFolderOfSomethingElseIsRefusedUntilFresh) {
  ASSERT_EQ(run(command("r")).exit_code, 0);
  auto arguments = command("r");
  arguments.insert(arguments.end(), {"--seed", "5"});
  expect_mistake(arguments, "another seed (0, now 5)");
  arguments.emplace_back("--fresh");
  arguments.emplace_back("--quiet");
  EXPECT_EQ(run(arguments).exit_code, 0);
}

TEST(Evaluate, MistakesAreSentences) {
  const TemporaryFolder folder;
  const auto data = write_small_dataset(folder);
  const auto output = (folder / "r").string();
  expect_mistake({"evaluate", data, "--settings", "mutag"}, "--output is required");
  expect_mistake({"evaluate", data, "--model", "forest", "-o", output}, "There is no model called 'forest'");
  expect_mistake({"evaluate", data, "--model", "svm:heat", "-o", output}, "heat");
  expect_mistake({"evaluate", data, "--model", "ridge:all", "-o", output}, "ridge:diagrams-only");
  expect_mistake({"evaluate", data, "--settings", "mutag", "--folds", "1", "-o", output},
                 "--folds needs an integer");
  expect_mistake({"evaluate", data, "--settings", "mutag", "--folds", "3", "--runs", "3", "-o", output},
                 "choose one of the two");
  expect_mistake({"evaluate", data, "--settings", "mutag", "--test-fraction", "half", "-o", output},
                 "--test-fraction needs a number");
  for (const auto* fraction : {"0", "1", "-0.5"})
    expect_mistake(
        {"evaluate", data, "--settings", "mutag", "--test-fraction", fraction, "-o", output},
        fmt::format("--test-fraction needs a number between 0 and 1 such as 0.3, not '{}'.", fraction));
  write_bytes(folder / "file", "precious");
  expect_mistake({"evaluate", data, "--settings", "mutag", "-o", (folder / "file").string()},
                 "file: This is not a folder, and results are written to one.");
  expect_mistake({"evaluate", data, "--settings", "mutag", "-o", (folder / "a/b").string()},
                 "a is not a folder.");
  expect_mistake({"evaluate", "", "-o", output}, "DATA needs a value, not ''");
  expect_mistake({"evaluate", data, "--settings", "mutag", "--variant", "all", "-o", output},
                 "There is no variant");
  expect_mistake({"evaluate", data, "--settings", "mutag", "--set", "network.dropout=2", "-o", output},
                 "network.dropout needs a number from 0 to below 1");
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace perslay::test
