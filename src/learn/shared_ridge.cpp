#include "shared_ridge.h"

#include "ridge_candidates.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/features/kernel_blocks.h>
#include <perslay/kernel/ridge.h>

namespace perslay::learn {
namespace {

using kernel::Matrix;

/// A candidate with the scores that it gives to all items, [item][class].
struct Scored {
  Candidate candidate;
  std::vector<double> scores;
};

/// Scores of a split in the order of items.
std::vector<double> in_order(const Split& split, const kernel::WithoutFold& without, std::size_t classes) {
  std::vector<double> scores((split.training.size() + split.test.size()) * classes);
  const auto place = [&](std::span<const std::size_t> rows, std::span<const double> from) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(&from[i * classes], classes, &scores[rows[i] * classes]);
  };
  place(split.test, without.fold);
  place(split.training, without.rest);
  return scores;
}

/// The distances of a pool's kernels between all items.
class Distances {
 public:
  Distances(const RidgePool& pool, const features::Items& items, const base::Context& context)
      : pool_(pool), context_(context) {
    std::vector<std::size_t> rows(items.count());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
    for (const auto& block : pool_.blocks)
      points_.push_back(features::FittedBlock::fit(block, items, rows, context)(items, rows, context));
  }

  [[nodiscard]] Matrix operator()(std::size_t kernel) const {
    const auto& blocks = pool_.kernels[kernel];
    const std::size_t n = points_.front().count();
    Matrix sum(n, n);
    for (const std::size_t b : blocks) {
      const auto apart = features::squared_distances(points_[b], context_);
      const double factor = 1 / (mean_distance(apart, n) * static_cast<double>(blocks.size()));
      for (std::size_t p = 0; p < apart.size(); ++p) sum.values[p] += factor * apart[p];
    }
    return sum;
  }

 private:
  PoolKernels pool_;
  const base::Context& context_;
  std::vector<features::BlockPoints> points_;
};

}  // namespace

/// The candidates of one split.
struct SplitOutcome {
  std::vector<Epoch> history;
  std::size_t members = 0;
  std::vector<double> sums;  ///< Of the scores of the best, [item][class].

  SplitOutcome(std::size_t candidates, std::size_t limit)
      : history(candidates), members(std::min(limit, candidates)) {}

  void add(Scored scored) {
    history[scored.candidate.place] = scored.candidate.report();
    const auto after = std::ranges::find_if(
        best_, [&](const Scored& other) { return scored.candidate.better_than(other.candidate); });
    best_.insert(after, std::move(scored));
    if (best_.size() > members) best_.pop_back();
  }

  /// In the order of rank, so that rounding is the same however the candidates came.
  void add_up() {
    sums.assign(best_.front().scores.size(), 0);
    for (const auto& scored : best_) std::ranges::transform(sums, scored.scores, sums.begin(), std::plus<>{});
    best_.clear();
  }

 private:
  std::vector<Scored> best_;
};

namespace {

/// What the best say about the items of a split, added up.
class AddedScores : public Model {
 public:
  explicit AddedScores(std::shared_ptr<const SplitOutcome> outcome) : outcome_(std::move(outcome)) {}

  [[nodiscard]] std::vector<float> probabilities(const Part& part,
                                                 const base::Context& /*context*/) const override {
    const std::size_t classes = part.items.classes.size();
    const std::span sums(outcome_->sums);
    std::vector<float> result(part.rows.size() * classes);
    for (std::size_t i = 0; i < part.rows.size(); ++i)
      to_probabilities(sums.subspan(part.rows[i] * classes, classes), outcome_->members,
                       &result[i * classes]);
    return result;
  }

  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    throw base::internal_error("What is learned for all splits at once knows nothing of other items.");
  }

 private:
  std::shared_ptr<const SplitOutcome> outcome_;
};

}  // namespace

SharedRidge::SharedRidge(const RidgeSettings& settings, const RidgePool& pool, const features::Items& items,
                         std::span<const Split> splits, const base::Context& context)
    : items_(items) {
  const std::size_t classes = items.classes.size();
  const auto targets = targets_of(items.labels, classes);
  const auto candidates = all_candidates(settings, pool);
  std::vector<std::shared_ptr<SplitOutcome>> outcomes;
  for (std::size_t s = 0; s < splits.size(); ++s)
    outcomes.push_back(std::make_shared<SplitOutcome>(candidates.size(), settings.best));

  const Distances distances(pool, items, context);
  const std::size_t per_kernel = settings.gammas.size() * settings.lambdas.size();
  std::mutex mutex;
  for (std::size_t k = 0; k < pool.kernels.size(); ++k) {
    const auto apart = distances(k);
    base::parallel_for(context, "kernel ridge", per_kernel, [&](std::size_t i) {
      auto candidate = candidates[k * per_kernel + i];
      auto gram = apart;
      to_kernel(gram.values, candidate.gamma);
      const auto centring = kernel::Centring::fit(gram);
      const auto inverse = kernel::ridge_inverse(centring(std::move(gram)), candidate.lambda);
      for (std::size_t s = 0; s < splits.size(); ++s) {
        const auto& [repeat, fold, training, test] = splits[s];
        const auto without = kernel::without_fold(inverse, candidate.lambda, targets, test);
        std::vector<int> labels;
        labels.reserve(training.size());
        for (const std::size_t row : training) labels.push_back(items.labels[row]);
        candidate.judge(labels, targets_of(labels, classes), without.rest_left_out);
        Scored scored{candidate, in_order(splits[s], without, classes)};
        const std::scoped_lock lock(mutex);
        outcomes[s]->add(std::move(scored));
      }
    });
  }
  for (std::size_t s = 0; s < splits.size(); ++s) {
    outcomes[s]->add_up();
    outcomes_[splits[s].training] = outcomes[s];
  }
}

std::optional<Fit> SharedRidge::fit(const Part& training) const {
  const auto found = outcomes_.find({training.rows.begin(), training.rows.end()});
  if (found == outcomes_.end() || &training.items != &items_) return {};
  Fit fit;
  fit.history = found->second->history;
  fit.model = std::make_unique<AddedScores>(found->second);
  return fit;
}

}  // namespace perslay::learn
