#include "cli/learning.h"
#include "cli/program.h"

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using Words = std::vector<std::string>;

class FiltrationTest : public LearningTest {
 protected:
  [[nodiscard]] static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

const Words trained_t{"--settings",        "mutag",     "--set", "network.train_filtration=true", "--set",
                      "training.epochs=5", "--no-cache"};

TEST_F(FiltrationTest, IsTrainedAndPredictsFromItsModelFile) {
  const auto json = run_json(with({"train", data_, "-o", path("m")}, trained_t));
  const auto predicted = run_json({"predict", path("m"), data_, "--no-cache"});
  EXPECT_EQ(predicted.at("items"), 30);
  EXPECT_EQ(predicted.at("accuracy"), json.at("accuracy"));
  ASSERT_EQ(json.at("times").size(), 5U);
  EXPECT_NE(json.at("times")[4][0], 10);
  for (const std::string threads : {"1", "2"})
    (void)run_json(with({"train", data_, "--threads", threads, "-o", path(threads)}, trained_t));
  EXPECT_EQ(read_bytes(path("1")), read_bytes(path("2")));
  const auto text = run(with({"train", data_, "-o", path("m")}, trained_t)).out;
  EXPECT_NE(text.find("trained t"), std::string::npos) << text;
}

TEST_F(FiltrationTest, EvaluationsKeepTheCourseOfTheTime) {
  const auto json = run_json(with({"evaluate", data_, "--folds", "3", "-o", path("out")}, trained_t));
  const auto fold = nlohmann::json::parse(read_bytes(path("out/folds/r1-f2.json")));
  ASSERT_EQ(fold.at("history").size(), 5U);
  EXPECT_EQ(fold.at("history")[4].at("times").size(), 1U);
  // Taken over from the files, the result is the same.
  const auto again = run_json(with({"evaluate", data_, "--folds", "3", "-o", path("out")}, trained_t));
  EXPECT_EQ(again.at("accuracy"), json.at("accuracy"));
  EXPECT_EQ(again.at("folds"), json.at("folds"));
}

TEST_F(FiltrationTest, OtherDataThanGraphsAreRefused) {
  ASSERT_EQ(run({"diagrams", data_, "-o", path("d.h5")}).exit_code, 0);
  expect_mistake(with({"train", path("d.h5"), "-o", path("m")}, trained_t),
                 "d.h5 holds no graphs, and a filtration can only be trained on graphs.");
  (void)run_json(with({"train", data_, "-o", path("m")}, trained_t));
  expect_mistake({"predict", path("m"), path("d.h5")}, "d.h5 holds no graphs");
  ASSERT_EQ(run({"orbits", "--per-class", "2", "-o", path("o.h5")}).exit_code, 0);
  expect_mistake({"train", path("o.h5"), "--settings", "orbit5k", "--set", "network.train_filtration=true"},
                 "network.train_filtration is about filtrations such as hks:10");
  expect_mistake(with({"train", data_, "--model", "svm:sw", "-o", path("s")}, trained_t),
                 "The model svm:sw cannot train a filtration; a network can.");
}

}  // namespace
}  // namespace perslay::test
