#include "ridge_fit.h"

#include "ridge_candidates.h"
#include "ridge_model.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include <perslay/base/parallel.h>
#include <perslay/base/random.h>
#include <perslay/features/kernel_blocks.h>
#include <perslay/kernel/ridge.h>

namespace perslay::learn {
namespace {

using features::FittedBlock;
using kernel::Matrix;

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
        pool_(pool),
        candidates_(all_candidates(settings, pool)) {
    for (const std::size_t row : part.rows) labels_.push_back(part.items.labels[row]);
    draw_judges();
  }

  Fit operator()() {
    prepare_blocks();
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
    judges_.resize(labels_.size());
    std::iota(judges_.begin(), judges_.end(), std::size_t{0});
    if (judges_.size() <= settings_.selection) return;
    base::RandomStream random(options_.seed);
    for (std::size_t i = 0; i < settings_.selection; ++i)
      std::swap(judges_[i], judges_[i + random.below(judges_.size() - i)]);
    judges_.resize(settings_.selection);
    std::ranges::sort(judges_);
  }

  void prepare_blocks() {
    std::vector<std::size_t> judging_rows;
    for (const std::size_t place : judges_) judging_rows.push_back(part_.rows[place]);
    for (const auto& kind : pool_.blocks) {
      auto& block = blocks_.emplace_back();
      block.fitted = FittedBlock::fit(kind, part_.items, part_.rows, context_);
      block.points = block.fitted(part_.items, part_.rows, context_);
      apart_.push_back(features::squared_distances(
          all_judge() ? block.points : block.fitted(part_.items, judging_rows, context_), context_));
      block.mean = mean_distance(apart_.back(), judges_.size());
    }
  }

  /// The mean of the distances of a kernel's blocks between those who judge.
  [[nodiscard]] Matrix judging_distances(std::size_t kernel) const {
    Matrix sum(judges_.size(), judges_.size());
    for (const std::size_t b : pool_.kernels[kernel])
      for (std::size_t p = 0; p < sum.values.size(); ++p) sum.values[p] += share(kernel, b) * apart_[b][p];
    return sum;
  }

  /// The same between all, computed anew.
  [[nodiscard]] Matrix all_distances(std::size_t kernel) const {
    Matrix sum(labels_.size(), labels_.size());
    for (const std::size_t b : pool_.kernels[kernel])
      features::add_squared_distances(blocks_[b].points, share(kernel, b), sum.values, context_);
    return sum;
  }

  /// By what the distances of a block are multiplied in a kernel.
  [[nodiscard]] double share(std::size_t kernel, std::size_t block) const {
    return 1 / (blocks_[block].mean * static_cast<double>(pool_.kernels[kernel].size()));
  }

  void judge() {
    std::vector<int> labels;
    for (const std::size_t place : judges_) labels.push_back(labels_[place]);
    const auto targets = targets_of(labels, classes());
    base::Context silent = context_;
    silent.progress = nullptr;
    auto next = candidates_.begin();
    for (std::size_t k = 0; k < pool_.kernels.size(); ++k) {
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
    for (std::size_t k = 0; k < pool_.kernels.size(); ++k) {
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
    Member member{pool_.kernels[chosen.kernel], chosen.gamma, {}};
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
  PoolKernels pool_;
  std::vector<Candidate> candidates_;
  std::vector<int> labels_;          // of the training part
  std::vector<std::size_t> judges_;  // places in it
  std::vector<PreparedBlock> blocks_;
  std::vector<std::vector<double>> apart_;  // between those who judge, for each block
};

}  // namespace

Fit fit_ridge(const RidgeSettings& settings, const RidgePool& pool, const Part& part,
              const FitOptions& options, RidgeMemory& memory, const base::Context& context) {
  return RidgeFit(settings, pool, part, options, memory, context)();
}

}  // namespace perslay::learn
