// Filtrations that are trained with the network, from items to models.
#include "filtration/graphs.h"
#include "io/temporary_folder.h"
#include "nn/toy_items.h"
#include "sentence.h"

#include <atomic>

#include <gtest/gtest.h>

#include <perslay/features/load_items.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/training.h>
#include <perslay/nn/network_learner.h>
#include <perslay/nn/trained_filtrations.h>

namespace perslay::nn {
namespace {

using data::GraphDataset;

void add(GraphDataset& dataset, data::Graph graph, int label, const std::vector<int>& node_labels = {}) {
  dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + graph.vertex_count());
  dataset.graphs.push_back(std::move(graph));
  dataset.labels.push_back(label);
  dataset.node_labels.insert(dataset.node_labels.end(), node_labels.begin(), node_labels.end());
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

/// Rings of 12 vertices, six of them marked: in one run, or as every other vertex (class 1) with one mark and
/// one gap exchanged. Without marks all rings are the same.
GraphDataset marked_rings(std::size_t count) {
  GraphDataset dataset;
  dataset.classes = {"run", "scattered"};
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(8, i);
    const bool scattered = i % 2 == 1;
    const auto shift = random.below(12);
    std::vector<int> marks(12);
    for (std::size_t v = 0; v < 12; ++v)
      marks[(v + shift) % 12] = scattered ? static_cast<int>(v % 2) : static_cast<int>(v < 6);
    const auto a = random.below(12), b = random.below(12);
    std::swap(marks[a], marks[b]);
    add(dataset, data::cycle_graph(12), scattered ? 1 : 0, marks);
  }
  return dataset;
}

learn::Settings hks_settings() {
  learn::Settings settings;
  settings.data.filtrations = {"hks:0.5", "hks:5"};
  settings.network.channel.paper = "Im(6,(3,2),4,sum)";
  settings.network.train_filtration = true;
  settings.network.filtration_pace = 5;
  settings.training.epochs = 6;
  settings.training.batch = 16;
  settings.training.average = 0.9;
  return settings;
}

learn::Settings learned_settings() {
  auto settings = hks_settings();
  settings.data.filtrations = {"learned:8x8"};
  settings.network.train_filtration = false;
  return settings;
}

/// Of all ways in which filtrations are trained.
std::vector<learn::Settings> all_settings() {
  std::vector all{hks_settings(), learned_settings()};
  auto mixed = hks_settings();
  mixed.data.filtrations = {"learned:5", "degree", "hks:2"};
  mixed.data.kinds = {diagram::Kind::ext1, diagram::Kind::ord0};
  mixed.data.transforms = {"prom:3"};
  mixed.data.keep_diagonal = false;
  mixed.training.nets = 2;
  mixed.training.epochs = 3;
  all.push_back(mixed);
  return all;
}

struct Case {
  learn::Settings settings;
  features::Items items;
  std::vector<std::size_t> rows;
  learn::Preparation preparation;

  Case(learn::Settings with, const GraphDataset& dataset, std::size_t trained)
      : settings(std::move(with)),
        items(features::make_items(dataset, learn::load_request(settings))),
        rows(rows_from(0, trained)),
        preparation(learn::Preparation::fit(items, rows, settings)) {}

  [[nodiscard]] learn::Part part(std::span<const std::size_t> of) const { return {items, of, preparation}; }
  [[nodiscard]] learn::Fit fit(const learn::FitOptions& options = {},
                               const base::Context& context = {}) const {
    return NetworkLearner(settings).fit(part(rows), options, context);
  }
};

double accuracy(const learn::Model& model, const Case& given, std::span<const std::size_t> rows) {
  const auto probabilities = model.probabilities(given.part(rows), {});
  double right = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    right += (probabilities[2 * i + 1] > probabilities[2 * i] ? 1 : 0) == given.items.labels[rows[i]] ? 1 : 0;
  return right / static_cast<double>(rows.size());
}

// Where t stands still, training through persistence is training on the diagrams of that t.
TEST(TrainedFiltrations, ATimeThatDoesNotMoveGivesTheNetworkOfFixedDiagrams) {
  for (const auto scale : {learn::Scaling::together, learn::Scaling::none})
    for (const bool keep_diagonal : {true, false}) {
      auto settings = hks_settings();
      settings.network.filtration_pace = 1e-12;
      settings.network.scale = scale;
      settings.data.transforms = {"prom:4"};
      settings.data.keep_diagonal = keep_diagonal;
      const Case trained(settings, two_shapes(40), 30);
      settings.network.train_filtration = false;
      const Case fixed(settings, two_shapes(40), 30);
      EXPECT_EQ(fixed.items.graphs, nullptr);
      const auto a = trained.fit(), b = fixed.fit();
      const auto rows = rows_from(0, 40);
      const auto ours = a.model->probabilities(trained.part(rows), {}),
                 theirs = b.model->probabilities(fixed.part(rows), {});
      for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-4);
      EXPECT_NEAR(a.history.back().loss, b.history.back().loss, 1e-4);
    }
}

TEST(TrainedFiltrations, TimesAreInTheHistory) {
  const Case toy(hks_settings(), two_shapes(40), 30);
  const auto fit = toy.fit();
  ASSERT_EQ(fit.history.size(), 6U);
  for (const auto& epoch : fit.history) ASSERT_EQ(epoch.times.size(), 2U);
  EXPECT_NE(fit.history.back().times[0], 0.5);
  EXPECT_NEAR(fit.history.back().times[0], 0.5, 0.4);
  EXPECT_NEAR(fit.history.back().times[1], 5, 4);
}

TEST(TrainedFiltrations, AFunctionIsLearnedWhereNoGivenOneTellsTheClassesApart) {
  auto settings = learned_settings();
  settings.network.channel.paper = "Im(10,(5,2),10,sum)";
  settings.training.epochs = 60;
  const Case learned(settings, marked_rings(200), 150);
  const auto rest = rows_from(150, 200);
  EXPECT_GE(accuracy(*learned.fit().model, learned, rest), 0.95);
  // The given ones: all rings have the same diagrams.
  for (const auto* given : {"hks:10", "degree"}) {
    settings.data.filtrations = {given};
    settings.training.epochs = 2;
    const Case blind(settings, marked_rings(200), 150);
    EXPECT_EQ(accuracy(*blind.fit().model, blind, rest), 0.5);
  }
}

TEST(TrainedFiltrations, ThreadsChangeNothing) {
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

TEST(TrainedFiltrations, TakenUpAgainItEndsWithTheSameBytes) {
  const test::TemporaryFolder folder;
  std::size_t number = 0;
  for (const auto& settings : all_settings()) {
    const Case toy(settings, two_shapes(40), 30);
    const auto whole = toy.fit();
    const auto epochs = whole.history.size();
    for (std::size_t stop = 1; stop < epochs; ++stop) {
      learn::FitOptions options;
      options.checkpoint = folder.path() / std::to_string(number++);
      options.checkpoint_seconds = 0;
      std::atomic<bool> cancel = false;
      base::Context context;
      context.cancel = &cancel;
      std::size_t done = 0;
      options.report = [&](const learn::Epoch&) { cancel = ++done == stop; };
      EXPECT_THROW(static_cast<void>(toy.fit(options, context)), base::Error);
      std::size_t rest = 0;
      options.report = [&](const learn::Epoch&) { ++rest; };
      const auto resumed = toy.fit(options);
      EXPECT_EQ(rest, epochs - stop);  // it did not start again
      EXPECT_EQ(resumed.model->arrays(), whole.model->arrays()) << stop;
      EXPECT_EQ(resumed.history, whole.history) << stop;
    }
  }
}

TEST(TrainedFiltrations, ItemsOutsideTheTrainingPartAreNotSeen) {
  const auto dataset = two_shapes(40);
  GraphDataset changed = two_shapes(30);
  const auto rest = rows_from(30, 40);
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

TEST(TrainedFiltrations, SpectraThatFoldsShareChangeNothing) {
  const Case toy(hks_settings(), two_shapes(40), 30);
  NetworkLearner learner(toy.settings);
  learner.expect(toy.items, {}, {});
  EXPECT_EQ(learner.fit(toy.part(toy.rows), {}, {}).model->arrays(), toy.fit().model->arrays());
}

TEST(TrainedFiltrations, ModelFilesPredictTheSame) {
  const test::TemporaryFolder folder;
  const auto make_learner = [](const learn::Settings& settings) -> std::unique_ptr<learn::Learner> {
    return std::make_unique<NetworkLearner>(settings);
  };
  for (const auto& settings : all_settings()) {
    const Case toy(settings, two_shapes(40), 40);
    const auto trained = learn::train(toy.items, settings, make_learner, {}, {});
    learn::write_model(folder / "model", trained.model);
    const auto read = learn::read_model(folder / "model");
    EXPECT_EQ(read.settings, settings);
    const auto request = learn::load_request(read);
    EXPECT_TRUE(request.keep_graphs);
    auto items = features::make_items(two_shapes(40), request);
    const auto expected = toy.fit().model->probabilities(toy.part(toy.rows), {});
    EXPECT_EQ(learn::predict(read, std::move(items), make_learner, {}).probabilities, expected);
  }
}

// What the times do to the scale of diagrams is no lasting matter: diagrams fill the unit square at any t.
TEST(TrainedFiltrations, ScalesFollowTheTime) {
  const auto dataset = two_shapes(40);
  GraphBatch batch{dataset.graphs, heat_spectra(dataset.graphs)};
  TrainedFiltrationsOptions options;
  options.groups = {{0, "hks:1", diagram::Kind::ord0}, {1, "hks:1", diagram::Kind::ext1}};
  TrainedFiltrations filtrations(options, 0);
  for (const double shift : {0.0, 2.0, -2.0}) {
    {
      const torch::NoGradGuard constant;
      filtrations->named_parameters()["heat.shift"].fill_(shift);
    }
    for (const bool training : {true, false}) {
      filtrations->train(training);
      filtrations->fit_scales(batch);
      for (const auto& diagrams : filtrations->forward(batch)) {
        EXPECT_NEAR(diagrams.points().min().item<double>(), 0, 1e-6);
        EXPECT_NEAR(diagrams.points().max().item<double>(), 1, 1e-6);
      }
    }
  }
}

// The gradient in t that training uses, scales included, against differences of the loss.
TEST(TrainedFiltrations, GradientsOfTimesAreThoseOfFiniteDifferences) {
  const auto dataset = two_shapes(40);
  GraphBatch batch{dataset.graphs, heat_spectra(dataset.graphs)};
  TrainedFiltrationsOptions options;
  for (const auto kind : diagram::extended_kinds)
    options.groups.push_back({options.groups.size(), "hks:3", kind});
  TrainedFiltrations filtrations(options, 0);
  auto shift = filtrations->named_parameters()["heat.shift"];
  const auto loss = [&] {
    auto sum = torch::zeros({}, torch::kFloat64);
    for (const auto& diagrams : filtrations->forward(batch))
      sum = sum + diagrams.points().to(torch::kFloat64).pow(3).sum();
    return sum;
  };
  filtrations->fit_scales(batch);
  loss().backward();
  const torch::NoGradGuard constant;
  const auto at = [&](double value) {
    shift.fill_(value);
    filtrations->fit_scales(batch);  // moves with t
    return loss().item<double>();
  };
  const double step = 0x1p-10, slope = (at(step) - at(-step)) / (2 * step);
  EXPECT_NEAR(shift.grad().item<double>(), slope, 1e-3 * std::abs(slope));
  EXPECT_GT(std::abs(slope), 0.1);
}

TEST(TrainedFiltrations, ItemsWithoutGraphsAreRefused) {
  Case toy(hks_settings(), two_shapes(10), 10);
  toy.items.graphs = nullptr;
  EXPECT_EQ(test::sentence_of([&] { static_cast<void>(toy.fit()); }),
            "A filtration is to be trained, but the items came without their graphs.");
}

}  // namespace
}  // namespace perslay::nn
