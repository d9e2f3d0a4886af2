// Heat kernel times that are trained with the network, from items to models.
#include "../../src/learn/learners.h"
#include "filtration/graphs.h"
#include "io/temporary_folder.h"
#include "network/toy_items.h"
#include "sentence.h"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include <perslay/features/load_items.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/training.h>
#include <perslay/network/trained_times.h>

namespace perslay::learn {
namespace {

using data::GraphDataset;

void add(GraphDataset& dataset, data::Graph graph, int label) {
  dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  dataset.graphs.push_back(std::move(graph));
  dataset.labels.push_back(label);
}

/// Graphs of two families in turn, with an empty one and isolated vertices among them.
GraphDataset two_shapes(std::size_t count, std::uint64_t seed = 0) {
  GraphDataset dataset;
  dataset.classes = {"ring", "tree"};
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    const auto size = static_cast<data::Vertex>(10 + random.below(10));
    const int label = static_cast<int>(i % 2);
    add(dataset, label == 0 ? data::ring_with_chords(size, random) : data::tree_with_hubs(size, random),
        label);
  }
  if (count > 5) {
    dataset.graphs[3] = data::Graph();
    dataset.graphs[5] = data::Graph::from_edges(4, {});
    dataset.vertex_offsets = {0};
    for (const auto& graph : dataset.graphs)
      dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  }
  return dataset;
}

Settings hks_settings() {
  Settings settings;
  settings.data.filtrations = {"hks:0.5", "hks:5"};
  settings.network.channel.paper = "Im(6,(3,2),4,sum)";
  settings.network.train_filtration = true;
  settings.network.filtration_pace = 5;
  settings.training.epochs = 6;
  settings.training.batch = 16;
  settings.training.average = 0.9;
  return settings;
}

/// Of all ways in which filtrations are trained.
std::vector<Settings> all_settings() {
  std::vector all{hks_settings()};
  auto mixed = hks_settings();
  mixed.data.filtrations = {"degree", "hks:2"};
  mixed.data.kinds = {diagram::Kind::ext1, diagram::Kind::ord0};
  mixed.data.transforms = {"prom:3"};
  mixed.data.drop_diagonal = true;
  mixed.training.nets = 2;
  mixed.training.epochs = 3;
  all.push_back(mixed);
  auto followed = hks_settings();
  followed.network.train_features = true;
  followed.network.times_by_epoch = true;
  followed.features.names = {"size", "deciles:hks:5", "deciles:hks:2", "deciles:hks:0.5"};
  followed.features.standardise = true;
  followed.features.clip = 1.5;
  all.push_back(followed);
  return all;
}

struct Case {
  Settings settings;
  features::Items items;
  std::vector<std::size_t> rows;
  Preparation preparation;

  Case(Settings with, const GraphDataset& dataset, std::size_t trained)
      : settings(std::move(with)),
        items(features::make_items(dataset, load_request(settings))),
        rows(test::rows_from(0, trained)),
        preparation(Preparation::fit(items, rows, settings)) {}

  [[nodiscard]] Part part(std::span<const std::size_t> of) const { return {items, of, preparation}; }
  [[nodiscard]] Fit fit(const FitOptions& options = {}, const base::Context& context = {}) const {
    return make_network_learner(settings)->fit(part(rows), options, context);
  }
};

// Where t stands still, training through persistence is training on the diagrams of that t.
TEST(TrainedTimes, ATimeThatDoesNotMoveGivesTheNetworkOfFixedDiagrams) {
  for (const auto scale : {Scaling::together, Scaling::none})
    for (const bool drop_diagonal : {false, true}) {
      auto settings = hks_settings();
      settings.network.filtration_pace = 1e-12;
      settings.network.scale = scale;
      settings.features.names = {"deciles:hks:5", "size", "deciles:hks:0.5"};
      settings.features.standardise = settings.network.train_features = drop_diagonal;
      settings.data.transforms = {"prom:4"};
      settings.data.drop_diagonal = drop_diagonal;
      const Case trained(settings, two_shapes(40), 30);
      settings.network.train_filtration = settings.network.train_features = false;
      const Case fixed(settings, two_shapes(40), 30);
      EXPECT_EQ(fixed.items.graphs, nullptr);
      const auto a = trained.fit(), b = fixed.fit();
      const auto rows = test::rows_from(0, 40);
      const auto ours = a.model->probabilities(trained.part(rows), {}),
                 theirs = b.model->probabilities(fixed.part(rows), {});
      for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-4);
      EXPECT_NEAR(a.history.back().loss, b.history.back().loss, 1e-4);
    }
}

TEST(TrainedTimes, TimesAreInTheHistory) {
  const Case toy(hks_settings(), two_shapes(40), 30);
  const auto fit = toy.fit();
  ASSERT_EQ(fit.history.size(), 6U);
  for (const auto& epoch : fit.history) ASSERT_EQ(epoch.times.size(), 2U);
  EXPECT_NE(fit.history.back().times[0], 0.5);
  EXPECT_NEAR(fit.history.back().times[0], 0.5, 0.4);
  EXPECT_NEAR(fit.history.back().times[1], 5, 4);
}

// With all items in one step, an epoch is a step.
TEST(TrainedTimes, MoveOnceAnEpochIfAskedTo) {
  auto settings = all_settings().back();
  for (const std::size_t batch : {30UL, 16UL}) {
    settings.training.batch = batch;
    settings.network.times_by_epoch = true;
    const auto by_epoch = Case(settings, two_shapes(40), 30).fit();
    settings.network.times_by_epoch = false;
    const auto by_step = Case(settings, two_shapes(40), 30).fit();
    const double apart = std::abs(by_epoch.history.back().times[1] / by_step.history.back().times[1] - 1);
    EXPECT_EQ(apart < 1e-5, batch == 30) << apart;
    EXPECT_EQ(std::abs(by_epoch.history.back().loss / by_step.history.back().loss - 1) < 1e-5, batch == 30);
    // One step of Adam moves log t by the rate times the pace at most.
    const double step = settings.training.rate * settings.network.filtration_pace;
    EXPECT_NEAR(std::log(by_epoch.history.front().times[1] / 5), 0, 1.01 * step);
    EXPECT_GT(std::abs(std::log(by_epoch.history.front().times[1] / 5)), 0.5 * step);
  }
}

TEST(TrainedTimes, FeaturesThatFollowChangeWhatIsLearned) {
  auto settings = all_settings().back();
  const auto followed = Case(settings, two_shapes(40), 30).fit();
  settings.network.train_features = false;
  EXPECT_NE(Case(settings, two_shapes(40), 30).fit().history, followed.history);
}

TEST(TrainedTimes, ThreadsChangeNothing) {
  base::Context one, two;
  one.threads = 1;
  two.threads = 2;
  for (const auto& settings : all_settings()) {
    const Case toy(settings, two_shapes(40), 30);
    const auto a = toy.fit({}, one), b = toy.fit({}, two);
    EXPECT_EQ(a.model->arrays(), b.model->arrays());
    EXPECT_EQ(a.history, b.history);
    EXPECT_EQ(a.model->probabilities(toy.part(toy.rows), one),
              b.model->probabilities(toy.part(toy.rows), two));
  }
}

TEST(TrainedTimes, TakenUpAgainItEndsWithTheSameBytes) {
  const test::TemporaryFolder folder;
  std::size_t number = 0;
  for (const auto& settings : all_settings()) {
    const Case toy(settings, two_shapes(40), 30);
    const auto whole = toy.fit();
    const auto epochs = whole.history.size();
    for (std::size_t stop = 1; stop < epochs; ++stop) {
      FitOptions options;
      options.checkpoint = folder.path() / std::to_string(number++);
      options.checkpoint_seconds = 0;
      std::atomic<bool> cancel = false;
      base::Context context;
      context.cancel = &cancel;
      std::size_t done = 0;
      options.report = [&](const Epoch&) { cancel = ++done == stop; };
      EXPECT_THROW(static_cast<void>(toy.fit(options, context)), base::Error);
      std::size_t rest = 0;
      options.report = [&](const Epoch&) { ++rest; };
      const auto resumed = toy.fit(options);
      EXPECT_EQ(rest, epochs - stop);  // it did not start again
      EXPECT_EQ(resumed.model->arrays(), whole.model->arrays()) << stop;
      EXPECT_EQ(resumed.history, whole.history) << stop;
    }
  }
}

TEST(TrainedTimes, ItemsOutsideTheTrainingPartAreNotSeen) {
  const auto dataset = two_shapes(40);
  GraphDataset changed = two_shapes(30);
  const auto rest = test::rows_from(30, 40);
  for (std::size_t i = 30; i < 40; ++i) add(changed, data::complete_graph(25), 0);
  for (auto settings : all_settings()) {
    const Case toy(settings, dataset, 30), other(settings, changed, 30);
    const auto a = toy.fit(), b = other.fit();
    EXPECT_EQ(a.model->arrays(), b.model->arrays());
    EXPECT_EQ(a.history, b.history);
    // And what is predicted of an item does not depend on the other items.
    const auto together = a.model->probabilities(toy.part(rest), {});
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const auto alone = a.model->probabilities(toy.part(std::span(rest).subspan(i, 1)), {});
      for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(alone[c], together[2 * i + c], 1e-6);
    }
  }
}

TEST(TrainedTimes, SpectraThatFoldsShareChangeNothing) {
  const Case toy(hks_settings(), two_shapes(40), 30);
  const auto learner = make_network_learner(toy.settings);
  learner->study(toy.items, {});
  EXPECT_EQ(learner->fit(toy.part(toy.rows), {}, {}).model->arrays(), toy.fit().model->arrays());
}

TEST(TrainedTimes, ModelFilesPredictTheSame) {
  const test::TemporaryFolder folder;
  const auto make_learner = all_learners();
  for (const auto& settings : all_settings()) {
    const Case toy(settings, two_shapes(40), 40);
    const auto trained = train(toy.items, settings, make_learner, {}, {});
    write_model(folder / "model", trained.model);
    const auto read = read_model(folder / "model");
    EXPECT_EQ(read.settings, settings);
    const auto request = load_request(read);
    EXPECT_TRUE(request.keep_graphs);
    auto items = features::make_items(two_shapes(40), request);
    const auto expected = toy.fit().model->probabilities(toy.part(toy.rows), {});
    EXPECT_EQ(predict(read, std::move(items), make_learner, {}).probabilities, expected);
  }
}

/// Diagrams of some graphs at times that may be set by hand.
struct Times {
  std::vector<data::Graph> graphs = two_shapes(40).graphs;
  network::GraphBatch batch{graphs, network::heat_spectra(graphs)};
  network::Layout layout;
  network::TrainedTimes<double> times;
  std::vector<double> shift{0};
  network::TrainedTimes<double>::Memory memory;
  std::vector<network::PackedDiagrams<double>> diagrams;
  network::Rows<double> features;
  base::RandomStream random{0};

  explicit Times(const network::TrainedTimesOptions& options)
      : times(options, layout), diagrams(options.groups.size()) {}

  void compute(bool training) {
    times.fit_scales(shift, batch, {});
    times.forward(shift, batch, {{}, training ? &random : nullptr}, memory, diagrams, features);
  }
};

// What the times do to the scale of diagrams is no lasting matter: diagrams fill the unit square at any t.
TEST(TrainedTimes, ScalesFollowTheTime) {
  network::TrainedTimesOptions options;
  options.groups = {{0, "hks:1", 1, diagram::Kind::ord0}, {1, "hks:1", 1, diagram::Kind::ext1}};
  Times times(options);
  for (const double shift : {0.0, 2.0, -2.0})
    for (const bool training : {true, false}) {
      times.shift = {shift};
      times.compute(training);
      for (const auto& diagrams : times.diagrams) {
        EXPECT_NEAR(std::ranges::min(diagrams.points), 0, 1e-9);
        EXPECT_NEAR(std::ranges::max(diagrams.points), 1, 1e-9);
      }
    }
}

// The gradient in t that training uses, scales included, against differences of a loss.
TEST(TrainedTimes, GradientsAreThoseOfFiniteDifferences) {
  for (const bool scale : {true, false}) {
    network::TrainedTimesOptions options;
    options.scale = scale;
    options.pace = 0.7;
    for (const auto kind : diagram::extended_kinds)
      options.groups.push_back({options.groups.size(), "hks:3", 3, kind});
    Times times(options);
    const auto loss = [&](double shift) {
      times.shift = {shift};
      times.compute(true);
      double sum = 0;
      for (const auto& diagrams : times.diagrams)
        for (const double x : diagrams.points) sum += x * x * x;
      return sum;
    };
    const double step = 1e-6, slope = (loss(step) - loss(-step)) / (2 * step);
    EXPECT_GT(std::abs(slope), 0.05);
    (void)loss(0);
    std::vector<std::vector<double>> by_points;
    for (const auto& diagrams : times.diagrams) {
      by_points.emplace_back();
      for (const double x : diagrams.points) by_points.back().push_back(3 * x * x);
    }
    std::vector<double> gradient(1);
    times.times.backward(times.shift, times.memory, {{}, &times.random}, by_points, {}, 0, gradient);
    EXPECT_NEAR(gradient[0], slope, 1e-6 * std::abs(slope)) << scale;
  }
}

// Times are cut off, and do not move any more then.
TEST(TrainedTimes, HaveALongest) {
  network::TrainedTimesOptions options;
  options.groups = {{0, "hks:900", 900, diagram::Kind::ext0}};
  Times times(options);
  times.shift = {1};
  times.compute(true);
  EXPECT_EQ(times.times.times(times.shift), std::vector<double>{1000});
  std::vector<double> gradient{5};
  const std::vector<std::vector<double>> by_points{std::vector<double>(times.diagrams[0].points.size(), 1)};
  times.times.backward(times.shift, times.memory, {{}, &times.random}, by_points, {}, 0, gradient);
  EXPECT_EQ(gradient[0], 0);
}

TEST(TrainedTimes, ItemsWithoutGraphsAreRefused) {
  Case toy(hks_settings(), two_shapes(10), 10);
  toy.items.graphs = nullptr;
  EXPECT_EQ(test::sentence_of([&] { static_cast<void>(toy.fit()); }),
            "A filtration is to be trained, but the items came without their graphs.");
}

}  // namespace
}  // namespace perslay::learn
