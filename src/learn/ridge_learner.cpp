#include "learners.h"
#include "ridge_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include <perslay/base/parallel.h>
#include <perslay/base/random.h>
#include <perslay/kernel/ridge.h>
#include <perslay/learn/kernel_blocks.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

using kernel::Matrix;

// ---- candidates

/// A kernel of the pool, gamma and lambda, and how well they do for items that they did not learn from.
struct Candidate {
  std::size_t place = 0;  ///< Among all candidates.
  std::size_t kernel = 0;
  double gamma = 0, lambda = 0;
  double accuracy = 0;
  double error = 0;  ///< Mean squared.

  /// Fills in what the scores of items, [item][class], are worth.
  void judge(std::span<const int> labels, std::span<const double> targets, std::span<const double> scores) {
    const std::size_t classes = scores.size() / labels.size();
    std::size_t right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto own = scores.subspan(i * classes, classes);
      if (std::ranges::max_element(own) - own.begin() == labels[i]) ++right;
    }
    accuracy = static_cast<double>(right) / static_cast<double>(labels.size());
    error = 0;
    for (std::size_t p = 0; p < scores.size(); ++p) error += std::pow(scores[p] - targets[p], 2);
    error /= static_cast<double>(scores.size());
  }

  /// More right, then a smaller error, then the place.
  [[nodiscard]] bool better_than(const Candidate& other) const {
    return std::tuple(-accuracy, error, place) < std::tuple(-other.accuracy, other.error, other.place);
  }

  [[nodiscard]] Epoch report() const { return {0, place, error, accuracy}; }
};

/// All of them, kernel by kernel, gamma by gamma.
std::vector<Candidate> all_candidates(const RidgeSettings& settings, const RidgePool& pool) {
  std::vector<Candidate> all;
  for (std::size_t kernel = 0; kernel < pool.kernels.size(); ++kernel)
    for (const double gamma : settings.gammas)
      for (const double lambda : settings.lambdas) all.push_back({all.size(), kernel, gamma, lambda});
  return all;
}

/// 1 for the class of an item, -1 for the others, [item][class].
std::vector<double> targets_of(std::span<const int> labels, std::size_t classes) {
  std::vector<double> targets(labels.size() * classes, -1);
  for (std::size_t i = 0; i < labels.size(); ++i)
    targets[i * classes + static_cast<std::size_t>(labels[i])] = 1;
  return targets;
}

/// The mean over pairs of different items; 1 if it is 0.
double mean_distance(std::span<const double> distances, std::size_t count) {
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  const double mean = count > 1 ? sum / (static_cast<double>(count) * static_cast<double>(count - 1)) : 0;
  return mean > 0 ? mean : 1;
}

// ---- a fit

/// One fit while it runs.
class RidgeFit {
 public:
  RidgeFit(const RidgeSettings& settings, const RidgePool& pool, const Part& part, const FitOptions& options,
           RidgeMemory& memory, const base::Context& context)
      : settings_(settings),
        part_(part),
        options_(options),
        memory_(memory),
        context_(context),
        pool_(blocks_of(pool)),
        candidates_(all_candidates(settings, pool)),
        labels_(part.labels()) {
    for (const auto& names : pool.kernels) {
      auto& places = kernels_.emplace_back();
      for (const auto& name : names)
        places.push_back(
            static_cast<std::size_t>(std::ranges::find(pool_, name, &KernelBlock::name) - pool_.begin()));
    }
    draw_judges();
  }

  Fit operator()() {
    fit_blocks();
    judge();
    Fit fit;
    for (const auto& candidate : candidates_) fit.history.push_back(candidate.report());
    auto members = learn_best();
    fit.model = std::make_unique<RidgeModel>(std::move(blocks_), std::move(members));
    return fit;
  }

 private:
  [[nodiscard]] std::size_t classes() const { return part_.items.classes.size(); }
  [[nodiscard]] bool all_judge() const { return judges_.size() == labels_.size(); }

  /// Places in the training part.
  void draw_judges() {
    judges_ = all_rows(labels_.size());
    if (judges_.size() <= settings_.selection) return;
    base::RandomStream random(options_.seed);
    for (std::size_t i = 0; i < settings_.selection; ++i)
      std::swap(judges_[i], judges_[i + random.below(judges_.size() - i)]);
    judges_.resize(settings_.selection);
    std::ranges::sort(judges_);
  }

  void fit_blocks() {
    std::vector<std::size_t> judging_rows;
    for (const std::size_t place : judges_) judging_rows.push_back(part_.rows[place]);
    for (const auto& unfitted : pool_) {
      auto& block = blocks_.emplace_back();
      block.fitted = FittedBlock::fit(unfitted, part_.items, part_.rows, context_);
      block.points = block.fitted(part_.items, part_.rows, context_);
      apart_.push_back(squared_distances(
          all_judge() ? block.points : block.fitted(part_.items, judging_rows, context_), context_));
      block.mean = mean_distance(apart_.back(), judges_.size());
    }
  }

  /// The mean of the distances of a kernel's blocks between those who judge.
  [[nodiscard]] Matrix judging_distances(std::size_t kernel) const {
    Matrix sum(judges_.size(), judges_.size());
    for (const std::size_t b : kernels_[kernel])
      for (std::size_t p = 0; p < sum.values.size(); ++p) sum.values[p] += share(kernel, b) * apart_[b][p];
    return sum;
  }

  /// The same between all, computed anew.
  [[nodiscard]] Matrix all_distances(std::size_t kernel) const {
    Matrix sum(labels_.size(), labels_.size());
    for (const std::size_t b : kernels_[kernel])
      add_squared_distances(blocks_[b].points, share(kernel, b), sum.values, context_);
    return sum;
  }

  /// By what the distances of a block are multiplied in a kernel.
  [[nodiscard]] double share(std::size_t kernel, std::size_t block) const {
    return 1 / (blocks_[block].mean * static_cast<double>(kernels_[kernel].size()));
  }

  void judge() {
    std::vector<int> labels;
    for (const std::size_t place : judges_) labels.push_back(labels_[place]);
    const auto targets = targets_of(labels, classes());
    base::Context silent = context_;
    silent.progress = nullptr;
    auto next = candidates_.begin();
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      const auto distances = judging_distances(k);
      const auto key = RidgeMemory::key_of(distances.values, labels, classes());
      for (const double gamma : settings_.gammas) {
        const std::span some(next, settings_.lambdas.size());
        if (!std::ranges::all_of(some, [&](auto& candidate) { return recall(candidate, key); })) {
          auto gram = distances;
          to_kernel(gram.values, gamma);
          const auto centring = kernel::Centring::fit(gram);
          gram = centring(std::move(gram));
          base::parallel_for(silent, "candidates", some.size(), [&](std::size_t i) {
            some[i].judge(labels, targets, kernel::left_out_scores(gram, some[i].lambda, targets));
          });
          for (const auto& candidate : some)
            memory_.keep(judging(candidate, key), {candidate.accuracy, candidate.error});
        }
        if (options_.report)
          for (const auto& candidate : some) options_.report(candidate.report());
        next += std::ssize(some);
      }
    }
  }

  [[nodiscard]] static RidgeMemory::Regression judging(const Candidate& candidate, RidgeMemory::Key key) {
    return {RidgeMemory::Purpose::judging, key, candidate.gamma, candidate.lambda};
  }

  /// Whether it was judged before.
  bool recall(Candidate& candidate, RidgeMemory::Key key) const {
    const auto known = memory_.recall(judging(candidate, key));
    if (known) std::tie(candidate.accuracy, candidate.error) = std::tie((*known)[0], (*known)[1]);
    return known.has_value();
  }

  /// Regressions on all of the training part, the best first. Those with the same kernel share its distances.
  std::vector<Member> learn_best() {
    auto best = candidates_;
    std::ranges::sort(best, [](const auto& a, const auto& b) { return a.better_than(b); });
    best.resize(std::min(settings_.best, best.size()));
    std::vector<Member> members(best.size());
    if (!all_judge()) apart_.clear();
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      if (std::ranges::find(best, k, &Candidate::kernel) == best.end()) continue;
      const auto distances = all_judge() ? judging_distances(k) : all_distances(k);
      const auto key = RidgeMemory::key_of(distances.values, labels_, classes());
      for (std::size_t i = 0; i < best.size(); ++i)
        if (best[i].kernel == k) members[i] = learn(best[i], distances, key);
    }
    return members;
  }

  Member learn(const Candidate& chosen, const Matrix& distances, RidgeMemory::Key key) const {
    context_.stop_if_cancelled();
    Member member{kernels_[chosen.kernel], chosen.gamma, {}};
    auto& [coefficients, constants] = member.scores;
    const RidgeMemory::Regression learning{RidgeMemory::Purpose::learning, key, chosen.gamma, chosen.lambda};
    if (auto known = memory_.recall(learning)) {
      const auto end = known->end() - static_cast<std::ptrdiff_t>(classes());
      coefficients.assign(known->begin(), end);
      constants.assign(end, known->end());
      return member;
    }
    auto gram = distances;
    to_kernel(gram.values, chosen.gamma);
    const auto centring = kernel::Centring::fit(gram);
    member.scores = kernel::without_centring(
        centring,
        kernel::ridge_coefficients(centring(std::move(gram)), chosen.lambda, targets_of(labels_, classes())));
    auto numbers = coefficients;
    numbers.insert(numbers.end(), constants.begin(), constants.end());
    memory_.keep(learning, std::move(numbers));
    return member;
  }

  const RidgeSettings& settings_;
  const Part& part_;
  const FitOptions& options_;
  RidgeMemory& memory_;
  const base::Context& context_;
  std::vector<KernelBlock> pool_;
  std::vector<std::vector<std::size_t>> kernels_;  // of the pool, by the places of their blocks
  std::vector<Candidate> candidates_;
  std::vector<int> labels_;                 // of the training part
  std::vector<std::size_t> judges_;         // places in it
  std::vector<RidgeBlock> blocks_;          // of the pool
  std::vector<std::vector<double>> apart_;  // between those who judge, for each block
};

// ---- what it takes

constexpr double number = sizeof(double);

/// Of factorisations and of products of matrices, on one thread.
constexpr double operations_per_second = 3e10;

/// Numbers of features of an item, all blocks together, about; each is there as a feature, and centred.
constexpr double features_of_item = 4000;
constexpr double feature_bytes = features_of_item * (sizeof(float) + sizeof(double));

/// Of the n^2 numbers of a kernel: distances, the exponential function, centring.
double operations_of_kernel(double items) { return 500 * items * items; }

double candidates(const RidgeSettings& settings, const RidgePool& pool) {
  return static_cast<double>(pool.kernels.size() * settings.gammas.size() * settings.lambdas.size());
}

Cost cost_of_ridge(const RidgeSettings& settings, const RidgePool& pool, std::size_t items) {
  const auto n = static_cast<double>(items);
  const double judging = std::min(n, static_cast<double>(settings.selection));
  const double best = std::min(static_cast<double>(settings.best), candidates(settings, pool));
  const double operations =
      candidates(settings, pool) * (std::pow(judging, 3) + operations_of_kernel(judging)) +
      best * (std::pow(n, 3) / 3 + operations_of_kernel(n)) + 4 * n * n * features_of_item;
  const auto blocks = static_cast<double>(blocks_of(pool).size());
  const double matrices = std::max((blocks + 3) * judging * judging, 2 * n * n);
  return {operations / operations_per_second, number * matrices + n * feature_bytes};
}

class RidgeLearner : public Learner {
 public:
  RidgeLearner(const RidgeSettings& settings, const RidgePool& pool, std::shared_ptr<RidgeMemory> memory)
      : settings_(settings), pool_(pool), memory_(std::move(memory)) {}

  [[nodiscard]] Cost cost_of_fit(std::size_t items) const override {
    return cost_of_ridge(settings_, pool_, items);
  }

  [[nodiscard]] std::size_t steps(std::size_t /*items*/) const noexcept override {
    return pool_.kernels.size() * settings_.gammas.size() * settings_.lambdas.size();
  }

  [[nodiscard]] Fit fit(const Part& part, const FitOptions& options,
                        const base::Context& context) const override {
    return RidgeFit(settings_, pool_, part, options, *memory_, context)();
  }

  [[nodiscard]] std::unique_ptr<Model> load(const Part& part,
                                            std::span<const io::NamedArray> arrays) const override {
    return RidgeModel::read(blocks_of(pool_), part.items.classes.size(), arrays);
  }

 private:
  RidgeSettings settings_;
  const RidgePool& pool_;
  std::shared_ptr<RidgeMemory> memory_;
};

}  // namespace

std::unique_ptr<Learner> make_ridge_learner(const RidgeSettings& settings, const RidgePool& pool,
                                            std::shared_ptr<RidgeMemory> memory) {
  return std::make_unique<RidgeLearner>(settings, pool, std::move(memory));
}

}  // namespace perslay::learn
