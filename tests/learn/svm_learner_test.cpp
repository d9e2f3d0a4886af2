#include "../io/temporary_folder.h"
#include "../sentence.h"
#include "toy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include <perslay/learn/evaluation.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

using test::spoiled;

/// Two groups of diagrams; classes differ in how persistent the points of the second are.
features::Items shapes(std::size_t count, std::uint64_t seed) {
  auto items = test::toy_items(count, seed);
  std::vector<diagram::Diagram> loops(count);
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(seed + 1, i);
    for (auto points = 3 + random.below(4); points > 0; --points) {
      const double birth = random.uniform();
      loops[i].points.push_back({birth, birth + 0.2 + items.labels[i] + 0.2 * random.uniform()});
    }
  }
  items.groups[1].diagrams = diagram::DiagramBatch(loops);
  items.blocks.clear();
  return items;
}

Settings settings_of(const std::string& kernel) {
  Settings settings = test::toy_settings();
  settings.svm.costs = {0.1, 1, 10};
  settings.svm.folds = 3;
  return with_model(settings, "svm:" + kernel);
}

const MakeLearner learners = all_learners();

std::vector<std::size_t> range(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

double test_accuracy(const Model& model, const features::Items& items, std::span<const std::size_t> rows) {
  const Preparation none;
  std::vector<int> truth;
  for (const std::size_t row : rows) truth.push_back(items.labels[row]);
  return accuracy(truth, most_probable(model.probabilities({items, rows, none}, {}), items.classes.size()));
}

class SvmLearnerTest : public testing::TestWithParam<const char*> {};

TEST_P(SvmLearnerTest, LearnsWhatDiagramsTell) {
  const auto items = shapes(90, 4);
  const auto training = range(0, 60), rest = range(60, 90);
  const Preparation none;
  const auto fit = learners(settings_of(GetParam()))->fit({items, training, none}, {}, {});
  EXPECT_GE(test_accuracy(*fit.model, items, rest), 0.96);
}

TEST(SvmLearner, OneItemIsTooFew) {
  const auto items = shapes(4, 2);
  const Preparation none;
  const auto learner = learners(settings_of("sw"));
  const auto one = range(1, 2), two = range(1, 3);
  EXPECT_EQ(test::sentence_of([&] {
              (void)learner->fit({items, one, none}, {}, {});
            }),
            "Support vectors choose their cost by a cross-validation inside the training part, which needs "
            "at least "
            "2 items and has 1.");
  EXPECT_NE(learner->fit({items, two, none}, {}, {}).model, nullptr);
}

/// Parts of the cross-validation then lack a class, or have a single one.
TEST_P(SvmLearnerTest, TwoItemsPerClassAreEnough) {
  const auto items = shapes(2 * test::toy_classes, 4);
  for (const std::size_t folds : {2U, 3U, 5U, 10U}) {
    auto settings = settings_of(GetParam());
    settings.svm.folds = folds;
    const auto trained = train(items, settings, learners, {});
    EXPECT_EQ(trained.accuracy, 1) << folds;
    EXPECT_GE(predict(trained.model, shapes(60, 9), learners).accuracy, 0.6) << folds;
  }
  // An evaluation learns from one item of each class.
  EvaluationTask task;
  task.settings = settings_of(GetParam());
  task.protocol.folds = 2;
  task.protocol.repeats = 1;
  const test::TemporaryFolder folder;
  const auto evaluation = evaluate(items, task, learners, {.folder = folder / "r"});
  for (const auto& fold : evaluation.folds) EXPECT_EQ(fold.training_items, test::toy_classes);
  EXPECT_EQ(std::accumulate(evaluation.confusion.begin(), evaluation.confusion.end(), std::size_t{0}),
            items.count());
}

TEST_P(SvmLearnerTest, NothingOfTheTestPartEnters) {
  const auto items = shapes(60, 9);
  const auto training = range(0, 40);
  const auto other = spoiled(items, training);
  const Preparation none;
  const auto settings = settings_of(GetParam());
  const auto learner = learners(settings);
  learner->study(items, {});
  EXPECT_EQ(learner->fit({items, training, none}, {}, {}).model->arrays(),
            learners(settings)->fit({other, training, none}, {}, {}).model->arrays());
}

TEST_P(SvmLearnerTest, AModelFilePredictsTheSame) {
  const auto items = shapes(60, 2);
  const test::TemporaryFolder folder;
  const auto trained = train(items, settings_of(GetParam()), learners, {});
  const auto expected = predict(trained.model, items, learners);
  write_model(folder / "m.safetensors", trained.model);
  const auto found = predict(read_model(folder / "m.safetensors"), items, learners);
  EXPECT_EQ(found.probabilities, expected.probabilities);
  EXPECT_EQ(found.accuracy, trained.accuracy);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SvmLearnerTest, testing::Values("sw", "pss", "pwg", "pf", "pwg~grid:1e-6"));

TEST(SvmLearner, AnEvaluationDoesNotDependOnThreads) {
  const auto items = shapes(40, 6);
  const test::TemporaryFolder folder;
  EvaluationTask task{"toy", settings_of("sw"), "perslay", {}};
  task.protocol.folds = 4;
  base::Context one, three;
  one.threads = 1;
  three.threads = 3;
  const auto a = evaluate(items, task, learners, {folder / "a"}, one);
  const auto b = evaluate(items, task, learners, {folder / "b"}, three);
  EXPECT_EQ(a.confusion, b.confusion);
  EXPECT_GE(a.accuracy.mean, 0.95);
}

TEST(SvmLearner, ModelsThatContradictThemselvesAreSentences) {
  const auto items = shapes(30, 2);
  auto model = train(items, settings_of("sw"), learners, {}).model;
  for (std::size_t i = 0; i < model.arrays.size(); ++i) {
    const auto whole = model.arrays[i];
    for (const auto& damage : std::vector<std::function<void(io::NamedArray&)>>{
             [](auto& array) { array.name += 'x'; }, [](auto& array) { array.doubles.push_back(1); },
             [](auto& array) {
               array.doubles.clear();
               array.values = {1};
             },
             [](auto& array) { array.doubles.back() = std::nan(""); },
             [](auto& array) {
               if (array.name == "svm.counts")
                 array.doubles.front() = 9e14;  // that much memory there is not
               else
                 array.doubles.clear();
             }}) {
      damage(model.arrays[i]);
      const auto sentence = test::sentence_of([&] { (void)predict(model, items, learners); });
      EXPECT_NE(sentence, "no error") << whole.name;
      model.arrays[i] = whole;
    }
  }
}

}  // namespace
}  // namespace perslay::learn
