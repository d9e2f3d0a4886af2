#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {

struct SplitOutcome;

/// Kernel ridge for many splits of the same items at once. What does not depend on labels (blocks, mean
/// distances, centring) is fitted to all items, those of test parts included; one inverse for each kernel,
/// gamma and lambda then serves all splits, and scores are those of regressions on their training parts alone
/// (see kernel::without_fold). All of the training part judges.
///
/// n^3 operations for each kernel, gamma and lambda, and test^2 n for each split; memory for n^2 numbers and
/// as many for each thread.
class SharedRidge {
 public:
  SharedRidge(const RidgeSettings& settings, const RidgePool& pool, const features::Items& items,
              std::span<const Split> splits, const base::Context& context);

  /// What was learned from these rows; nothing if no split has them.
  [[nodiscard]] std::optional<Fit> fit(const Part& training) const;

 private:
  const features::Items& items_;
  std::map<std::vector<std::size_t>, std::shared_ptr<const SplitOutcome>> outcomes_;  // by training rows
};

}  // namespace perslay::learn
