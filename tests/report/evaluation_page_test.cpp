#include "io/temporary_folder.h"
#include "learn/toy.h"
#include "learn/toy_learner.h"
#include "sentence.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <perslay/learn/evaluation.h>
#include <perslay/learn/models.h>
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
  for (const auto& section : page.sections) EXPECT_EQ(section.html.find("nan"), std::string::npos);
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

/// A table of the candidates, for the evaluation and for its model.
TEST_F(ReportPage, SaysWhichChannelFoldsChose) {
  const auto items = test::toy_items(30);
  learn::EvaluationTask task{"toys", test::toy_settings(), "perslay", {}};
  task.protocol.folds = 3;
  task.settings.network.candidates = {{"Im(2,(),0,max)"}, {"", "triangle:6", "one", "sum"}};
  task.settings.network.channel = task.settings.network.candidates.front();
  task.settings.network.choice_folds = 2;
  const auto folder = folder_ / "c";
  const auto found = learn::evaluate(items, task, learn::all_learners(), {folder});
  const auto first = static_cast<std::size_t>(
      std::ranges::count(found.folds, "Im(2,(),0,max)", &learn::FoldResult::channel));
  double sum = 0;
  for (const auto& fold : found.folds) sum += fold.choice_accuracies.at(1);
  const auto choice_in = [](const Page& page) {
    const auto section = std::ranges::find(page.sections, "choice", &Section::id);
    return section == page.sections.end() ? std::string() : section->html;
  };
  const auto html = choice_in(report_page(folder));
  EXPECT_NE(html.find(counted(first, "time")), std::string::npos) << html;
  EXPECT_NE(html.find(counted(3 - first, "time")), std::string::npos) << html;
  EXPECT_NE(html.find(percent(sum / 3)), std::string::npos) << html;
  EXPECT_NE(html.find("triangle:6"), std::string::npos) << html;

  const auto of_model = choice_in(report_page(folder / "models" / "end.safetensors"));
  EXPECT_NE(of_model.find(percent(found.folds[0].choice_accuracies[1])), std::string::npos) << of_model;
  const auto row = of_model.find(found.folds[0].channel == "Im(2,(),0,max)" ? "Im(2" : "triangle:6");
  EXPECT_EQ(of_model.find("chosen", row), of_model.rfind("chosen")) << of_model;
  EXPECT_EQ(choice_in(report_page(folder / "models" / "start.safetensors")), "");

  // Folds of earlier versions do not say it.
  for (const auto* const fold : {"r1-f1", "r1-f2", "r1-f3"}) {
    const auto file = folder / "folds" / (std::string(fold) + ".json");
    auto json = nlohmann::ordered_json::parse(test::read_bytes(file));
    for (const auto* const key : {"checksum", "channel", "choice_accuracies"}) json.erase(key);
    test::write_bytes(file, json.dump());
  }
  EXPECT_EQ(choice_in(report_page(folder)), "");
}

TEST_F(ReportPage, LimitsItems) {
  const auto page = report_page(evaluate("e"), 7);
  EXPECT_NE(page.sections[3].html.find("7 of 30 items"), std::string::npos);
  EXPECT_EQ(ids(report_page(folder_ / "e", 0)).size(), 5U) << "no diagrams";
}

TEST_F(ReportPage, ComparesSeveral) {
  fs::create_directory(folder_ / "a");
  evaluate("a/x");
  evaluate("a/y", 2);
  const auto page = report_page(folder_ / "a");
  EXPECT_EQ(page.title, "2 evaluations");
  EXPECT_NE(page.lead.find(">x</th>"), std::string::npos);
  EXPECT_EQ(page.sections.front().id, "e1");
  EXPECT_EQ(page.sections[1].id, "e1-accuracy");
  EXPECT_EQ(page.sections.back().id, "e2-settings");
  std::vector<std::string> listed;
  for (const auto& section : page.sections)
    if (section.listed) listed.push_back(section.title);
  EXPECT_EQ(listed, (std::vector<std::string>{"toys, x", "toys, y"}));
  EXPECT_NE(page.sections[0].html.find("<a href=\"#e1-confusion\">Confusion</a>"), std::string::npos);
  EXPECT_TRUE(page.notes.empty());
  // However the path is spelled.
  for (const auto& path : {folder_ / "a", folder_ / "a/", folder_ / "a/x/.."})
    EXPECT_EQ(report_page(path).subtitle, "a") << path;
}

TEST_F(ReportPage, SharesItemsOut) {
  fs::create_directory(folder_ / "a");
  for (const auto* name : {"a/x", "a/y", "a/z"}) evaluate(name, 2);
  const auto shown = [&](std::size_t items) {
    std::vector<std::string> lines;
    for (const auto& section : report_page(folder_ / "a", items).sections)
      if (section.id.ends_with("-diagrams"))
        lines.push_back(section.html.substr(3, section.html.find(" of") - 3));
    return lines;
  };
  EXPECT_EQ(shown(2), (std::vector<std::string>{"1", "1"}));
  EXPECT_EQ(shown(8), (std::vector<std::string>{"3", "3", "2"}));
}

TEST_F(ReportPage, NamesTheFolderItself) {
  evaluate("a");
  evaluate("a/b");
  const auto page = report_page(folder_ / "a");
  EXPECT_NE(page.lead.find(">.</th>"), std::string::npos);
  EXPECT_EQ(page.sections.front().title, "toys, .");
}

TEST_F(ReportPage, SaysWhatIsNotFinished) {
  fs::create_directory(folder_ / "a");
  for (const auto* name : {"a/x", "a/y", "a/z"}) evaluate(name, 2);
  fs::remove(folder_ / "a/y/results.json");
  const auto page = report_page(folder_ / "a");
  EXPECT_EQ(page.title, "2 evaluations");
  const auto sentence =
      fmt::format("The evaluation in {} is not finished and not shown.", (folder_ / "a/y").string());
  EXPECT_EQ(page.notes, (std::vector<std::string>{sentence}));
  EXPECT_NE(page.html().find(sentence), std::string::npos);
}

TEST_F(ReportPage, RefusesPartsOfOtherEvaluations) {
  const auto own = evaluate("own");
  const auto other = evaluate("other", 2, {"p", "q", "r"});
  fs::copy_file(other / "sample.h5", own / "sample.h5", fs::copy_options::overwrite_existing);
  EXPECT_NE(sentence_of([&] { (void)report_page(own); }).find("sample.h5: The classes are not those of"),
            std::string::npos);
}

TEST_F(ReportPage, RefusesWhatIsNoFile) {
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(sentence_of([&] { (void)report_page(pipe); }),
            pipe.string() + " is neither a folder nor a file.");
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

TEST_F(ReportPage, NoticesFlippedBits) {
  const auto folder = evaluate("e");
  for (const auto* const name : {"results.json", "folds/r1-f1.json", "sample.h5", "models/end.safetensors"}) {
    const auto file = folder / name;
    const auto before = test::read_bytes(file);
    auto flipped = before;
    flipped[before.size() - 5] = static_cast<char>(flipped[before.size() - 5] ^ 1);
    test::write_bytes(file, flipped);
    EXPECT_EQ(sentence_of([&] { (void)report_page(folder); }),
              file.string() + ": The file is damaged: its content does not match its checksum.");
    test::write_bytes(file, before);
  }
}

TEST_F(ReportPage, SaysWhichFilesHaveNoChecksum) {
  const auto folder = evaluate("e");
  EXPECT_TRUE(report_page(folder).notes.empty());
  for (const auto* const name : {"results.json", "models/start.safetensors"}) {
    auto bytes = test::read_bytes(folder / name);
    bytes.replace(bytes.find("checksum"), 8, "whatever");
    test::write_bytes(folder / name, bytes);
  }
  EXPECT_EQ(
      report_page(folder).notes,
      (std::vector<std::string>{folder.string() + " has no checksum, so damage to it would go unnoticed.",
                                (folder / "models/start.safetensors").string() +
                                    " has no checksum, so damage to it would go unnoticed."}));
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
