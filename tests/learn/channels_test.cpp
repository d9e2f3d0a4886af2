// Channels for some of the diagrams, several side by side, and a choice among candidates.
#include "../../src/learn/learners.h"
#include "../io/temporary_folder.h"
#include "../sentence.h"
#include "toy.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <perslay/base/random.h>
#include <perslay/learn/architecture.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/splits.h>
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

TEST(Channels, TimesMayBeSpelledDifferently) {
  const auto items = test::toy_items(12);
  auto settings = test::toy_settings();
  const auto plan = [&] {
    return architecture(settings, items, Preparation::fit(items, all_rows(items), settings).features);
  };
  settings.network.channels["hks:10.0"] = {short_form("Pm(3,3,0,sum)")};
  settings.network.channels["hks:1e1 ext1"] = {short_form("Pm(4,4,0,sum)")};
  const auto channels = plan().channels;
  EXPECT_EQ(channels[0].size(), 3U);
  EXPECT_EQ(channels[1].size(), 4U);
  settings.network.channels["hks:10"] = {short_form("Pm(5,5,0,sum)")};
  EXPECT_EQ(test::sentence_of([&] { (void)plan(); }),
            "[network.channels] has channels for 'hks:10' and for 'hks:10.0', which are the same diagrams.");
  // What a diagram file calls its filtrations need mean nothing.
  NetworkSettings network;
  network.channels["hks:mine"] = {short_form("Pm(6,6,0,sum)")};
  EXPECT_EQ(channels_of(network, {"hks:mine", Kind::ext1}).front().paper, "Pm(6,6,0,sum)");
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

/// Everything is fitted anew to the items that a candidate learns from: the scales of diagrams, too.
TEST(ChannelChoice, AccuraciesAreThoseOfACrossValidationByHand) {
  auto items = test::toy_items(40);
  std::vector<diagram::Diagram> diagrams;
  for (std::size_t i = 0; i < items.count(); ++i) {
    const auto points = items.groups[0].diagrams[i];
    diagrams.push_back({{points.begin(), points.end()}, {}});
    if (i % 7 == 0) diagrams.back().points.push_back({0.5, 3.0 + static_cast<double>(i)});  // moves the scale
  }
  items.groups[0].diagrams = diagram::DiagramBatch(diagrams);
  Case toy(items, 31);
  toy.settings.training.epochs = 12;
  toy.settings.training.rate = 0.05;
  const std::uint64_t seed = 5;
  FitOptions options;
  options.seed = seed;
  const auto found = numbers(toy.fit(options).model->arrays(), "choice.accuracies");

  Protocol protocol;
  protocol.folds = 3;
  const auto labels = toy.part().labels();
  const Splits folds(protocol, labels, items.classes, seed);
  std::vector<double> by_hand, with_all_scales;
  for (const auto& candidate : toy.settings.network.candidates) {
    auto alone = toy.settings;
    alone.network.channel = candidate;
    alone.network.candidates.clear();
    double right = 0, otherwise = 0;
    for (std::size_t fold = 0; fold < 3; ++fold) {
      std::vector<std::size_t> learned, asked;
      for (const auto place : folds[fold].training) learned.push_back(toy.rows[place]);
      for (const auto place : folds[fold].test) asked.push_back(toy.rows[place]);
      const auto right_with = [&](const Preparation& preparation) {
        FitOptions inner;
        inner.seed = base::mix_bits(seed + fold + 1);
        const auto model = all_learners()(alone)->fit({toy.items, learned, preparation}, inner, {}).model;
        const Part part{toy.items, asked, preparation};
        const auto predicted = most_probable(model->probabilities(part, {}), items.classes.size());
        return static_cast<double>(asked.size()) * accuracy(part.labels(), predicted);
      };
      right += right_with(Preparation::fit(toy.items, learned, alone));
      otherwise += right_with(Preparation::fit(toy.items, toy.rows, alone));
    }
    by_hand.push_back(right / 31);
    with_all_scales.push_back(otherwise / 31);
  }
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], by_hand[i], 1e-12) << i;
  EXPECT_NE(by_hand, with_all_scales);  // so this test would notice
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
      EXPECT_EQ(steps_done(toy.settings, toy.rows.size(), epoch), done);
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
      const auto steps = steps_done(toy.settings, toy.rows.size(), epoch);
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

/// A file in the way is told of before hours of choosing, not after them; the choice's own file counts, too.
TEST(ChannelChoice, FilesOfOthersAreRefusedBeforeItBegins) {
  const test::TemporaryFolder folder;
  const Case toy(test::toy_items(40));
  FitOptions options;
  options.checkpoint = folder / "m";
  options.checkpoint_seconds = 0;
  options.keep_other_checkpoint = true;
  std::size_t epochs = 0;
  const std::filesystem::path choice = folder / "m.choice";
  const auto left_after = [&](const Case& of, std::uint64_t seed, std::size_t stop) {
    std::atomic<bool> cancel = false;
    base::Context context;
    context.cancel = &cancel;
    auto interrupted = options;
    interrupted.seed = seed;
    std::size_t done = 0;
    interrupted.report = [&](const Epoch&) { cancel = ++done == stop; };
    EXPECT_THROW(static_cast<void>(of.fit(interrupted, context)), base::Error);
  };
  const auto expect_refused = [&](const std::filesystem::path& file, const std::string& sentence) {
    const auto before = test::read_bytes(file);
    options.report = [&](const Epoch&) { ++epochs; };
    const auto said = test::sentence_of([&] { (void)toy.fit(options); });
    EXPECT_TRUE(said.starts_with(file.string() + ": " + sentence)) << said;
    EXPECT_EQ(epochs, 0U);
    EXPECT_EQ(test::read_bytes(file), before);
    std::filesystem::remove(file);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  const std::string other = "The file is not the state of this training";
  for (const auto& file : {options.checkpoint, choice}) {
    test::write_bytes(file, "precious");
    expect_refused(file, "This is not the state of a training, or it is damaged");
  }
  left_after(toy, 1, 6);  // of another seed
  expect_refused(choice, other);
  Case alone(toy.items);  // the first candidate without a choice: it may not be the one that is chosen
  alone.settings.network.candidates.clear();
  left_after(alone, 0, 2);
  expect_refused(options.checkpoint, other);

  // Those who keep no other files replace them, and so do those who start over.
  for (const bool fresh : {false, true}) {
    left_after(toy, 1, 6);
    auto replacing = options;
    replacing.report = nullptr;
    replacing.keep_other_checkpoint = replacing.fresh = fresh;
    EXPECT_EQ(toy.fit(replacing).model->arrays(), toy.fit().model->arrays());
    EXPECT_FALSE(std::filesystem::exists(choice));
    std::filesystem::remove(options.checkpoint);
  }
}

/// It would be in the way of a training with other settings.
TEST(ChannelChoice, FailedTrainingsLeaveNoFile) {
  const test::TemporaryFolder folder;
  Case toy(test::toy_items(40));
  toy.settings.training.rate = 1e30;
  FitOptions options;
  options.checkpoint = folder / "m";
  options.checkpoint_seconds = 0;
  EXPECT_NE(test::sentence_of([&] { (void)toy.fit(options); }).find("training.rate below"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ChannelChoice, HasNoMoreFoldsThanItems) {
  Case toy(test::toy_items(12), 7);
  toy.settings.network.choice_folds = 1000;
  toy.preparation = Preparation::fit(toy.items, toy.rows, toy.settings);
  std::size_t epochs = 0, last = 0;
  FitOptions options;
  options.report = [&](const Epoch& epoch) { ++epochs, last = std::max(last, epoch.choosing); };
  (void)toy.fit(options);
  EXPECT_EQ(last, 3U * 7);
  EXPECT_EQ(epochs, 4U * (3 * 7 + 1));
  EXPECT_EQ(all_learners()(toy.settings)->steps(7), epochs);
  EXPECT_EQ(choice_folds(toy.settings.network, 7), 7U);
  EXPECT_EQ(choice_folds(choice_settings().network, 7), 3U);
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

/// What is chosen for the training part of one fold is not what is chosen for that of another.
TEST(ChannelChoice, EveryFoldOfAnEvaluationChoosesForItself) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(36);
  EvaluationTask task{"toys", choice_settings(), "perslay", {}};
  task.protocol.folds = 4;
  task.settings.training.epochs = 12;
  const auto found = evaluate(items, task, all_learners(), {folder / "e"}, {});
  ASSERT_EQ(found.folds.size(), 4U);
  const Splits splits(task.protocol, items.labels, items.classes, 0);
  std::set<std::string> channels;
  std::set<std::vector<double>> accuracies;
  for (std::size_t f = 0; f < 4; ++f) {
    const auto& fold = found.folds[f];
    EXPECT_EQ(fold.history.size(), 12U);  // of the training that counts
    const auto split = splits[f];
    const auto preparation = Preparation::fit(items, split.training, task.settings);
    FitOptions options;
    options.seed = base::RandomStream(0, f)();
    const auto model =
        all_learners()(task.settings)->fit({items, split.training, preparation}, options, {}).model;
    const auto own = chosen_channel(task.settings, model->arrays()).value();
    EXPECT_EQ(fold.channel, channel_name(task.settings.network.candidates[own.place])) << f;
    EXPECT_EQ(fold.choice_accuracies, own.accuracies) << f;
    channels.insert(fold.channel);
    accuracies.insert(fold.choice_accuracies);
  }
  EXPECT_GT(channels.size(), 1U);  // one choice for all would not do
  EXPECT_EQ(accuracies.size(), 4U);

  // The folder says it.
  const auto read = read_evaluation(folder / "e");
  const auto results = nlohmann::json::parse(test::read_bytes(folder / "e" / "results.json"));
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(read.evaluation.folds[f].channel, found.folds[f].channel);
    EXPECT_EQ(read.evaluation.folds[f].choice_accuracies, found.folds[f].choice_accuracies);
    EXPECT_EQ(results["folds"][f]["channel"], found.folds[f].channel);
    EXPECT_EQ(results["folds"][f]["choice_accuracies"], found.folds[f].choice_accuracies);
  }
  const auto end = read_model(folder / "e" / "models" / "end.safetensors");
  EXPECT_EQ(chosen_channel(end).value().accuracies, found.folds[0].choice_accuracies);
  const auto start = read_model(folder / "e" / "models" / "start.safetensors");
  EXPECT_EQ(start.settings, with_chosen_channel(end));
  EXPECT_EQ(architecture_of(start).channels[0].perslay.name(),
            architecture_of(end).channels[0].perslay.name());
}

/// Counts its fits, and hands everything on.
class Counted : public Learner {
 public:
  Counted(std::unique_ptr<Learner> learner, std::atomic<int>& choices)
      : learner_(std::move(learner)), choices_(choices) {}

  [[nodiscard]] Fit fit(const Part& part, const FitOptions& options,
                        const base::Context& context) const override {
    auto own = options;
    own.report = [&](const Epoch& epoch) {
      if (epoch.choosing > 0 && epoch.epoch == 0) ++choices_;
      if (options.report) options.report(epoch);
    };
    return learner_->fit(part, own, context);
  }
  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> arrays) const override {
    return learner_->load(part, arrays);
  }

 private:
  std::unique_ptr<Learner> learner_;
  std::atomic<int>& choices_;
};

TEST(ChannelChoice, IsNotMadeAgainForTheModelBeforeTraining) {
  const test::TemporaryFolder folder;
  const auto items = test::toy_items(30);
  EvaluationTask task{"toys", choice_settings(), "perslay", {}};
  task.protocol.folds = 2;
  std::atomic<int> trainings = 0;
  const MakeLearner make = [&](const Settings& settings) {
    return std::make_unique<Counted>(all_learners()(settings), trainings);
  };
  const auto found = evaluate(items, task, make, {folder / "e"}, {});
  EXPECT_EQ(trainings, 2 * 3 * 3);  // folds x candidates x folds of the choice
  const auto start = read_model(folder / "e" / "models" / "start.safetensors");
  EXPECT_FALSE(chosen_channel(start));
  EXPECT_EQ(channel_name(start.settings.network.channel), found.folds[0].channel);
}

}  // namespace
}  // namespace perslay::learn
