#include "../io/temporary_folder.h"
#include "../sentence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/features/kernel_blocks.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/ridge_pools.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

const MakeLearner learners = all_learners({});

/// Random trees with some edges more: none, a few, many. Node labels are degrees up to 3.
data::GraphDataset graphs(std::size_t count, std::uint64_t seed) {
  data::GraphDataset dataset;
  dataset.name = "made";
  dataset.classes = {"tree", "loops", "dense"};
  for (std::size_t g = 0; g < count; ++g) {
    base::RandomStream random(seed, g);
    const int label = static_cast<int>(g % 3);
    const auto n = static_cast<data::Vertex>(10 + random.below(8));
    std::set<std::pair<data::Vertex, data::Vertex>> pairs;
    const auto below = [&](data::Vertex limit) {
      return static_cast<data::Vertex>(random.below(static_cast<std::uint64_t>(limit)));
    };
    for (data::Vertex v = 1; v < n; ++v) pairs.emplace(below(v), v);
    for (int extra = 0; extra < 6 * label; ++extra) {
      const auto a = below(n), b = below(n);
      if (a != b) pairs.emplace(std::min(a, b), std::max(a, b));
    }
    std::vector<data::Edge> edges;
    for (const auto& [a, b] : pairs) edges.push_back({a, b});
    dataset.graphs.push_back(data::Graph::from_edges(n, edges));
    for (data::Vertex v = 0; v < n; ++v)
      dataset.node_labels.push_back(std::min(dataset.graphs.back().degree(v), 3));
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + n);
    dataset.labels.push_back(label);
  }
  return dataset;
}

Settings settings_of(const std::string& pool) {
  auto settings = with_model({}, "ridge:" + pool);
  settings.ridge.gammas = {0.5, 2};
  settings.ridge.lambdas = {0.1, 1};
  return settings;
}

features::Items items_for(const Settings& settings, std::size_t count, std::uint64_t seed) {
  return features::make_items(graphs(count, seed), load_request(settings));
}

std::vector<std::size_t> range(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

const Preparation nothing_prepared;

class RidgePoolTest : public testing::TestWithParam<const char*> {};

TEST_P(RidgePoolTest, LearnsWhatGraphsTell) {
  const auto settings = settings_of(GetParam());
  const auto items = items_for(settings, 90, 1);
  const auto training = range(0, 60), rest = range(60, 90);
  const auto fit = learners(settings)->fit({items, training, nothing_prepared}, {}, {});
  std::vector<int> truth;
  for (const std::size_t row : rest) truth.push_back(items.labels[row]);
  const auto p = fit.model->probabilities({items, rest, nothing_prepared}, {});
  EXPECT_GE(accuracy(truth, most_probable(p, 3)), 0.8);  // a third by chance
  for (std::size_t i = 0; i < rest.size(); ++i)
    EXPECT_NEAR(double{p[3 * i]} + double{p[3 * i + 1]} + double{p[3 * i + 2]}, 1, 1e-6);
  EXPECT_EQ(fit.history.size(), learners(settings)->steps());
}

TEST_P(RidgePoolTest, AModelFilePredictsTheSame) {
  const auto settings = settings_of(GetParam());
  const auto items = items_for(settings, 45, 2), others = items_for(settings, 20, 3);
  const test::TemporaryFolder folder;
  const auto trained = train(items, settings, learners, {});
  write_model(folder / "m.safetensors", trained.model);
  const auto read = read_model(folder / "m.safetensors");
  EXPECT_EQ(read.settings, settings);
  EXPECT_EQ(predict(read, others, learners).probabilities,
            predict(trained.model, others, learners).probabilities);
  EXPECT_EQ(predict(read, items, learners).accuracy, trained.accuracy);
}

/// Everything about the items outside `rows` changed.
features::Items spoiled(const Settings& settings, std::size_t count, std::uint64_t seed,
                        const std::vector<std::size_t>& rows) {
  auto dataset = graphs(count, seed);
  const auto others = graphs(count, seed + 100);
  data::GraphDataset mixed;
  mixed.classes = dataset.classes;
  for (std::size_t g = 0; g < count; ++g) {
    const bool kept = std::ranges::find(rows, g) != rows.end();
    const auto& from = kept ? dataset : others;
    mixed.graphs.push_back(from.graphs[g]);
    mixed.labels.push_back(kept ? from.labels[g] : (from.labels[g] + 1) % 3);
    mixed.node_labels.insert(mixed.node_labels.end(), from.node_labels.begin() + from.vertex_offsets[g],
                             from.node_labels.begin() + from.vertex_offsets[g + 1]);
    mixed.vertex_offsets.push_back(static_cast<std::int64_t>(mixed.node_labels.size()));
  }
  return features::make_items(mixed, load_request(settings));
}

TEST_P(RidgePoolTest, NothingOfTheTestPartEnters) {
  const auto settings = settings_of(GetParam());
  const auto training = range(5, 45);
  const auto items = items_for(settings, 60, 4);
  const auto other = spoiled(settings, 60, 4, training);
  EXPECT_EQ(learners(settings)->fit({items, training, nothing_prepared}, {}, {}).model->arrays(),
            learners(settings)->fit({other, training, nothing_prepared}, {}, {}).model->arrays());
}

INSTANTIATE_TEST_SUITE_P(Pools, RidgePoolTest,
                         testing::Values("diagrams-only", "no-topology", "unlabelled", "labelled"));

/// Solves a linear system by Gaussian elimination.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> y) {
  const std::size_t n = y.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(y[k], y[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      y[i] -= factor * y[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) y[i] /= a[i][i];
  return y;
}

/// The candidates' judgements and the model's scores, from distances between items by the definition.
TEST(RidgeLearner, DoesWhatItSays) {
  auto settings = settings_of("no-topology");
  settings.ridge.gammas = {0.5};
  settings.ridge.lambdas = {0.3};
  settings.ridge.best = 1;
  const auto items = items_for(settings, 40, 7);
  const auto training = range(0, 30), rest = range(30, 40);
  const auto fit = learners(settings)->fit({items, training, nothing_prepared}, {}, {});

  const auto& pool = ridge_pool(settings.model);
  ASSERT_EQ(fit.history.size(), pool.kernels.size());
  std::vector<std::vector<double>> best_scores;
  std::pair<double, double> best{-1, 0};
  for (std::size_t k = 0; k < pool.kernels.size(); ++k) {
    // Distances of all 40 items, divided by their mean over pairs of the first 30.
    std::vector<std::vector<double>> distance(40, std::vector<double>(40));
    for (const auto& name : pool.kernels[k]) {
      const auto block = features::FittedBlock::fit(features::kernel_blocks().make(name), items, training);
      const auto points = block(items, range(0, 40));
      const auto d = features::squared_distances(points, points);
      double mean = 0;
      for (std::size_t i = 0; i < 30; ++i)
        for (std::size_t j = 0; j < 30; ++j) mean += i == j ? 0 : d[i * 40 + j] / (30 * 29);
      for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 40; ++j)
          distance[i][j] += d[i * 40 + j] / mean / static_cast<double>(pool.kernels[k].size());
    }
    auto gram = distance;
    for (auto& row : gram)
      for (double& value : row) value = std::exp(-0.5 * value);
    // Centred over the first 30, by the projection I - 1/30.
    std::vector<double> mean(40);
    double all = 0;
    for (std::size_t i = 0; i < 40; ++i)
      for (std::size_t j = 0; j < 30; ++j) mean[i] += gram[i][j] / 30;
    for (std::size_t i = 0; i < 30; ++i) all += mean[i] / 30;
    for (std::size_t i = 0; i < 40; ++i)
      for (std::size_t j = 0; j < 40; ++j) gram[i][j] += all - mean[i] - mean[j];
    double diagonal = 0;
    for (std::size_t i = 0; i < 30; ++i) diagonal += gram[i][i] / 30;
    for (auto& row : gram)
      for (double& value : row) value = value / diagonal + 1;

    const auto score = [&](const std::vector<std::size_t>& rows, std::size_t item, int label) {
      std::vector<std::vector<double>> a;
      std::vector<double> y;
      for (const std::size_t i : rows) {
        auto& row = a.emplace_back();
        for (const std::size_t j : rows) row.push_back(gram[i][j] + (i == j ? 0.3 : 0));
        y.push_back(items.labels[i] == label ? 1 : -1);
      }
      const auto x = solved(a, y);
      double sum = 0;
      for (std::size_t j = 0; j < rows.size(); ++j) sum += x[j] * gram[item][rows[j]];
      return sum;
    };
    double error = 0;
    int right = 0;
    for (std::size_t i = 0; i < 30; ++i) {
      auto rows = training;
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
      std::vector<double> scores;
      for (int label = 0; label < 3; ++label) {
        scores.push_back(score(rows, i, label));
        error += std::pow(scores.back() - (items.labels[i] == label ? 1 : -1), 2) / 90;
      }
      right += std::ranges::max_element(scores) - scores.begin() == items.labels[i] ? 1 : 0;
    }
    EXPECT_NEAR(fit.history[k].loss, error, 1e-8);
    EXPECT_NEAR(fit.history[k].accuracy, right / 30.0, 1e-12);
    if (std::pair(right / 30.0, -error) > best) {
      best = {right / 30.0, -error};
      best_scores.clear();
      for (const std::size_t item : rest)
        best_scores.push_back({score(training, item, 0), score(training, item, 1), score(training, item, 2)});
    }
  }
  const auto p = fit.model->probabilities({items, rest, nothing_prepared}, {});
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (std::size_t c = 1; c < 3; ++c)
      EXPECT_NEAR(std::log(double{p[3 * i + c]} / double{p[3 * i]}),
                  2 * (best_scores[i][c] - best_scores[i][0]), 1e-5);
}

TEST(RidgeLearner, FewerItemsThanAllMayJudge) {
  auto settings = settings_of("no-topology");
  settings.ridge.selection = 25;
  const auto items = items_for(settings, 90, 8);
  const auto training = range(0, 60), rest = range(60, 90);
  const auto learner = learners(settings);
  const auto fit = learner->fit({items, training, nothing_prepared}, {}, {});
  std::vector<int> truth;
  for (const std::size_t row : rest) truth.push_back(items.labels[row]);
  EXPECT_GE(accuracy(truth, most_probable(fit.model->probabilities({items, rest, nothing_prepared}, {}), 3)),
            0.9);
  FitOptions other;
  other.seed = 1;
  EXPECT_NE(learner->fit({items, training, nothing_prepared}, other, {}).history, fit.history);
  // All that is chosen learns from all items.
  const auto arrays = fit.model->arrays();
  const auto items_array = std::ranges::find(arrays, "ridge.items", &io::NamedArray::name);
  ASSERT_NE(items_array, arrays.end());
  EXPECT_EQ(items_array->doubles, std::vector<double>{60});
}

TEST(RidgeLearner, AnEvaluationDoesNotDependOnThreads) {
  const auto settings = settings_of("unlabelled");
  const auto items = items_for(settings, 40, 6);
  const test::TemporaryFolder folder;
  EvaluationTask task{"made", settings, "perslay", {}};
  task.protocol.folds = 4;
  base::Context one, three;
  one.threads = 1;
  three.threads = 3;
  const auto a = evaluate(items, task, learners, {folder / "a"}, one);
  const auto b = evaluate(items, task, learners, {folder / "b"}, three);
  EXPECT_EQ(a.confusion, b.confusion);
  for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(a.folds[f].history, b.folds[f].history);
}

TEST(RidgeLearner, ModelsThatContradictThemselvesAreSentences) {
  const auto settings = settings_of("labelled");
  const auto items = items_for(settings, 30, 9);
  auto model = train(items, settings, learners, {}).model;
  for (std::size_t i = 0; i < model.arrays.size(); ++i) {
    const auto whole = model.arrays[i];
    const auto expect_sentence = [&] {
      EXPECT_NE(test::sentence_of([&] { (void)predict(model, items, learners); }), "") << whole.name;
      model.arrays[i] = whole;
    };
    model.arrays[i].name += 'x';
    expect_sentence();
    if (!whole.doubles.empty()) {
      model.arrays[i].doubles.push_back(1);
      expect_sentence();
      model.arrays[i].doubles.back() = std::nan("");
      expect_sentence();
    } else if (!whole.values.empty()) {
      model.arrays[i].values.push_back(1);
      expect_sentence();
      model.arrays[i].values.back() = std::nanf("");
      expect_sentence();
    }
  }
}

TEST(RidgeLearner, PoolsHaveNames) {
  EXPECT_EQ(ridge_pool("ridge").name, "unlabelled");
  EXPECT_EQ(ridge_pool("ridge:labelled").kernels.size(), 12);
  EXPECT_NE(test::sentence_of([] { (void)ridge_pool("ridge:all"); }).find("ridge:diagrams-only"),
            std::string::npos);
  for (const auto& pool : ridge_pools()) {
    const auto request = features::load_request(blocks_of(pool));
    const bool has_diagrams =
        pool.name == "diagrams-only" || pool.name == "unlabelled" || pool.name == "labelled";
    EXPECT_EQ(!request.filtrations.empty(), has_diagrams) << pool.name;
  }
}

}  // namespace
}  // namespace perslay::learn
