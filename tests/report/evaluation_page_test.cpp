#include "io/temporary_folder.h"
#include "learn/toy.h"
#include "learn/toy_learner.h"
#include "sentence.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/learn/evaluation.h>
#include <perslay/report/evaluation_page.h>

namespace perslay::report {
namespace {

namespace fs = std::filesystem;
using test::sentence_of;

class ReportPage : public testing::Test {
 protected:
  fs::path evaluate(const std::string& name, std::size_t epochs = 5,
                    std::vector<std::string> classes = {"a", "b", "c"}) {
    auto items = test::toy_items(30);
    items.classes = std::move(classes);
    learn::EvaluationTask task{
        "toys", test::toy_settings(), "perslay", {learn::Protocol::Type::k_fold, 5, 0, 2, false}};
    task.settings.training.epochs = epochs;
    learn::EvaluationOptions options;
    options.folder = folder_ / name;
    options.sample = [&] {
      diagram::DiagramSet set{items.groups, items.labels, items.classes};
      return set;
    };
    (void)learn::evaluate(items, task, test::toy_learners(), options);
    return options.folder;
  }

  test::TemporaryFolder folder_;
};

std::vector<std::string> ids(const Page& page) {
  std::vector<std::string> all;
  for (const auto& section : page.sections) all.push_back(section.id);
  return all;
}

TEST_F(ReportPage, ShowsAnEvaluation) {
  const auto folder = evaluate("e");
  const auto page = report_page(folder);
  EXPECT_EQ(ids(page),
            (std::vector<std::string>{"accuracy", "confusion", "training", "diagrams", "time", "settings"}));
  EXPECT_TRUE(page.title.starts_with("toys: ")) << page.title;
  const auto accuracy = learn::read_evaluation(folder).evaluation.accuracy;
  EXPECT_NE(page.title.find(fmt::format("{:.2f} ± {:.2f} %", 100 * accuracy.mean, 100 * *accuracy.deviation)),
            std::string::npos)
      << page.title;
  const auto& dots = page.sections[0].html;
  for (const auto* fold : {"repeat 1, fold 1: ", "repeat 2, fold 5: "})
    EXPECT_NE(dots.find(fold), std::string::npos);
  EXPECT_NE(page.sections[2].html.find("epoch 5: "), std::string::npos);
  EXPECT_NE(page.sections[3].html.find("All 30 items"), std::string::npos);
  EXPECT_EQ(page.html().find("nan"), std::string::npos);
}

TEST_F(ReportPage, ReadsWhatEvaluateFound) {
  const auto folder = evaluate("e");
  const auto finished = learn::read_evaluation(folder);
  EXPECT_EQ(finished.dataset, "toys");
  EXPECT_EQ(finished.items, 30U);
  EXPECT_EQ(finished.protocol, (learn::Protocol{learn::Protocol::Type::k_fold, 5, 0.3, 2, false}));
  ASSERT_EQ(finished.evaluation.folds.size(), 10U);
  EXPECT_EQ(finished.evaluation.folds[7].repeat, 1U);
  EXPECT_EQ(finished.evaluation.folds[7].history.size(), 5U);
  std::ifstream stream(folder / "results.json");
  const auto json = nlohmann::json::parse(stream);
  EXPECT_EQ(finished.evaluation.accuracy.mean, json["accuracy"]["mean"].get<double>());
  EXPECT_EQ(finished.evaluation.confusion[4], json["confusion"][1][1].get<std::size_t>());
}

TEST_F(ReportPage, LimitsItems) {
  const auto page = report_page(evaluate("e"), {.items = 7});
  EXPECT_NE(page.sections[3].html.find("7 of 30 items"), std::string::npos);
  EXPECT_EQ(ids(report_page(folder_ / "e", {.items = 0})).size(), 5U) << "no diagrams";
}

TEST_F(ReportPage, ComparesSeveral) {
  fs::create_directory(folder_ / "a");
  evaluate("a/x");
  evaluate("a/y", 2);
  const auto page = report_page(folder_ / "a");
  EXPECT_EQ(page.title, "2 evaluations");
  EXPECT_NE(page.lead.find(">x</th>"), std::string::npos);
  EXPECT_EQ(page.sections.front().id, "e1-accuracy");
  EXPECT_EQ(page.sections.back().id, "e2-settings");
}

TEST_F(ReportPage, HostileNamesAreInert) {
  const auto html =
      report_page(evaluate("e", 5, {"<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", "\xFF"}))
          .html();
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
}

TEST_F(ReportPage, SaysWhatIsWrong) {
  const auto missing = folder_ / "none";
  EXPECT_EQ(sentence_of([&] { (void)report_page(missing); }), missing.string() + " does not exist.");
  fs::create_directory(folder_ / "empty");
  EXPECT_NE(sentence_of([&] { (void)report_page(folder_ / "empty"); }).find("There is no evaluation here"),
            std::string::npos);
  const auto folder = evaluate("e");
  fs::remove(folder / "results.json");
  EXPECT_NE(sentence_of([&] { (void)report_page(folder); }).find("The evaluation is not finished"),
            std::string::npos);
}

TEST_F(ReportPage, NoticesDamage) {
  const auto spoil = [&](const std::string& name, const std::string& content) {
    const auto folder = evaluate("e");
    std::ofstream(folder / name) << content;
    const auto sentence = sentence_of([&] { (void)report_page(folder); });
    fs::remove_all(folder);
    return sentence;
  };
  for (const auto* content : {"", "{}", "[1]", "{\"dataset\": 3}", "null"})
    EXPECT_NE(spoil("results.json", content).find("results.json: This is not what perslay evaluate writes"),
              std::string::npos)
        << content;
  EXPECT_NE(spoil("folds/r1-f2.json", "{}").find("r1-f2.json: This is not"), std::string::npos);
  EXPECT_NE(spoil("sample.h5", "text").find("sample.h5"), std::string::npos);
  EXPECT_NE(spoil("models/end.safetensors", "text").find("end.safetensors"), std::string::npos);
}

TEST_F(ReportPage, NoticesImpossibleNumbers) {
  const auto folder = evaluate("e");
  using nlohmann::json;
  const auto complaint = [&](const std::string& name, const std::string& place, const json& value) {
    const auto file = folder / name;
    const auto before = test::read_bytes(file);
    auto changed = json::parse(before);
    changed[json::json_pointer(place)] = value;
    test::write_bytes(file, changed.dump());
    const auto sentence = sentence_of([&] { (void)report_page(folder).html(); });
    test::write_bytes(file, before);
    return sentence;
  };
  const auto expect_damage = [&](const std::string& name, const std::string& place, const json& value) {
    EXPECT_NE(complaint(name, place, value).find(name + ": This is not what perslay evaluate writes"),
              std::string::npos)
        << place << " = " << value;
  };
  const auto* fold = "folds/r1-f1.json";
  for (const json& value : {json(-1), json(1.5), json("1"), json(nullptr)}) {
    for (const auto* place : {"/history/0/epoch", "/history/0/net", "/training_items", "/repeat"})
      expect_damage(fold, place, value);
    for (const auto* place : {"/items", "/seed", "/protocol/folds", "/protocol/repeats"})
      expect_damage("results.json", place, value);
  }
  expect_damage("results.json", "/protocol/repeats", 0);
  expect_damage(fold, "/history/0/epoch", 1'000'000'000'000'000'000);
  for (const double loss : {1e308, -1e308, 1e40}) expect_damage(fold, "/history/0/loss", loss);
  for (const double accuracy : {7.0, -0.1}) expect_damage(fold, "/history/0/accuracy", accuracy);
  for (const double t : {-1.0, 0.0}) expect_damage(fold, "/history/0/times", json{t});
  for (const auto* part : {"preparation", "training", "prediction"})
    for (const double seconds : {-5.0, 1.7e308})
      expect_damage(fold, std::string("/seconds/") + part, seconds);
  expect_damage("results.json", "/protocol/type", "zebra");
  EXPECT_NE(complaint("results.json", "/items", 31)
                .find("r1-f1.json: The fold has 30 items, but according to results.json there are 31."),
            std::string::npos);
  EXPECT_TRUE(complaint("results.json", "/settings_toml", "x = [")
                  .starts_with((folder / "results.json").string() + ", settings_toml"))
      << complaint("results.json", "/settings_toml", "x = [");
  // A training that went astray, as far as single precision goes, is shown.
  EXPECT_EQ(complaint(fold, "/history/3/loss", 3e38), "no error");
}

}  // namespace
}  // namespace perslay::report
