#include "../../src/learn/learners.h"
#include "../io/temporary_folder.h"
#include "../sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include <perslay/base/random.h>
#include <perslay/data/orbits.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/kernel_blocks.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/training.h>

namespace perslay::learn {
namespace {

/// Each without memories of others.
const MakeLearner learners = [](const Settings& settings) { return all_learners()(settings); };

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
  EXPECT_EQ(fit.history.size(), learners(settings)->steps(60));
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

TEST(RidgeLearner, LearnsWhatOrbitsTell) {
  const auto settings = with_model(default_settings(features::cloud_kind()), "ridge");
  EXPECT_EQ(settings.model, "ridge:orbits");
  const auto items = features::make_items(data::make_orbits({24, 500}, 0, 120), load_request(settings));
  std::vector<std::size_t> training, rest;
  for (std::size_t i = 0; i < 120; ++i) (i % 3 == 0 ? rest : training).push_back(i);
  const auto fit = learners(settings)->fit({items, training, nothing_prepared}, {}, {});
  std::vector<int> truth;
  for (const std::size_t row : rest) truth.push_back(items.labels[row]);
  const auto p = fit.model->probabilities({items, rest, nothing_prepared}, {});
  EXPECT_GE(accuracy(truth, most_probable(p, 5)), 0.7);  // a fifth by chance
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

/// A kernel between all items by its definition; what is fitted comes from some rows.
std::vector<std::vector<double>> gram_by_definition(const std::vector<std::string>& blocks, double gamma,
                                                    const features::Items& items,
                                                    const std::vector<std::size_t>& rows) {
  const std::size_t n = items.count();
  const auto count = static_cast<double>(rows.size());
  std::vector<std::vector<double>> gram(n, std::vector<double>(n));
  for (const auto& name : blocks) {
    const auto block = FittedBlock::fit(kernel_blocks().make(name), items, rows);
    const auto points = block(items, range(0, n));
    const auto d = squared_distances(points);
    double mean = 0;
    for (const std::size_t i : rows)
      for (const std::size_t j : rows) mean += i == j ? 0 : d[i * n + j] / (count * (count - 1));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        gram[i][j] += d[i * n + j] / mean / static_cast<double>(blocks.size());
  }
  for (auto& row : gram)
    for (double& value : row) value = std::exp(-gamma * value);
  // Centred by the projection I - 1/count.
  std::vector<double> mean(n);
  double all = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (const std::size_t j : rows) mean[i] += gram[i][j] / count;
  for (const std::size_t i : rows) all += mean[i] / count;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) gram[i][j] += all - mean[i] - mean[j];
  double diagonal = 0;
  for (const std::size_t i : rows) diagonal += gram[i][i] / count;
  for (auto& row : gram)
    for (double& value : row) value = value / diagonal + 1;
  return gram;
}

/// The candidates' judgements and the model's scores, from distances between items by the definition.
void expect_what_it_says(const Fit& fit, const Settings& settings, const features::Items& items,
                         const Split& split) {
  const auto& pool = ridge_pool(parse_model(settings.model).argument);
  const double lambda = settings.ridge.lambdas.front();
  const auto count = static_cast<double>(split.training.size());
  ASSERT_EQ(fit.history.size(), pool.kernels.size());
  std::vector<std::vector<double>> best_scores;
  std::pair<double, double> best{-1, 0};
  for (std::size_t k = 0; k < pool.kernels.size(); ++k) {
    const auto gram =
        gram_by_definition(pool.kernels[k], settings.ridge.gammas.front(), items, split.training);
    const auto score = [&](const std::vector<std::size_t>& rows, std::size_t item, int label) {
      std::vector<std::vector<double>> a;
      std::vector<double> y;
      for (const std::size_t i : rows) {
        auto& row = a.emplace_back();
        for (const std::size_t j : rows) row.push_back(gram[i][j] + (i == j ? lambda : 0));
        y.push_back(items.labels[i] == label ? 1 : -1);
      }
      const auto x = solved(a, y);
      double sum = 0;
      for (std::size_t j = 0; j < rows.size(); ++j) sum += x[j] * gram[item][rows[j]];
      return sum;
    };
    double error = 0;
    int right = 0;
    for (const std::size_t item : split.training) {
      auto rows = split.training;
      std::erase(rows, item);
      std::vector<double> scores;
      for (int label = 0; label < 3; ++label) {
        scores.push_back(score(rows, item, label));
        error += std::pow(scores.back() - (items.labels[item] == label ? 1 : -1), 2) / (3 * count);
      }
      right += std::ranges::max_element(scores) - scores.begin() == items.labels[item] ? 1 : 0;
    }
    EXPECT_NEAR(fit.history[k].loss, error, 1e-8);
    EXPECT_NEAR(fit.history[k].accuracy, right / count, 1e-12);
    if (std::pair(right / count, -error) > best) {
      best = {right / count, -error};
      best_scores.clear();
      for (std::size_t item = 0; item < items.count(); ++item)
        best_scores.push_back(
            {score(split.training, item, 0), score(split.training, item, 1), score(split.training, item, 2)});
    }
  }
  const auto rows = range(0, items.count());
  const auto p = fit.model->probabilities({items, rows, nothing_prepared}, {});
  for (const std::size_t i : rows)
    for (std::size_t c = 1; c < 3; ++c)
      EXPECT_NEAR(std::log(double{p[3 * i + c]} / double{p[3 * i]}),
                  2 * (best_scores[i][c] - best_scores[i][0]), 1e-5);
}

Settings one_candidate_per_kernel() {
  auto settings = settings_of("no-topology");
  settings.ridge.gammas = {0.5};
  settings.ridge.lambdas = {0.3};
  settings.ridge.best = 1;
  return settings;
}

TEST(RidgeLearner, DoesWhatItSays) {
  const auto settings = one_candidate_per_kernel();
  const auto items = items_for(settings, 40, 7);
  const Split split{0, 0, range(0, 30), range(30, 40)};
  const auto fit = learners(settings)->fit({items, split.training, nothing_prepared}, {}, {});
  expect_what_it_says(fit, settings, items, split);
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

TEST(RidgeLearner, PoolsThatShareKernelsShareTheirWork) {
  const auto settings = settings_of("unlabelled");
  const auto items = items_for(settings, 60, 8);
  const auto rows = range(0, 60);
  const auto fit_of = [&](const std::string& pool, const std::shared_ptr<RidgeMemory>& memory) {
    return make_ridge_learner(settings.ridge, ridge_pool(pool), memory)
        ->fit({items, rows, nothing_prepared}, {}, {});
  };
  const auto empty = std::make_shared<RidgeMemory>(), full = std::make_shared<RidgeMemory>();
  const auto alone = fit_of("unlabelled", empty);
  for (const auto* const part : {"diagrams-only", "no-topology"}) (void)fit_of(part, full);
  const auto after_others = fit_of("unlabelled", full);
  EXPECT_EQ(after_others.history, alone.history);
  EXPECT_EQ(after_others.model->arrays(), alone.model->arrays());
}

TEST(RidgeLearner, WhatIsKnownIsNotComputedAgain) {
  auto settings = settings_of("no-topology");
  const auto items = items_for(settings, 40, 9);
  const auto rows = range(0, 40);
  const auto memory = std::make_shared<RidgeMemory>();
  const auto learner = make_ridge_learner(settings.ridge, ridge_pool("no-topology"), memory);
  // The first kernel is that of block G alone, whose distances are divided by their mean.
  const auto block = kernel_blocks().make("G");
  const auto points = FittedBlock::fit(block, items, rows, {})(items, rows, {});
  auto distances = squared_distances(points, base::Context{});
  const double total = std::accumulate(distances.begin(), distances.end(), 0.0);
  for (double& distance : distances) distance *= 1 / (total / (40.0 * 39.0));
  const auto key = RidgeMemory::key_of(distances, std::span(items.labels).first(40), 3);
  const auto judging = RidgeMemory::Purpose::judging;
  memory->keep({judging, key, 0.5, 0.1}, std::vector<double>{2, 0});
  memory->keep({judging, key, 0.5, 1}, std::vector<double>{3, 0});
  const auto history = learner->fit({items, rows, nothing_prepared}, {}, {}).history;
  EXPECT_EQ(history[0].accuracy, 2);
  EXPECT_EQ(history[1].accuracy, 3);
  EXPECT_LE(history[2].accuracy, 1);
  EXPECT_NE(key, RidgeMemory::key_of(distances, std::span(items.labels).first(40), 4));
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

/// Says the same of every item.
class Convinced : public Learner {
 public:
  class Says : public Model {
   public:
    explicit Says(float first) : first_(first) {}
    [[nodiscard]] std::vector<float> probabilities(const Part& part, const base::Context&) const override {
      std::vector<float> p;
      for (std::size_t i = 0; i < part.rows.size(); ++i) p.insert(p.end(), {first_, 1 - first_, 0});
      return p;
    }
    [[nodiscard]] std::vector<io::NamedArray> arrays() const override { return {{"first", {1}, {first_}}}; }

   private:
    float first_;
  };

  [[nodiscard]] Fit fit(const Part&, const FitOptions&, const base::Context&) const override {
    Fit fit;
    fit.model = std::make_unique<Says>(0.75F);
    return fit;
  }
  [[nodiscard]] std::unique_ptr<Model> load(const Part&,
                                            std::span<const io::NamedArray> arrays) const override {
    EXPECT_EQ(arrays.size(), 1);
    return std::make_unique<Says>(arrays[0].values.at(0));
  }
};

TEST(RidgeLearner, BesideANetworkProbabilitiesAreAveraged) {
  const MakeLearner both = [](const Settings& settings) {
    return make_combined_learner(learners(with_model(settings, "ridge:no-topology")),
                                 std::make_unique<Convinced>());
  };
  auto settings = settings_of("no-topology");
  const auto items = items_for(settings, 30, 2);
  const auto alone = train(items, settings, learners, {});
  settings.model = "ridge:no-topology+mlp";
  settings.network.use_diagrams = false;
  settings.network.scale = Scaling::none;
  const auto trained = train(items, settings, both, {});
  const auto expected = predict(alone.model, items, learners).probabilities;
  const auto p = predict(trained.model, items, both).probabilities;
  ASSERT_EQ(p.size(), expected.size());
  const std::array<float, 3> other{0.75F, 0.25F, 0};
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(p[i], (expected[i] + other[i % 3]) / 2);

  const test::TemporaryFolder folder;
  write_model(folder / "m.safetensors", trained.model);
  EXPECT_EQ(predict(read_model(folder / "m.safetensors"), items, both).probabilities, p);
}

TEST(RidgeLearner, BesideANetworkDataAreThoseOfThePool) {
  const auto clouds = default_settings(features::cloud_kind());
  auto settings = with_model(clouds, "ridge+mlp");
  EXPECT_EQ(settings.model, "ridge:orbits+mlp");
  EXPECT_EQ(settings.network, clouds.network);
  const auto request = load_request(settings);
  EXPECT_EQ(request.filtrations, std::vector<std::string>{"alpha:radii"});
  EXPECT_TRUE(request.keep_diagrams);
  EXPECT_NE(std::ranges::find(request.features, "h1/log/top:50"), request.features.end());
  settings.data.transforms = {"sqrt"};
  EXPECT_NE(test::sentence_of([&] { (void)load_request(settings); }).find("data.transforms"),
            std::string::npos);
  settings.data.transforms.clear();
  settings.data.essential = "clip:1";
  EXPECT_NE(test::sentence_of([&] { (void)load_request(settings); }).find("data.essential"),
            std::string::npos);
  EXPECT_EQ(parse_settings(to_toml(with_model(clouds, "ridge+mlp")), "x.toml"),
            with_model(clouds, "ridge+mlp"));
}

TEST(RidgeLearner, KnowsItsMemory) {
  const auto settings = settings_of("unlabelled");
  const Protocol protocol{Protocol::Type::k_fold, 10, 0, 1, false};
  const auto of = [&](std::size_t items, int threads) {
    return expected_cost(*learners(settings), protocol, items, threads);
  };
  // Two Gram matrices for each fold at a time.
  const double matrix = 8.0 * 9000 * 9000;
  EXPECT_NEAR(of(10000, 2).bytes / (4 * matrix), 1, 0.5);
  EXPECT_GT(of(10000, 2).bytes, 4 * matrix);
  EXPECT_GT(of(10000, 1).seconds, of(10000, 2).seconds);
}

TEST(RidgeLearner, PoolsHaveNames) {
  EXPECT_EQ(parse_model("ridge").argument, "unlabelled");
  EXPECT_EQ(ridge_pool(parse_model("ridge:labelled").argument).kernels.size(), 12);
  EXPECT_NE(test::sentence_of([] { (void)parse_model("ridge:all"); }).find("ridge:diagrams-only"),
            std::string::npos);
  for (const auto& pool : ridge_pools()) {
    const auto request = load_request(blocks_of(pool));
    const bool has_diagrams = pool.name == "diagrams-only" || pool.name == "unlabelled" ||
                              pool.name == "labelled" || pool.name == "orbits";
    EXPECT_EQ(!request.filtrations.empty(), has_diagrams) << pool.name;
  }
}

}  // namespace
}  // namespace perslay::learn
