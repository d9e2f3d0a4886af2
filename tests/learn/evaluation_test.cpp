#include "io/temporary_folder.h"
#include "learn/evaluation_content.h"
#include "learn/toy.h"
#include "learn/toy_learner.h"
#include "sentence.h"
#include "waiting.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perslay/base/memory.h>
#include <perslay/io/checksum.h>
#include <perslay/io/diagram_file.h>
#include <perslay/learn/baselines.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/fingerprint.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

using nlohmann::ordered_json;
using test::evaluation_content;
using test::sentence_of;

EvaluationTask toy_task() {
  return {"toys", test::toy_settings(), "perslay", {Protocol::Type::k_fold, 4, 0, 3, false}};
}

base::Context threads(int count) {
  base::Context context;
  context.threads = count;
  return context;
}

TEST(Evaluation, ResultsAreThoseOfTheFolds) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto task = toy_task();
  const auto found = evaluate(items, task, test::toy_learners(), {folder / "e"}, threads(1));
  ASSERT_EQ(found.folds.size(), 12U);

  const Splits splits(task.protocol, items.labels, items.classes, 0);
  std::vector<double> repeat_means(3);
  std::vector<std::size_t> confusion(9);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto& fold = found.folds[i];
    EXPECT_EQ(fold.repeat, i / 4);
    EXPECT_EQ(fold.fold, i % 4);
    EXPECT_EQ(fold.training_items, 45U);
    EXPECT_EQ(fold.test_items, 15U);
    EXPECT_EQ(fold.history.size(), task.settings.training.epochs);
    repeat_means[i / 4] += fold.accuracy / 4;
    std::size_t right = 0;
    std::size_t all = 0;
    for (std::size_t c = 0; c < 9; ++c) {
      confusion[c] += fold.confusion[c];
      all += fold.confusion[c];
      if (c % 4 == 0) right += fold.confusion[c];
    }
    EXPECT_EQ(all, 15U);
    EXPECT_DOUBLE_EQ(fold.accuracy, static_cast<double>(right) / 15);

    const auto split = splits[i];
    std::vector<int> truth;
    for (const auto row : split.test) truth.push_back(items.labels[row]);
    EXPECT_EQ(fold.size_accuracy, accuracy(truth, predict_by_size(items, split.training, split.test)));
    EXPECT_EQ(fold.majority_accuracy, accuracy(truth, predict_majority(items, split.training, split.test)));
  }
  EXPECT_EQ(found.confusion, confusion);
  EXPECT_DOUBLE_EQ(found.accuracy.mean, (repeat_means[0] + repeat_means[1] + repeat_means[2]) / 3);
  EXPECT_DOUBLE_EQ(found.accuracy.max, std::ranges::max(repeat_means));
  EXPECT_GT(found.accuracy.mean, 0.7);  // the classes are separable but for noise
  EXPECT_LT(found.majority_accuracy.mean, 0.4);
}

TEST(Evaluation, ResultsFileHasWhatReadersExpect) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto found = evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}, threads(2));
  const auto json = ordered_json::parse(test::read_bytes(folder / "e" / "results.json"));
  EXPECT_EQ(json.at("dataset"), "toys");
  EXPECT_EQ(json.at("settings"), "toy");
  EXPECT_EQ(parse_settings(json.at("settings_toml").get<std::string>(), "r"), test::toy_settings());
  EXPECT_EQ(json.at("variant"), "perslay");
  EXPECT_EQ(json.at("classes"), items.classes);
  EXPECT_EQ(json.at("protocol"),
            (ordered_json{{"type", "k-fold"}, {"folds", 4}, {"repeats", 3}, {"stratified", false}}));
  EXPECT_EQ(json.at("accuracy").at("mean"), found.accuracy.mean);
  EXPECT_EQ(json.at("accuracy").at("std"), *found.accuracy.deviation);
  EXPECT_EQ(json.at("accuracy").at("max"), found.accuracy.max);
  EXPECT_EQ(json.at("baselines").at("majority").at("mean"), found.majority_accuracy.mean);
  EXPECT_EQ(json.at("baselines").at("size").at("mean"), found.size_accuracy.mean);
  ASSERT_EQ(json.at("runs").size(), 3U);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t f = 0; f < 4; ++f)
      EXPECT_EQ(json.at("runs").at(r).at(f), found.folds[r * 4 + f].accuracy);
  ASSERT_EQ(json.at("confusion").size(), 3U);
  EXPECT_EQ(json.at("confusion").at(2).at(1), found.confusion[7]);
  EXPECT_GT(json.at("seconds").get<double>(), 0);
  EXPECT_EQ(json.at("folds").size(), 12U);
  EXPECT_FALSE(std::filesystem::exists(folder / "e" / "checkpoints"));
}

TEST(Evaluation, OneRepeatHasNoDeviation) {
  const test::TemporaryFolder folder;
  auto task = toy_task();
  task.protocol = {Protocol::Type::random_split, 0, 0.3, 1, true};
  const auto found = evaluate(test::toy_items(60), task, test::toy_learners(), {folder / "e"});
  EXPECT_FALSE(found.accuracy.deviation.has_value());
  const auto json = ordered_json::parse(test::read_bytes(folder / "e" / "results.json"));
  EXPECT_TRUE(json.at("accuracy").at("std").is_null());
  EXPECT_EQ(json.at("runs"), ordered_json::array({ordered_json::array({found.accuracy.mean})}));
  EXPECT_EQ(json.at("protocol").at("test_fraction"), 0.3);
}

TEST(Evaluation, SameBytesForAnyNumberOfThreads) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  for (const int count : {1, 2, 5})
    (void)evaluate(items, toy_task(), test::toy_learners(), {folder / std::to_string(count)}, threads(count));
  EXPECT_EQ(evaluation_content(folder / "1"), evaluation_content(folder / "2"));
  EXPECT_EQ(evaluation_content(folder / "1"), evaluation_content(folder / "5"));
  EXPECT_EQ(evaluation_content(folder / "1").size(),
            17U);  // 12 folds, results, settings, evaluation, two models
}

TEST(Evaluation, SeedsDiffer) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  auto context = threads(2);
  const auto first = evaluate(items, toy_task(), test::toy_learners(), {folder / "0"}, context);
  context.seed = 1;
  const auto second = evaluate(items, toy_task(), test::toy_learners(), {folder / "1"}, context);
  EXPECT_NE(first.folds[0].history.back().loss, second.folds[0].history.back().loss);
}

TEST(Evaluation, FinishedFoldsAreNotDoneAgain) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto first = evaluate(items, toy_task(), test::toy_learners(), {folder / "e"});
  EXPECT_EQ(first.taken_over, 0U);
  const auto before = evaluation_content(folder / "e");
  std::filesystem::remove(folder / "e" / "folds" / "r2-f3.json");
  std::filesystem::remove(folder / "e" / "folds" / "r3-f1.json");
  std::atomic<int> fits = 0;
  const auto counting = test::watched_learners([&] { ++fits; });
  const auto second = evaluate(items, toy_task(), counting, {folder / "e"});
  EXPECT_EQ(second.taken_over, 10U);
  EXPECT_EQ(fits, 2);
  EXPECT_EQ(evaluation_content(folder / "e"), before);

  const auto finished = test::read_bytes(folder / "e" / "results.json");
  EXPECT_EQ(evaluate(items, toy_task(), counting, {folder / "e"}).seconds, second.seconds);
  EXPECT_EQ(test::read_bytes(folder / "e" / "results.json"), finished);
  for (const auto* const damaged : {"{\"seconds\": -1}", "{\"seconds\": \"long\"}", "[]", "{"}) {
    test::write_bytes(folder / "e" / "results.json", damaged);
    EXPECT_NE(sentence_of([&] {
                (void)evaluate(items, toy_task(), counting, {folder / "e"});
              }).find("results.json: This is not what perslay evaluate writes"),
              std::string::npos);
    EXPECT_EQ(test::read_bytes(folder / "e" / "results.json"), damaged);
  }
  std::filesystem::remove(folder / "e" / "results.json");
  EXPECT_GE(evaluate(items, toy_task(), counting, {folder / "e"}).seconds, 0);
  EXPECT_EQ(evaluation_content(folder / "e"), before);

  EXPECT_EQ(evaluate(items, toy_task(), counting, {folder / "e", true}).taken_over, 0U);
  EXPECT_EQ(fits, 15);  // and one without epochs, for the start of the first fold's model
  EXPECT_EQ(evaluation_content(folder / "e"), before);
}

TEST(Evaluation, CancelledAndContinued) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  std::atomic<bool> cancel = false;
  auto context = threads(2);
  context.cancel = &cancel;
  std::atomic<int> epochs = 0;
  const auto cancel_in_the_middle = [&] {
    if (++epochs == 33) cancel = true;  // folds have 5
  };
  try {
    (void)evaluate(items, toy_task(), test::toy_learners(cancel_in_the_middle), {folder / "e"}, context);
    FAIL() << "It was not cancelled.";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::cancelled);
    const auto files = std::filesystem::directory_iterator(folder / "e" / "folds");
    EXPECT_EQ(
        error.what(),
        fmt::format("Interrupted; {} of 12 folds are finished, and the same command goes on from there.",
                    std::distance(begin(files), end(files))));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "e" / "results.json"));
  auto again = threads(2);
  int begun_anew = 0;  // what is shown, for folds that had been begun
  again.progress = [&](const base::Progress& progress) {
    begun_anew += progress.stage == "folds" && progress.done == progress.total && progress.total > 1 ? 1 : 0;
  };
  (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}, again);
  EXPECT_GE(begun_anew, 1);
  (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "whole"}, threads(2));
  EXPECT_EQ(evaluation_content(folder / "e"), evaluation_content(folder / "whole"));
}

/// There are too many epochs to end; the third report ends them.
TEST(Evaluation, ProgressCountsEpochsFromOneThreadAtATime) {
  const test::TemporaryFolder folder;
  auto context = threads(2);
  std::atomic<bool> cancel = false;
  context.cancel = &cancel;
  std::atomic<int> inside = 0;
  std::vector<base::Progress> reports;
  context.progress = [&](const base::Progress& progress) {
    EXPECT_EQ(++inside, 1);
    if (progress.stage == "folds") reports.push_back(progress);
    cancel = reports.size() == 3;
    --inside;
  };
  auto task = toy_task();
  task.settings.training.epochs = 1'000'000;
  EXPECT_THROW((void)evaluate(test::toy_items(60), task, test::toy_learners(), {folder / "e"}, context),
               base::Error);
  ASSERT_GE(reports.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(reports[i].done, i == 0 ? 0 : reports[i - 1].done);
    EXPECT_EQ(reports[i].total, 12'000'000U);
  }
}

TEST(Evaluation, ProgressReportsTheEnd) {
  const test::TemporaryFolder folder;
  base::Context context;
  std::vector<base::Progress> reports;
  context.progress = [&](const base::Progress& progress) { reports.push_back(progress); };
  (void)evaluate(test::toy_items(60), toy_task(), test::toy_learners(), {folder / "e"}, context);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back().stage, "folds");
  EXPECT_EQ(reports.back().done, reports.back().total);
}

TEST(Evaluation, RefusesWhatCannotBeLearned) {
  const test::TemporaryFolder folder;
  auto items = test::toy_items(60);
  const auto mistake = [&](const EvaluationTask& task) {
    return sentence_of([&] { (void)evaluate(items, task, test::toy_learners(), {folder / "e"}); });
  };
  auto task = toy_task();
  task.protocol.folds = 61;
  EXPECT_EQ(mistake(task), "60 items cannot be cut into 61 folds.");
  std::ranges::fill(items.labels, 1);
  EXPECT_EQ(mistake(toy_task()), "All items are of one class, so there is nothing to learn.");
  items.labels.clear();
  items.classes.clear();
  EXPECT_EQ(mistake(toy_task()), "The data have no labels, so there is nothing to learn.");
  EXPECT_FALSE(std::filesystem::exists(folder / "e"));
}

TEST(Evaluation, RefusesAFolderOfSomethingElse) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"});
  const auto before = evaluation_content(folder / "e");
  const auto expect = [&](const features::Items& data, const EvaluationTask& task, std::uint64_t seed,
                          const std::string& part) {
    base::Context context;
    context.seed = seed;
    const auto said =
        sentence_of([&] { (void)evaluate(data, task, test::toy_learners(), {folder / "e"}, context); });
    EXPECT_NE(said.find("The folder holds an evaluation with"), std::string::npos) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_NE(said.find("--fresh"), std::string::npos) << said;
  };
  expect(items, toy_task(), 7, "another seed (0, now 7)");
  auto task = toy_task();
  task.dataset = "others";
  expect(items, task, 0, "another dataset (toys, now others)");
  task = toy_task();
  task.settings.training.epochs = 6;
  expect(items, task, 0, "another setting ('epochs = 5', now 'epochs = 6')");
  task = toy_task();
  task.protocol.repeats = 9;
  expect(items, task, 0, "another protocol ('4 folds, 3 repeats', now '4 folds, 9 repeats')");
  task.protocol.type = Protocol::Type::random_split;
  task.protocol.test_fraction = 0.3;
  expect(items, task, 0, "now '30 % tested, 9 runs')");
  task = toy_task();
  task.variant = "features-only";
  expect(items, task, 0, "another variant (perslay, now features-only)");
  expect(test::toy_items(60, 1), toy_task(), 0, "another content of the data");

  const auto file = folder / "e" / "evaluation.json";
  const auto expect_damaged = [&] {
    const auto said =
        sentence_of([&] { (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}); });
    EXPECT_TRUE(
        said.starts_with(file.string() + ": This is not what perslay evaluate writes, or it is damaged"))
        << said;
  };
  auto json = ordered_json::parse(test::read_bytes(file));
  auto older = json;
  older["format"] = 1;
  older["data"] = "0123456789abcdef";
  test::write_bytes(file, older.dump());
  expect(items, toy_task(), 0, "another format of files (1, now 3)");
  json["format"] = nullptr;
  for (const auto& bytes : {std::string("{"), std::string(), json.dump()}) {
    test::write_bytes(file, bytes);
    expect_damaged();
  }
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  expect_damaged();
  (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e", true});
  EXPECT_EQ(evaluation_content(folder / "e"), before);
}

TEST(Evaluation, RefusesAFolderThatIsNotItsOwn) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto mistake = [&](const std::filesystem::path& path, bool fresh) {
    return sentence_of([&] { (void)evaluate(items, toy_task(), test::toy_learners(), {path, fresh}); });
  };
  std::filesystem::create_directory(folder / "letters");
  test::write_bytes(folder / "letters" / "dear.txt", "Dear");
  EXPECT_NE(mistake(folder / "letters", false).find("is not empty and holds no evaluation"),
            std::string::npos);
  EXPECT_NE(mistake(folder / "letters", true).find("is not empty and holds no evaluation"),
            std::string::npos);
  EXPECT_NE(mistake(folder / "letters" / "dear.txt", false).find("cannot be made"), std::string::npos);
  EXPECT_NE(mistake(folder / "no" / "such", false).find("cannot be made"), std::string::npos);
  EXPECT_EQ(test::read_bytes(folder / "letters" / "dear.txt"), "Dear");

  // Others may have a file evaluation.json, and folders called like ours, too.
  std::filesystem::create_directories(folder / "project" / "models");
  test::write_bytes(folder / "project" / "models" / "important.pt", "Dear");
  for (const auto* const theirs : {"{\"mine\": 1}", "[1]", "no JSON"}) {
    test::write_bytes(folder / "project" / "evaluation.json", theirs);
    test::write_bytes(folder / "project" / "notes.txt", "Dear");
    EXPECT_NE(mistake(folder / "project", true).find("holds no evaluation"), std::string::npos) << theirs;
    EXPECT_EQ(test::read_bytes(folder / "project" / "models" / "important.pt"), "Dear") << theirs;
  }

  std::filesystem::remove(folder / "letters" / "dear.txt");
  for (const auto* const name :
       {".notes.partial-draft", ".notes.partial-1-2", ".evaluation.json.partial-1"}) {
    test::write_bytes(folder / "letters" / name, "Dear");
    EXPECT_NE(mistake(folder / "letters", true).find("holds no evaluation"), std::string::npos) << name;
    EXPECT_TRUE(std::filesystem::remove(folder / "letters" / name)) << name;
  }
}

TEST(Evaluation, RemovesItsOwnLeftoversAlone) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  // A first evaluation that died at its first file leaves a folder that can be used.
  std::filesystem::create_directory(folder / "e");
  test::write_bytes(folder / "e" / ".evaluation.json.partial-12-0", "{");
  (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"});
  const auto expected = evaluation_content(folder / "e");
  EXPECT_EQ(expected.size(), 17U);

  test::write_bytes(folder / "e" / "folds" / ".r1-f2.json.partial-7-31", "{");
  test::write_bytes(folder / "e" / "models" / ".end.safetensors.partial-7-32", "{");
  test::write_bytes(folder / "e" / ".sample.h5.partial-7-33", "{");
  test::write_bytes(folder / "e" / ".notes.partial-draft", "Dear");
  (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"});
  EXPECT_EQ(test::read_bytes(folder / "e" / ".notes.partial-draft"), "Dear");
  std::filesystem::remove(folder / "e" / ".notes.partial-draft");
  EXPECT_EQ(evaluation_content(folder / "e"), expected);
}

TEST(Evaluation, KeepsTheFirstFoldsModelBeforeAndAfterTraining) {
  const test::TemporaryFolder folder;
  auto items = test::toy_items(60);
  items.kind = &features::cloud_kind();
  const auto task = toy_task();
  (void)evaluate(items, task, test::toy_learners(), {folder / "e"});
  const auto start = read_model(folder / "e" / "models" / "start.safetensors");
  const auto end = read_model(folder / "e" / "models" / "end.safetensors");
  EXPECT_EQ(start.content, &features::cloud_kind());
  EXPECT_EQ(start.settings.training.epochs, task.settings.training.epochs);

  // By hand: the fold's seed, preparation and training.
  const Splits splits(task.protocol, items.labels, items.classes, 0);
  const auto split = splits[0];
  const auto preparation = Preparation::fit(items, split.training, task.settings, {});
  const auto fitted = [&](std::size_t epochs) {
    auto settings = task.settings;
    settings.training.epochs = epochs;
    FitOptions options;
    options.seed = end.seed;
    return test::ToyLearner(settings).fit({items, split.training, preparation}, options, {}).model->arrays();
  };
  EXPECT_EQ(start.arrays, fitted(0));
  EXPECT_EQ(end.arrays, fitted(task.settings.training.epochs));
  EXPECT_NE(start.arrays, end.arrays);
}

/// Folds run side by side by then, and a learner of networks changes what all threads share.
TEST(Evaluation, NoLearnerIsMadeWhileFoldsRun) {
  const test::TemporaryFolder folder;
  int made = 0;
  const MakeLearner make = [&](const Settings& settings) {
    ++made;
    return std::make_unique<test::ToyLearner>(settings);
  };
  (void)evaluate(test::toy_items(60), toy_task(), make, {folder / "e"}, threads(2));
  EXPECT_EQ(made, 1);
}

TEST(Evaluation, KeepsASampleOnce) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  int made = 0;
  EvaluationOptions options;
  options.folder = folder / "e";
  options.sample = [&] {
    ++made;
    return diagram::DiagramSet{items.groups, items.labels, items.classes};
  };
  (void)evaluate(items, toy_task(), test::toy_learners(), options);
  (void)evaluate(items, toy_task(), test::toy_learners(), options);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(io::read_diagrams(folder / "e" / "sample.h5").item_count(), 60U);
  options.fresh = true;
  (void)evaluate(items, toy_task(), test::toy_learners(), options);
  EXPECT_EQ(made, 2);
}

TEST(Evaluation, OneAtATimeInAFolder) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto second = [&] { (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}); };
  std::string said;
  std::once_flag once;
  const MakeLearner meanwhile = [&](const Settings& settings) {
    std::call_once(once, [&] { said = sentence_of(second); });
    return test::toy_learners()(settings);
  };
  (void)evaluate(items, toy_task(), meanwhile, {folder / "e"}, threads(2));
  EXPECT_EQ(said, (folder / "e").string() +
                      ": Another evaluation is writing to this folder; wait for its end, or choose another.");
  EXPECT_EQ(sentence_of(second), "no error");
}

TEST(Evaluation, AFileInThePlaceOfAFolder) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto again = [&] { (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}); };
  again();
  std::filesystem::remove_all(folder / "e" / "folds");
  test::write_bytes(folder / "e" / "folds", "none");
  const auto said = sentence_of(again);
  EXPECT_TRUE(said.starts_with((folder / "e" / "folds").string() + ": The folder cannot be made")) << said;
}

TEST(Evaluation, AFolderInThePlaceOfAFile) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto again = [&] { (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}); };
  again();
  const auto fold = folder / "e" / "folds" / "r1-f1.json", results = folder / "e" / "results.json";
  const auto read = [&] { (void)read_evaluation(folder / "e"); };
  std::filesystem::remove(fold);
  std::filesystem::create_directory(fold);
  EXPECT_TRUE(sentence_of(again).starts_with(fold.string() + ": This is a folder")) << sentence_of(again);
  EXPECT_TRUE(sentence_of(read).starts_with(fold.string() + ": This is not what perslay evaluate writes"));
  std::filesystem::remove(results);
  std::filesystem::create_directory(results);
  EXPECT_TRUE(sentence_of(read).starts_with(results.string() + ": This is not what perslay evaluate writes"));
}

TEST(Evaluation, NamesThatAreNotUtf8) {
  const test::TemporaryFolder folder;
  auto items = test::toy_items(60);
  items.classes[1] = "caf\xE9";
  auto task = toy_task();
  task.dataset = "na\xEFve";
  for (const std::size_t taken_over : {0U, 12U})
    EXPECT_EQ(evaluate(items, task, test::toy_learners(), {folder / "e"}).taken_over, taken_over);
}

/// Of folds whose checksum is right: anybody can make such a file.
TEST(Evaluation, ImpossibleFoldsAreRefused) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto again = [&] { (void)evaluate(items, toy_task(), test::toy_learners(), {folder / "e"}); };
  again();
  const auto file = folder / "e" / "folds" / "r2-f3.json";
  const auto bytes = test::read_bytes(file);
  const auto with_checksum = [](const ordered_json& fold) {
    auto text = fold.dump(2) + '\n';
    if (fold.is_object()) io::put_checksum(text, text.find("checksum") + 12);
    return text;
  };
  ASSERT_EQ(with_checksum(ordered_json::parse(bytes)), bytes);
  const std::function<void(ordered_json&)> changes[] = {
      [](auto& fold) { fold["accuracy"] = 1.5; },
      [](auto& fold) { fold["accuracy"] = -0.5; },
      [](auto& fold) { fold["training_accuracy"] = 2; },
      [](auto& fold) { fold["majority_accuracy"] = -1; },
      [](auto& fold) { fold["size_accuracy"] = nullptr; },
      [](auto& fold) { fold["confusion"][0] = -1; },
      [](auto& fold) { fold["confusion"][0] = 0.5; },
      [](auto& fold) { fold["confusion"].push_back(0); },
      [](auto& fold) { fold["confusion"].erase(0); },
      [](auto& fold) { fold["confusion"] = 3; },
      [](auto& fold) { fold["fold"] = 4; },
      [](auto& fold) { fold["training_items"] = -1; },
      [](auto& fold) { fold["history"][0]["epoch"] = -1; },
      [](auto& fold) { fold["history"][0]["loss"] = 1e308; },
      [](auto& fold) { fold["history"][0]["accuracy"] = 7; },
      [](auto& fold) { fold["seconds"]["training"] = -5; },
      [](auto& fold) { fold = ordered_json::array(); }};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    auto fold = ordered_json::parse(bytes);
    changes[i](fold);
    test::write_bytes(file, with_checksum(fold));
    const auto said = sentence_of(again);
    EXPECT_TRUE(said.starts_with(file.string() + ": This is not what perslay evaluate writes")) << i << said;
  }
  test::write_bytes(file, bytes);
  EXPECT_EQ(sentence_of(again), "no error");
}

TEST(Evaluation, SaysInWhichFoldALearnerFailed) {
  const test::TemporaryFolder folder;
  const auto failing = test::watched_learners([] { throw base::user_error("The loss is not a number."); });
  EXPECT_EQ(sentence_of([&] { (void)evaluate(test::toy_items(60), toy_task(), failing, {folder / "e"}); }),
            "Repeat 1, fold 1: The loss is not a number.");
}

/// Nothing about test items, labels included, has an influence on what is learned.
TEST(Evaluation, TestItemsDoNotLeak) {
  const auto items = test::toy_items(60);
  const auto task = toy_task();
  const auto split = Splits(task.protocol, items.labels, items.classes, 0)[5];
  const auto learned = [&](const features::Items& data) {
    const auto preparation = Preparation::fit(data, split.training, task.settings);
    const Part part{data, split.training, preparation};
    return std::pair(preparation.features, test::ToyLearner(task.settings).fit(part, {}, {}).model->arrays());
  };
  EXPECT_EQ(learned(items), learned(test::spoiled(items, split.training)));
  EXPECT_NE(learned(items), learned(test::spoiled(items, split.test)));
}

/// The same, through evaluate().
TEST(Evaluation, AFoldLearnsTheSameWhateverItsTestItemsAre) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(60);
  const auto task = toy_task();
  const auto before = evaluate(items, task, test::toy_learners(), {folder / "before"}, threads(2));
  const Splits splits(task.protocol, items.labels, items.classes, 0);
  for (const std::size_t fold : {0UL, 5UL, 11UL}) {
    const auto changed = test::spoiled(items, splits[fold].training);
    const auto after =
        evaluate(changed, task, test::toy_learners(), {folder / fmt::format("{}", fold)}, threads(2));
    const auto same = [&](std::size_t f) {
      const auto &a = before.folds[f], &b = after.folds[f];
      return a.training_accuracy == b.training_accuracy &&
             std::ranges::equal(a.history, b.history, {}, &Epoch::loss, &Epoch::loss);
    };
    EXPECT_TRUE(same(fold)) << fold;
    EXPECT_NE(before.folds[fold].confusion, after.folds[fold].confusion)
        << fold;                                            // they are not the same items
    EXPECT_FALSE(same(fold == 11 ? 0 : fold + 1)) << fold;  // which learns from some of them
  }
}

// ---- kill -9

std::size_t finished_folds(const std::filesystem::path& folder) {
  std::error_code none;
  const std::filesystem::directory_iterator files(folder / "folds", none);
  return static_cast<std::size_t>(
      std::ranges::count_if(files, [](const auto& file) { return file.path().extension() == ".json"; }));
}

/// Evaluates in a process of its own, which kills itself as it begins an epoch of which `kill` is true, while
/// its second thread does anything. True if it came to that.
bool evaluate_and_kill(const std::filesystem::path& folder, const std::function<bool()>& kill) {
  const pid_t process = ::fork();
  if (process == 0) {
    const auto kill_itself = [&] {
      if (kill()) ::raise(SIGKILL);
    };
    (void)evaluate(test::toy_items(60), toy_task(), test::toy_learners(kill_itself), {folder}, threads(2));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << status;
  return WIFSIGNALED(status);
}

/// Every other kill comes right after a fold is finished, the others at any epoch.
TEST(Evaluation, KilledEvaluationsContinue) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not follow forks of programs with threads.";
#endif
  const test::TemporaryFolder folder;
  base::RandomStream random(11);
  int kills = 0, between_folds = 0;
  for (int attempt = 0; attempt < 200 && kills < 20; ++attempt) {
    const auto name = folder / std::to_string(attempt / 5);
    const bool after_fold = attempt % 2 == 0;
    const auto folds = finished_folds(name);
    std::atomic<std::uint64_t> epochs = random.below(40);
    if (!evaluate_and_kill(name, [&] { return after_fold ? finished_folds(name) > folds : epochs-- == 0; }))
      continue;
    ++kills;
    if (after_fold && finished_folds(name) < 12) ++between_folds;
  }
  EXPECT_EQ(kills, 20);
  EXPECT_GE(between_folds, 5);
  (void)evaluate(test::toy_items(60), toy_task(), test::toy_learners(), {folder / "whole"}, threads(1));
  const auto expected = evaluation_content(folder / "whole");
  for (int run = 0; std::filesystem::exists(folder / std::to_string(run)); ++run) {
    const auto name = folder / std::to_string(run);
    (void)evaluate(test::toy_items(60), toy_task(), test::toy_learners(), {name}, threads(2));
    EXPECT_EQ(evaluation_content(name), expected);
  }
}

// ---- fingerprints

TEST(Fingerprint, ChangesWithEverything) {
  auto items = test::toy_items(20);
  items.keyed = {{"wl:2", 1, {7, 9}, {1, 2}, std::vector<std::int64_t>(21, 2)}};
  items.keyed[0].offsets[0] = 0;
  const auto base = fingerprint(items);
  EXPECT_EQ(base.size(), 16U);
  EXPECT_EQ(fingerprint(items, threads(1)), fingerprint(items, threads(3)));
  const auto changed = [&](const std::function<void(features::Items&)>& change) {
    auto copy = items;
    change(copy);
    return fingerprint(copy) != base;
  };
  EXPECT_FALSE(changed([](auto&) {}));
  EXPECT_TRUE(changed([](auto& i) { i.labels[3] = (i.labels[3] + 1) % 3; }));
  EXPECT_TRUE(changed([](auto& i) { i.labels.clear(); }));
  EXPECT_TRUE(changed([](auto& i) { i.classes[1] += 'z'; }));
  EXPECT_TRUE(changed([](auto& i) { i.sizes[19].points += 1; }));
  EXPECT_TRUE(changed([](auto& i) { i.sizes[19].edges += 1; }));
  EXPECT_TRUE(changed([](auto& i) { i.blocks[0].values[5] += 1e-6F; }));
  EXPECT_TRUE(changed([](auto& i) { i.blocks[0].name += 'z'; }));
  EXPECT_TRUE(changed([](auto& i) { i.blocks.clear(); }));
  EXPECT_TRUE(changed([](auto& i) { i.keyed[0].keys[1] += 1; }));
  EXPECT_TRUE(changed([](auto& i) { i.keyed[0].values[1] += 1; }));
  EXPECT_TRUE(changed([](auto& i) { i.keyed[0].offsets[1] = 1; }));
  EXPECT_TRUE(changed([](auto& i) { i.keyed[0].name += 'z'; }));
  EXPECT_TRUE(changed([](auto& i) { i.keyed.clear(); }));
  EXPECT_TRUE(changed([](auto& i) { i.groups[0].filtration += '0'; }));
  EXPECT_TRUE(changed([](auto& i) { i.groups[0].kind = diagram::Kind::ext0; }));
  EXPECT_TRUE(changed([](auto& i) { std::swap(i.groups[0].diagrams, i.groups[1].diagrams); }));
}

/// The threads that fits ran on.
class Threads {
 public:
  void add_mine() {
    const std::scoped_lock lock(mutex_);
    ids_.insert(std::this_thread::get_id());
  }
  [[nodiscard]] std::size_t count() {
    const std::scoped_lock lock(mutex_);
    return ids_.size();
  }

 private:
  std::mutex mutex_;
  std::set<std::thread::id> ids_;
};

/// Each of its fits claims some memory, and goes on when as many threads have begun one as are expected.
class LargeLearner : public test::ToyLearner {
 public:
  LargeLearner(const Settings& settings, double bytes, Threads& threads, std::size_t expected = 0)
      : ToyLearner(settings), bytes_(bytes), threads_(threads), expected_(expected) {}

  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override {
    return {static_cast<double>(items), bytes_};
  }

  [[nodiscard]] Fit fit(const Part& part, const FitOptions& options,
                        const base::Context& context) const override {
    if (!options.untrained) {
      threads_.add_mine();
      test::wait_until([&] { return threads_.count() >= expected_; });
    }
    return ToyLearner::fit(part, options, context);
  }

 private:
  double bytes_;
  Threads& threads_;
  std::size_t expected_;
};

TEST(Evaluation, FoldsForWhichThereIsNoMemoryWait) {
  const auto items = test::toy_items(60);
  for (const auto& [share, expected] : {std::pair(0.25, 3U), std::pair(0.9, 1U)}) {
    const test::TemporaryFolder folder;
    Threads fitting;
    const MakeLearner make = [&](const Settings& settings) {
      return std::make_unique<LargeLearner>(settings, share * base::usable_memory(), fitting, expected);
    };
    (void)evaluate(items, toy_task(), make, {folder / "e"}, threads(3));
    EXPECT_EQ(fitting.count(), expected) << share;
  }
}

TEST(Evaluation, WhatTheMachineCannotHoldIsRefused) {
  const auto items = test::toy_items(60);
  Threads fitting;
  const MakeLearner make = [&](const Settings& settings) {
    return std::make_unique<LargeLearner>(settings, 1e15, fitting);
  };
  const test::TemporaryFolder folder;
  EXPECT_NE(sentence_of([&] {
              (void)evaluate(items, toy_task(), make, {folder / "e"});
            }).find("Learning from 60 items would need about 1000000.0 GB"),
            std::string::npos);
  EXPECT_NE(sentence_of([&] { (void)train(items, test::toy_settings(), make, {}); }).find("1000000.0 GB"),
            std::string::npos);
}

TEST(Evaluation, CostsAreThoseOfAllRounds) {
  Threads fitting;
  const LargeLearner learner(test::toy_settings(), 100, fitting);
  const Protocol protocol{Protocol::Type::k_fold, 4, 0, 3, false};
  const auto cost = expected_cost(learner, protocol, 60, 5);  // twelve fits to 45 items, five at a time
  EXPECT_EQ(cost.seconds, 3 * 45);
  EXPECT_EQ(cost.bytes, 5 * 100);
  const LargeLearner small(test::toy_settings(), 1e-3, fitting);  // the memory holds more than an int counts
  EXPECT_EQ(expected_cost(small, protocol, 60, 5).seconds, 3 * 45);
}

}  // namespace
}  // namespace perslay::learn
