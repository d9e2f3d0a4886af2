#include "../../src/learn/learners.h"
#include "../../src/learn/network_data.h"
#include "../../src/learn/network_training.h"
#include "../io/temporary_folder.h"
#include "../network/toy_items.h"
#include "../sentence.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <perslay/base/memory.h>
#include <perslay/base/version.h>
#include <perslay/learn/architecture.h>
#include <perslay/learn/models.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/steps_done.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

Settings toy_settings() {
  Settings settings;
  settings.network.channel.paper = "Im(6,(3,2),4,sum)";
  settings.training.epochs = 25;
  settings.training.batch = 16;
  settings.training.average = 0.9;
  settings.training.schedule = "halving:20";
  return settings;
}

struct Case {
  features::Items items = test::diagram_items(80);
  std::vector<std::size_t> rows = test::rows_from(0, 60);
  Settings settings = toy_settings();
  Preparation preparation = Preparation::fit(items, rows, settings);

  [[nodiscard]] Part training() const { return {items, rows, preparation}; }
  [[nodiscard]] Fit fit(const FitOptions& options = {}, const base::Context& context = {}) const {
    return make_network_learner(settings)->fit(training(), options, context);
  }
};

double accuracy(const Model& model, const features::Items& items, const Preparation& preparation,
                std::span<const std::size_t> rows) {
  const auto probabilities = model.probabilities({items, rows, preparation}, {});
  double right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    right += (probabilities[2 * i + 1] > probabilities[2 * i] ? 1 : 0) == items.labels[rows[i]] ? 1 : 0;
  return right / static_cast<double>(rows.size());
}

TEST(Training, LearnsASeparableSet) {
  for (const auto* channel : {"Im(6,(3,2),4,sum)", "Pm(10,10,5,top-3)"}) {
    Case toy;
    toy.settings.network.channel.paper = channel;
    toy.settings.training.epochs = 80;
    const auto fit = toy.fit();
    EXPECT_EQ(accuracy(*fit.model, toy.items, toy.preparation, toy.rows), 1) << channel;
    EXPECT_EQ(accuracy(*fit.model, toy.items, toy.preparation, test::rows_from(60, 80)), 1) << channel;
    ASSERT_EQ(fit.history.size(), 80U);
    EXPECT_LT(fit.history.back().loss, fit.history.front().loss);
    EXPECT_EQ(fit.history.back().accuracy, 1);
  }
}

TEST(Training, WhatWasReadOnceServesAgainAndIsWorthANewReading) {
  const Case toy;
  const auto fit = toy.fit();
  const auto again = toy;
  EXPECT_EQ(fit.model->probabilities(toy.training(), {}), fit.model->probabilities(again.training(), {}));
}

/// The parameters of a network trained so, one after the other.
std::vector<float> trained(Case toy, std::size_t epochs, double average) {
  toy.settings.training.schedule = "halving:1";
  toy.settings.training.epochs = epochs;
  toy.settings.training.average = average;
  std::vector<float> all;
  for (const auto& array : toy.fit().model->arrays())
    all.insert(all.end(), array.values.begin(), array.values.end());
  return all;
}

TEST(Training, EpochsOfAVanishedRateAreNotRun) {
  Case toy;
  toy.settings.training.schedule = "halving:1";
  toy.settings.training.epochs = 100;
  EXPECT_EQ(make_network_learner(toy.settings)->steps(toy.rows.size()), 24U);
  EXPECT_EQ(toy.fit().history.size(), 24U);
}

TEST(Training, TheseEpochsMoveNoWeight) {
  Case toy;
  toy.settings.training.schedule = "halving:1";
  toy.settings.training.epochs = 40;
  toy.settings.training.average = 0;
  const NetworkData batches(toy.training(), toy.settings, {}, {});
  NetworkTraining training(toy.settings, batches, 1, 1);
  const auto weights = [&] {
    std::vector<float> all;
    for (const auto& array : training.arrays())
      if (array.name.starts_with("now.")) all.insert(all.end(), array.values.begin(), array.values.end());
    return all;
  };
  // How far the weight that moves most goes.
  const auto moved = [&](std::size_t begin, std::size_t end) {
    const auto before = weights();
    for (std::size_t epoch = begin; epoch < end; ++epoch) (void)training.epoch(epoch, {});
    const auto after = weights();
    double most = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      most = std::max<double>(most, std::abs(after[i] - before[i]));
    return most;
  };
  const double first = moved(0, 1);
  EXPECT_GT(first, 1e-3);
  (void)moved(1, 24);
  EXPECT_LT(moved(24, 40), std::ldexp(first, -20));  // 2^-24 + 2^-25 + ..., and the moments are older
}

TEST(Training, TheAverageGoesOnWhenTheWeightsStayWhereTheyAre) {
  const Case toy;
  constexpr double decay = 0.99;
  constexpr double steps = (40 - 24) * 4;  // 60 items in batches of 16
  const auto weights = trained(toy, 24, 0);
  const auto average = trained(toy, 24, decay);
  const auto later = trained(toy, 40, decay);
  double moved = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(later[i], weights[i] + (average[i] - weights[i]) * std::pow(decay, steps), 1e-6) << i;
    moved = std::max<double>(moved, std::abs(later[i] - average[i]));
  }
  EXPECT_GT(moved, 1e-3);
}

/// The values of one array of a training's state.
std::vector<float> array_of(const std::vector<io::NamedArray>& arrays, const std::string& name) {
  const auto found = std::ranges::find(arrays, name, &io::NamedArray::name);
  return found == arrays.end() ? std::vector<float>() : found->values;
}

/// The state with the average in place of the weights.
std::vector<io::NamedArray> with_average_as_weights(std::vector<io::NamedArray> arrays) {
  const auto average = array_of(arrays, "average");
  auto next = average.begin();
  for (auto& array : arrays)
    if (array.name.starts_with("now.")) {
      const auto end = next + static_cast<std::ptrdiff_t>(array.values.size());
      array.values.assign(next, end);
      next = end;
    }
  EXPECT_EQ(next, average.end());
  EXPECT_FALSE(average.empty());
  return arrays;
}

TEST(Training, EveryEpochMayBeginWithTheAverage) {
  Case toy;
  const NetworkData batches(toy.training(), toy.settings, {}, {});
  auto restarting = toy.settings;
  restarting.training.restart_from_average = true;
  NetworkTraining training(restarting, batches, 1, 1);
  // The same by hand: an epoch, the average put in place of the weights, another epoch.
  NetworkTraining first(toy.settings, batches, 1, 1), second(toy.settings, batches, 1, 1);

  static_cast<void>(training.epoch(0, {}));
  static_cast<void>(first.epoch(0, {}));
  EXPECT_NE(training.arrays(), first.arrays());
  EXPECT_EQ(training.arrays(), with_average_as_weights(first.arrays()));

  second.restore(with_average_as_weights(first.arrays()), first.steps());
  static_cast<void>(training.epoch(1, {}));
  static_cast<void>(second.epoch(1, {}));
  static_cast<void>(first.epoch(1, {}));
  EXPECT_EQ(training.arrays(), with_average_as_weights(second.arrays()));
  EXPECT_NE(array_of(training.arrays(), "average"), array_of(first.arrays(), "average"));
}

TEST(Training, WithoutAnAverageThereIsNothingToRestartFrom) {
  Case toy;
  toy.settings.training.average = 0;
  toy.settings.training.epochs = 3;
  const auto plain = toy.fit().model->arrays();
  toy.settings.training.restart_from_average = true;
  EXPECT_EQ(toy.fit().model->arrays(), plain);
}

TEST(Training, HiddenLayersLearnToo) {
  Case toy;
  toy.settings.network.channel = {"", "gaussian:16", "power:1", "topk:2"};
  toy.settings.network.hidden = {16};
  toy.settings.network.batch_norm = true;
  toy.settings.network.channel_norm = true;
  toy.settings.network.dropout = 0.2;
  toy.settings.network.input_dropout = 0.1;
  toy.settings.training = {};
  toy.settings.training.optimiser = "adamw";
  toy.settings.training.weight_decay = 0.01;
  toy.settings.training.schedule = "one-cycle";
  toy.settings.training.label_smoothing = 0.05;
  toy.settings.training.nets = 2;
  toy.settings.training.epochs = 40;
  const auto fit = toy.fit();
  EXPECT_EQ(fit.history.size(), 80U);
  EXPECT_EQ(accuracy(*fit.model, toy.items, toy.preparation, test::rows_from(60, 80)), 1);
}

TEST(Training, ThreadsChangeNothing) {
  const Case toy;
  base::Context one, three;
  one.threads = 1;
  three.threads = 3;
  EXPECT_EQ(toy.fit({}, one).model->arrays(), toy.fit({}, three).model->arrays());
}

TEST(Training, SeedsDecide) {
  const Case toy;
  FitOptions other;
  other.seed = 1;
  EXPECT_EQ(toy.fit().model->arrays(), toy.fit().model->arrays());
  EXPECT_NE(toy.fit().model->arrays(), toy.fit(other).model->arrays());
}

TEST(Training, WhatIsScaledApartIsTheSameAsItemsScaledByHand) {
  Case toy;
  toy.settings.network.scale = Scaling::apart;
  toy.preparation = Preparation::fit(toy.items, toy.rows, toy.settings);
  Case by_hand;
  by_hand.settings.network.scale = Scaling::none;
  for (auto& group : by_hand.items.groups) {
    double least[2] = {1e300, 1e300}, most[2] = {-1e300, -1e300};
    for (const auto row : toy.rows)
      for (const auto& [birth, death] : group.diagrams[row])
        for (const auto& [axis, x] : {std::pair(0, birth), std::pair(1, death)}) {
          least[axis] = std::min(least[axis], x);
          most[axis] = std::max(most[axis], x);
        }
    std::vector<diagram::Diagram> diagrams(by_hand.items.count());
    for (std::size_t i = 0; i < diagrams.size(); ++i)
      for (const auto& [birth, death] : group.diagrams[i])
        diagrams[i].points.push_back(
            {(birth - least[0]) / (most[0] - least[0]), (death - least[1]) / (most[1] - least[1])});
    group.diagrams = diagram::DiagramBatch(diagrams);
  }
  by_hand.preparation = Preparation::fit(by_hand.items, by_hand.rows, by_hand.settings);
  EXPECT_EQ(toy.fit().model->arrays(), by_hand.fit().model->arrays());
  EXPECT_NE(toy.fit().model->arrays(), Case().fit().model->arrays());
}

TEST(Training, ItemsOutsideTheTrainingPartAreNotSeen) {
  const Case toy;
  Case changed;
  const auto strange = test::diagram_items(80, 99);
  // Rows 60 to 79 become other items with other labels.
  for (std::size_t g = 0; g < 2; ++g) {
    std::vector<diagram::Diagram> diagrams;
    for (std::size_t i = 0; i < 80; ++i) {
      const auto points = (i < 60 ? toy.items : strange).groups[g].diagrams[i];
      diagrams.push_back({{points.begin(), points.end()}, {}});
      if (i >= 60) diagrams.back().points.push_back({-5, 17});
    }
    changed.items.groups[g].diagrams = diagram::DiagramBatch(diagrams);
  }
  for (std::size_t i = 60; i < 80; ++i) changed.items.labels[i] = 0;
  changed.preparation = Preparation::fit(changed.items, changed.rows, changed.settings);
  EXPECT_EQ(toy.preparation.scales, changed.preparation.scales);
  EXPECT_EQ(toy.fit().model->arrays(), changed.fit().model->arrays());
}

/// What a cancelled fit says.
std::string interruption(const Case& toy, const FitOptions& options, const base::Context& context) {
  try {
    static_cast<void>(toy.fit(options, context));
    return "not interrupted";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::cancelled);
    return error.what();
  }
}

/// Trains two nets, which run so many epochs each, and interrupts that after some of these. States are written after
/// so many seconds, or when the training is interrupted.
void expect_same_bytes_when_taken_up(Case toy, std::size_t each, std::span<const std::size_t> stops,
                                     double checkpoint_seconds = 0) {
  const test::TemporaryFolder folder;
  toy.settings.training.nets = 2;
  toy.settings.network.hidden = {4};
  toy.settings.network.batch_norm = true;
  toy.settings.network.dropout = 0.3;
  const auto whole = toy.fit();
  ASSERT_EQ(whole.history.size(), 2 * each);
  for (const std::size_t stop : stops) {
    FitOptions options;
    options.checkpoint = folder.path() / ("state" + std::to_string(stop));
    options.checkpoint_seconds = checkpoint_seconds;
    std::atomic<bool> cancel = false;
    base::Context context;
    context.cancel = &cancel;
    std::size_t epochs = 0;
    options.report = [&](const Epoch&) { cancel = ++epochs == stop; };
    const auto place =
        stop <= each ? fmt::format("epoch {} of net 1", stop) : fmt::format("epoch {} of net 2", stop - each);
    EXPECT_EQ(interruption(toy, options, context),
              "Interrupted; the same command goes on after " + place + ".");
    std::size_t rest = 0;
    options.report = [&](const Epoch& epoch) {
      ++rest;
      EXPECT_EQ(steps_done(toy.settings, toy.rows.size(), epoch), stop + rest);
    };
    const auto resumed = toy.fit(options);
    EXPECT_EQ(rest, 2 * each - stop);  // it did not start again
    EXPECT_EQ(resumed.model->arrays(), whole.model->arrays()) << stop;
    EXPECT_EQ(resumed.history, whole.history) << stop;
  }
}

TEST(Training, TakenUpAgainItEndsWithTheSameBytes) {
  Case toy;
  toy.settings.training.epochs = 6;
  expect_same_bytes_when_taken_up(toy, 6, std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
}

TEST(Training, TakenUpAgainItRestartsFromTheSameAverages) {
  Case toy;
  toy.settings.training.epochs = 4;
  toy.settings.training.restart_from_average = true;
  expect_same_bytes_when_taken_up(toy, 4, std::vector<std::size_t>{1, 3, 4, 5, 7});
}

TEST(Training, TakenUpAgainAnEarlyEndIsTheSame) {
  Case toy;
  toy.settings.training.epochs = 40;
  toy.settings.training.schedule = "halving:1";
  expect_same_bytes_when_taken_up(toy, 24, std::vector<std::size_t>{1, 23, 24, 25, 47});
}

TEST(Training, AnInterruptWritesTheStateOfTheLastEpoch) {
  constexpr double never = 1e9;
  Case toy;
  toy.settings.training.epochs = 6;
  expect_same_bytes_when_taken_up(toy, 6, std::vector<std::size_t>{1, 5, 6, 7, 12}, never);
}

TEST(Training, WithoutACheckpointAnInterruptKeepsNothing) {
  const Case toy;
  std::atomic<bool> cancel = false;
  base::Context context;
  context.cancel = &cancel;
  FitOptions options;
  options.report = [&](const Epoch&) { cancel = true; };
  EXPECT_EQ(interruption(toy, options, context), "Interrupted.");
}

/// The same command would start over.
TEST(Training, AFreshStartIsNotToldToStartAgain) {
  const test::TemporaryFolder folder;
  const Case toy;
  std::atomic<bool> cancel = false;
  base::Context context;
  context.cancel = &cancel;
  FitOptions options;
  options.checkpoint = folder.path() / "state";
  options.fresh = true;
  options.report = [&](const Epoch&) { cancel = true; };
  EXPECT_EQ(interruption(toy, options, context),
            "Interrupted; the same command without --fresh goes on after epoch 1.");
}

/// Interrupts come from another thread, at any batch. The first epoch of a fit, which may be long, is interrupted in
/// the middle; others are finished.
TEST(Training, StepsOfAnInterruptedEpochAreNotKept) {
  const test::TemporaryFolder folder;
  Case toy;
  toy.settings.training.batch = 2;
  toy.settings.training.epochs = 200;
  toy.settings.network.hidden = {4};
  toy.settings.network.batch_norm = true;
  const auto whole = toy.fit();
  FitOptions options;
  options.checkpoint = folder.path() / "state";
  options.checkpoint_seconds = 1e9;
  std::size_t interruptions = 0, taken_up = 0;
  for (std::chrono::microseconds wait(200);; wait += std::chrono::microseconds(200)) {
    std::atomic<bool> cancel = false;
    base::Context context;
    context.cancel = &cancel;
    std::size_t first = 0;
    options.report = [&](const Epoch& epoch) { first = first == 0 ? epoch.epoch : first; };
    std::jthread interrupt([&] {
      std::this_thread::sleep_for(wait);
      cancel = true;
    });
    try {
      const auto fit = toy.fit(options, context);
      EXPECT_EQ(fit.model->arrays(), whole.model->arrays());
      EXPECT_EQ(fit.history, whole.history);
      break;
    } catch (const base::Error& error) {
      ASSERT_EQ(error.fault(), base::Fault::cancelled);
      ++interruptions;
      if (first > 0) ++taken_up;
    }
  }
  EXPECT_GE(interruptions, 2U);
  EXPECT_GE(taken_up, 1U);
}

TEST(Training, ACheckpointOfAnotherTrainingIsNotTakenUp) {
  const test::TemporaryFolder folder;
  Case toy;
  FitOptions options;
  options.checkpoint = folder.path() / "state";
  options.checkpoint_seconds = 0;
  static_cast<void>(toy.fit(options));
  ASSERT_TRUE(std::filesystem::exists(options.checkpoint));
  std::size_t epochs = 0;
  options.report = [&](const Epoch&) { ++epochs; };
  static_cast<void>(toy.fit(options));
  EXPECT_EQ(epochs, 0U);  // it was complete
  const auto expect_anew = [&](const Case& other, std::uint64_t seed) {
    epochs = 0;
    options.seed = seed;
    std::filesystem::copy_file(options.checkpoint, folder.path() / "copy",
                               std::filesystem::copy_options::overwrite_existing);
    static_cast<void>(other.fit(options));
    EXPECT_EQ(epochs, 25U);
    std::filesystem::copy_file(folder.path() / "copy", options.checkpoint,
                               std::filesystem::copy_options::overwrite_existing);
  };
  expect_anew(toy, 1);
  Case faster;
  faster.settings.training.rate = 0.02;
  expect_anew(faster, 0);
  Case relabelled;
  relabelled.items.labels[3] ^= 1;
  expect_anew(relabelled, 0);
  auto state = io::read_safetensors(options.checkpoint);
  auto& description = state.metadata.at("perslay-checkpoint");
  const std::string version = std::string(base::version()) + "-";
  ASSERT_TRUE(description.starts_with(version)) << description;
  description.replace(0, version.size(), "0.0.0-");
  io::write_safetensors(options.checkpoint, state.arrays, state.metadata);
  expect_anew(toy, 0);
  std::ofstream(options.checkpoint) << "not a checkpoint";
  EXPECT_NE(test::sentence_of([&] { static_cast<void>(toy.fit(options)); }).find("remove it"),
            std::string::npos);
}

TEST(Training, FreshTakesNothingUp) {
  const test::TemporaryFolder folder;
  const Case toy;
  FitOptions options;
  options.checkpoint = folder.path() / "state";
  options.checkpoint_seconds = 0;
  options.keep_other_checkpoint = true;
  static_cast<void>(toy.fit(options));
  std::size_t epochs = 0;
  options.report = [&](const Epoch&) { ++epochs; };
  options.fresh = true;
  static_cast<void>(toy.fit(options));
  EXPECT_EQ(epochs, 25U);
  std::ofstream(options.checkpoint) << "not a checkpoint";
  static_cast<void>(toy.fit(options));
  EXPECT_EQ(epochs, 50U);
}

TEST(Training, KindsMayHaveChannelsOfTheirOwn) {
  Case toy;
  toy.settings.network.channel.paper = "Im(5,(),3)";
  toy.settings.network.channels["h1"] = {ChannelSettings{"", "line:4", "power:1", "max"}};
  toy.settings.training.epochs = 1;
  std::vector<std::string> names;
  for (const auto& array : toy.fit().model->arrays()) names.push_back(array.name);
  for (const auto* name : {"net0.channel0.perslay.weight.cells", "net0.channel1.phi.directions"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
}

TEST(Training, ALossThatIsNoNumberStopsWithASentence) {
  Case toy;
  toy.settings.training.rate = 1e30;
  toy.settings.training.average = 0;
  const auto sentence = test::sentence_of([&] { static_cast<void>(toy.fit()); });
  EXPECT_NE(sentence.find("loss became"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("1e+30"), std::string::npos) << sentence;
}

TEST(Training, ANetworkThatIsNoLongerFiniteIsNotAModel) {
  Case toy;
  toy.settings.training.rate = 1e38;
  toy.settings.training.epochs = 1;
  toy.settings.training.batch = 100;  // a single step: the loss was taken before it
  const auto sentence = test::sentence_of([&] { static_cast<void>(toy.fit()); });
  EXPECT_NE(sentence.find("no longer finite"), std::string::npos) << sentence;
}

TEST(Training, PointsTooLargeForSinglePrecisionAreNamed) {
  const auto with_point = [](double largest, Scaling scale) {
    Case toy;
    toy.settings.network.scale = scale;
    toy.settings.training.epochs = 2;
    std::vector<diagram::Diagram> diagrams(toy.items.count());
    diagrams[2].points = {{0.25, 0.5}, {-largest, largest}};
    toy.items.groups[1].diagrams = diagram::DiagramBatch(diagrams);
    toy.preparation = Preparation::fit(toy.items, toy.rows, toy.settings);
    return test::sentence_of([&] { static_cast<void>(toy.fit()); });
  };
  const auto sentence = with_point(1e300, Scaling::none);
  EXPECT_TRUE(sentence.starts_with("Item 2: The point (-1e300, 1e300) of alpha h1 is too large")) << sentence;
  // Scaled, all points lie between 0 and 1, also where no double holds the range.
  EXPECT_EQ(with_point(1.7e308, Scaling::together), "no error");
}

TEST(Training, BatchNormNeedsTwoItems) {
  Case toy;
  toy.settings.network.hidden = {4};
  toy.settings.network.batch_norm = true;
  toy.settings.training.batch = 1;
  EXPECT_NE(test::sentence_of([&] { static_cast<void>(toy.fit()); }).find("at least 2 items"),
            std::string::npos);
  toy.settings.training.batch = 16;
  toy.rows.resize(1);
  EXPECT_NE(test::sentence_of([&] { static_cast<void>(toy.fit()); }).find("at least 2 items"),
            std::string::npos);
}

/// Whatever makes them large, and before memory is asked for: in training, and in a model that says so.
TEST(Training, GiantsAreRefused) {
  const auto expect_refused = [](const NetworkSettings& network, const std::string& part) {
    Case toy;
    toy.settings.network = network;
    const auto trained = test::sentence_of([&] { static_cast<void>(toy.fit()); });
    EXPECT_NE(trained.find(part), std::string::npos) << trained;
    EXPECT_NE(trained.find("; 2.7e+08 are allowed."), std::string::npos) << trained;
    EXPECT_EQ(test::sentence_of(
                  [&] { static_cast<void>(make_network_learner(toy.settings)->load(toy.training(), {})); }),
              trained);
  };
  NetworkSettings network = toy_settings().network;
  network.hidden = {100000, 100000};
  expect_refused(network, "1e+10 in dense layers");
  network.hidden = {};
  network.channel = {"Pm(65536,65536,1)"};
  expect_refused(network, "1.7e+10 in channels");
  network.channel = {"Im(20,(1000000,20),1)"};
  expect_refused(network, "8e+08 in channels");
  network.channel = {"", "line:1000", "", "topk:1000000"};
  expect_refused(network, "4e+09 in dense layers");
}

TEST(Training, AModelOfOtherClassesIsRefused) {
  Case toy;
  toy.settings.training.epochs = 1;
  const auto arrays = toy.fit().model->arrays();
  toy.items.classes.emplace_back("third");
  const auto sentence = test::sentence_of(
      [&] { static_cast<void>(make_network_learner(toy.settings)->load(toy.training(), arrays)); });
  EXPECT_NE(sentence.find("has the shape [2,"), std::string::npos) << sentence;
}

TEST(Training, ModelsComeBackFromTheirArrays) {
  Case toy;
  toy.settings.training.nets = 2;
  toy.settings.training.epochs = 3;
  const auto fit = toy.fit();
  auto arrays = fit.model->arrays();
  const auto test_rows = test::rows_from(60, 80);
  const Part test_part{toy.items, test_rows, toy.preparation};
  const auto learner = make_network_learner(toy.settings);
  EXPECT_EQ(learner->load(test_part, arrays)->probabilities(test_part, {}),
            fit.model->probabilities(test_part, {}));
  const auto sentence = [&] {
    return test::sentence_of([&] { static_cast<void>(learner->load(test_part, arrays)); });
  };
  auto kept = arrays;
  arrays.pop_back();
  EXPECT_NE(sentence().find("missing"), std::string::npos);
  arrays = kept;
  arrays[0].shape.push_back(1);
  EXPECT_NE(sentence().find("has the shape"), std::string::npos);
  arrays.clear();
  EXPECT_NE(sentence().find("missing"), std::string::npos);
}

/// Its weights alone would fit.
TEST(Training, ANetworkThatDoesNotFitIntoMemoryIsRefused) {
  Case toy;
  toy.settings.training.batch = toy.rows.size();
  toy.settings.network.channel = {};
  toy.settings.network.channel.phi = "line:100";
  // A number that comes out, the point it was taken from, and two derivatives: 16 bytes.
  const double numbers = 1.5 * base::machine_memory() / (16 * static_cast<double>(toy.rows.size()));
  if (2 * numbers > 0x1p28) GTEST_SKIP() << "So many weights are refused before the memory is full.";
  const auto k = static_cast<std::size_t>(numbers / (100 * static_cast<double>(toy.items.groups.size())));
  toy.settings.network.channel.op = fmt::format("topk:{}", k);
  const auto sentence = test::sentence_of([&] { static_cast<void>(toy.fit()); });
  for (const std::string part :
       {"Training the network on 60 items at once would need about ", " GB for one item), and ",
        "this machine has ", "take a smaller training.batch, or smaller channels."})
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
}

TEST(Training, AStoredModelSaysWhatItsNetworkIs) {
  Case toy;
  toy.settings.training.epochs = 1;
  for (const auto* channel : {"Im(6,(3,2),4,sum)", "Im(6,(),4,max)", "Pm(10,8,5,top-3)"}) {
    toy.settings.network.channel.paper = channel;
    const auto model = train(toy.items, toy.settings, all_learners(), {}).model;
    const auto plan = architecture_of(model);
    ASSERT_EQ(plan.channels.size(), toy.items.groups.size());
    EXPECT_EQ(plan.outputs, toy.items.classes.size());
    double numbers = 0;
    for (const auto& array : model.arrays) numbers += static_cast<double>(array.values.size());
    EXPECT_EQ(network::weight_counts(plan).all(), numbers) << channel;
    // The dense layer has a number for every class and every number it reads, and one more for the class.
    std::size_t read = plan.features;
    for (const auto& group : plan.channels) read += group.size();
    EXPECT_EQ(network::weight_counts(plan).dense, static_cast<double>((read + 1) * plan.outputs)) << channel;
  }
}

TEST(Training, ProbabilitiesAreThoseOfAllNets) {
  Case toy;
  toy.settings.training.nets = 3;
  toy.settings.training.epochs = 2;
  const auto test_rows = test::rows_from(60, 80);
  const Part part{toy.items, test_rows, toy.preparation};
  const auto fit = toy.fit();
  const auto together = fit.model->probabilities(part, {});
  std::vector<double> mean(together.size());
  auto single = toy.settings;
  single.training.nets = 1;
  for (int net = 0; net < 3; ++net) {
    auto arrays = fit.model->arrays();
    for (auto& array : arrays)
      if (array.name.starts_with("net" + std::to_string(net) + "."))
        array.name[3] = '0';
      else
        array.name = "other";
    const auto own = make_network_learner(single)->load(part, arrays)->probabilities(part, {});
    for (std::size_t i = 0; i < own.size(); ++i) mean[i] += own[i] / 3.0;
  }
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(together[i], mean[i], 1e-6);
}

}  // namespace
}  // namespace perslay::learn
