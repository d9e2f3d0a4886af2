// Channels for some of the diagrams, several side by side, and a choice among candidates.
#include "../../src/learn/learners.h"
#include "../io/temporary_folder.h"
#include "../sentence.h"
#include "toy.h"

#include <atomic>
#include <numeric>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/learn/architecture.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/steps_done.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

using diagram::Kind;

ChannelSettings short_form(const char* name) { return {name}; }

std::vector<std::size_t> all_rows(const features::Items& items) {
  std::vector<std::size_t> rows(items.count());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// ---- channels for some of the diagrams

TEST(Channels, TheMostSpecialNameWins) {
  NetworkSettings network;
  network.channel = short_form("Im(2,(),0)");
  const auto paper = [&](const char* filtration, Kind kind) {
    std::string all;
    for (const auto& channel : channels_of(network, {filtration, kind})) all += channel.paper + ' ';
    return all;
  };
  EXPECT_EQ(paper("hks:10", Kind::ext1), "Im(2,(),0) ");
  network.channels["ext1"] = {short_form("Im(3,(),0)"), short_form("Pm(3,3,0)")};
  EXPECT_EQ(paper("hks:10", Kind::ext1), "Im(3,(),0) Pm(3,3,0) ");
  EXPECT_EQ(paper("hks:10", Kind::ord0), "Im(2,(),0) ");
  network.channels["hks:10"] = {short_form("Im(4,(),0)")};
  EXPECT_EQ(paper("hks:10", Kind::ord0), "Im(4,(),0) ");
  EXPECT_EQ(paper("hks:1", Kind::ext1), "Im(3,(),0) Pm(3,3,0) ");
  EXPECT_EQ(test::sentence_of([&] { (void)paper("hks:10", Kind::ext1); }),
            "[network.channels] has channels for 'hks:10' and for 'ext1', and 'hks:10 ext1' is both; say "
            "which it has "
            "by \"hks:10 ext1\" = ...");
  network.channels["hks:10 ext1"] = {short_form("Im(5,(),0)")};
  EXPECT_EQ(paper("hks:10", Kind::ext1), "Im(5,(),0) ");
}

TEST(Channels, OfFiltrationsThatNobodyComputesAreRefused) {
  const auto items = test::toy_items(12);
  auto settings = test::toy_settings();
  settings.network.channels["rel1"] = {short_form("Im(3,(),0)")};  // a variant may leave a kind out
  const auto make = [&] {
    (void)architecture(settings, items, Preparation::fit(items, all_rows(items), settings).features);
  };
  make();
  settings.network.channels["hks:1 ext1"] = {short_form("Im(3,(),0)")};
  EXPECT_EQ(test::sentence_of(make),
            "[network.channels] has a channel for 'hks:1 ext1', but the diagrams are of hks:10.");
}

TEST(Channels, SeveralReadTheSameDiagrams) {
  const auto items = test::toy_items(12);
  auto settings = test::toy_settings();
  settings.network.channel = short_form("Im(3,(2,2),0)");
  settings.network.channels["ext1"] = {short_form("Pm(3,4,0,top-2)"), {"", "triangle:5", "one", "max"}};
  const auto plan =
      architecture(settings, items, Preparation::fit(items, all_rows(items), settings).features);
  ASSERT_EQ(plan.channels.size(), 3U);
  EXPECT_EQ(plan.groups, (std::vector<std::size_t>{0, 1, 1}));
  EXPECT_EQ(plan.channels[0].size(), 2U * 3 * 3);  // an image has one sample more
  EXPECT_EQ(plan.channels[1].size(), 4U * 2);
  EXPECT_EQ(plan.channels[2].size(), 5U);
}

// ---- the choice among candidates

Settings choice_settings() {
  auto settings = test::toy_settings();
  settings.features.names.clear();
  settings.network.candidates = {
      short_form("Im(2,(),0,max)"), short_form("Pm(4,5,0,sum)"), {"", "triangle:6", "one", "sum"}};
  settings.network.channel = settings.network.candidates.front();
  settings.network.choice_folds = 3;
  settings.training.epochs = 4;
  return settings;
}

struct Case {
  features::Items items;
  Settings settings = choice_settings();
  std::vector<std::size_t> rows;
  Preparation preparation;

  explicit Case(features::Items of, std::size_t trained = 30)
      : items(std::move(of)), rows(trained), preparation() {
    std::iota(rows.begin(), rows.end(), 0);
    preparation = Preparation::fit(items, rows, settings);
  }
  [[nodiscard]] Part part() const { return {items, rows, preparation}; }
  [[nodiscard]] Fit fit(const FitOptions& options = {}, const base::Context& context = {}) const {
    return all_learners()(settings)->fit(part(), options, context);
  }
};

const std::vector<double>& numbers(const std::vector<io::NamedArray>& arrays, std::string_view name) {
  const auto found = std::ranges::find(arrays, name, &io::NamedArray::name);
  if (found == arrays.end()) throw std::runtime_error("missing array");
  return found->doubles;
}

/// Without its record of the choice, the model is the one of its channel alone.
TEST(ChannelChoice, EndsWithTheNetworkOfTheBestCandidate) {
  const Case toy(test::toy_items(40));
  const auto chosen = toy.fit();
  const auto arrays = chosen.model->arrays();
  const auto accuracies = numbers(arrays, "choice.accuracies");
  ASSERT_EQ(accuracies.size(), 3U);
  for (const double accuracy : accuracies) EXPECT_TRUE(accuracy >= 0 && accuracy <= 1);
  const auto best = static_cast<std::size_t>(std::ranges::max_element(accuracies) - accuracies.begin());
  EXPECT_EQ(numbers(arrays, "choice.channel"), std::vector{static_cast<double>(best)});

  auto alone = toy.settings;
  alone.network.channel = alone.network.candidates[best];
  alone.network.candidates.clear();
  const auto fit = all_learners()(alone)->fit(toy.part(), {}, {});
  auto rest = arrays;
  std::erase_if(rest, [](const auto& array) { return array.name.starts_with("choice."); });
  EXPECT_EQ(rest, fit.model->arrays());
  EXPECT_EQ(chosen.model->probabilities(toy.part(), {}), fit.model->probabilities(toy.part(), {}));
}

TEST(ChannelChoice, PrefersWhatPredicts) {
  auto items = test::toy_items(60);
  for (std::size_t i = 0; i < items.count(); ++i) items.labels[i] = i % 2 == 0 ? 0 : 1;
  std::vector<diagram::Diagram> diagrams;
  for (std::size_t i = 0; i < items.count(); ++i)  // as many points as the class says
    diagrams.push_back({std::vector<diagram::Point>(i % 2 == 0 ? 1 : 6, {0.2, 0.8}), {}});
  for (auto& group : items.groups) group.diagrams = diagram::DiagramBatch(diagrams);
  Case toy(items, 45);
  toy.settings.training.epochs = 40;
  toy.settings.training.rate = 0.1;
  toy.settings.network.scale = Scaling::none;
  toy.settings.network.candidates = {{"", "triangle:6", "one", "max"}, {"", "triangle:6", "one", "sum"}};
  toy.settings.network.channel = toy.settings.network.candidates.front();
  toy.preparation = Preparation::fit(toy.items, toy.rows, toy.settings);
  const auto arrays = toy.fit().model->arrays();
  EXPECT_EQ(numbers(arrays, "choice.channel"), std::vector{1.0});  // the maximum does not count points
  EXPECT_GT(numbers(arrays, "choice.accuracies")[1], 0.99);
}

TEST(ChannelChoice, ItemsOutsideTheTrainingPartAreNotSeen) {
  const Case toy(test::toy_items(40));
  const Case other(test::spoiled(toy.items, toy.rows));
  EXPECT_EQ(toy.fit().model->arrays(), other.fit().model->arrays());
}

TEST(ChannelChoice, TakenUpAgainItEndsWithTheSameBytes) {
  const test::TemporaryFolder folder;
  const Case toy(test::toy_items(40));
  const auto whole = toy.fit();
  const std::size_t epochs = 4 * (3 * 3 + 1);
  for (const std::size_t stop : {1UL, 4UL, 5UL, 17UL, 36UL, 38UL}) {
    FitOptions options;
    options.checkpoint = folder / std::to_string(stop);
    options.checkpoint_seconds = 0;
    std::atomic<bool> cancel = false;
    base::Context context;
    context.cancel = &cancel;
    std::size_t done = 0;
    options.report = [&](const Epoch& epoch) {
      cancel = ++done == stop;
      EXPECT_EQ(steps_done(toy.settings, epoch), done);
    };
    try {
      static_cast<void>(toy.fit(options, context));
      FAIL() << "It was not interrupted.";
    } catch (const base::Error& error) {
      const auto trainings = (stop - 1) / 4;  // that had ended
      const auto place = trainings < 9 ? fmt::format("training {} of 9 that choose a channel", trainings)
                                       : fmt::format("epoch {}", stop - 36);
      EXPECT_EQ(
          std::string(error.what()),
          trainings == 0 ? "Interrupted." : "Interrupted; the same command goes on after " + place + ".");
    }
    std::size_t rest = 0, counted = 0;
    options.report = [&](const Epoch& epoch) {
      ++rest;
      const auto steps = steps_done(toy.settings, epoch);
      EXPECT_TRUE(rest == 1 || steps == counted + 1) << steps << ' ' << counted;
      counted = steps;
    };
    const auto resumed = toy.fit(options);
    EXPECT_EQ(counted, epochs);
    // A training that chooses begins again; the last one continues.
    EXPECT_LE(rest, epochs - stop + (stop > epochs - 4 ? 0 : 4)) << stop;
    EXPECT_EQ(resumed.model->arrays(), whole.model->arrays()) << stop;
    EXPECT_EQ(resumed.history, whole.history) << stop;
    EXPECT_FALSE(std::filesystem::exists(options.checkpoint.string() + ".choice"));
  }
}

TEST(ChannelChoice, ModelFilesPredictTheSame) {
  const test::TemporaryFolder folder;
  const Case toy(test::toy_items(40), 40);
  const auto trained = train(toy.items, toy.settings, all_learners(), {}, {});
  write_model(folder / "model", trained.model);
  const auto read = read_model(folder / "model");
  EXPECT_EQ(read.settings, toy.settings);
  EXPECT_EQ(predict(read, toy.items, all_learners(), {}).probabilities,
            toy.fit().model->probabilities(toy.part(), {}));
  const auto choice = chosen_channel(read);
  ASSERT_TRUE(choice);
  EXPECT_EQ(with_chosen_channel(read).network.channel, toy.settings.network.candidates[choice->place]);
  EXPECT_TRUE(with_chosen_channel(read).network.candidates.empty());
  EXPECT_EQ(choice->accuracies.size(), 3U);

  auto broken = read;
  for (auto& array : broken.arrays)
    if (array.name == "choice.channel") array.doubles = {3};
  EXPECT_THROW(static_cast<void>(predict(broken, toy.items, all_learners(), {})), base::Error);
}

/// A model without a network has nothing to choose; a network beside ridge regression does.
TEST(ChannelChoice, OtherModelsTakeTheSettingsAsTheyAre) {
  const auto items = test::toy_items(30);
  auto settings = with_model(choice_settings(), "svm:sw");
  EXPECT_FALSE(chosen_channel(train(items, settings, all_learners(), {}, {}).model));
  const Case toy(test::toy_items(30));
  const auto network = train(toy.items, toy.settings, all_learners(), {}, {});
  EXPECT_TRUE(chosen_channel(network.model));
}

TEST(ChannelChoice, EveryFoldOfAnEvaluationChoosesForItself) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(30);
  EvaluationTask task{"toys", choice_settings(), "perslay", {}};
  task.protocol.folds = 3;
  const auto found = evaluate(items, task, all_learners(), {folder / "e"}, {});
  ASSERT_EQ(found.folds.size(), 3U);
  for (const auto& fold : found.folds) EXPECT_EQ(fold.history.size(), 4U);  // of the training that counts
  const auto model = read_model(folder / "e" / "models" / "end.safetensors");
  EXPECT_TRUE(chosen_channel(model));
}

}  // namespace
}  // namespace perslay::learn
