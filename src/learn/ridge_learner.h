#pragma once

#include "ridge_memory.h"

#include <memory>

#include <perslay/learn/learner.h>

namespace perslay::learn {

/// Kernel ridge regression on blocks of features, `settings.model = "ridge:POOL"`.
///
/// Each block of the pool gives squared distances, which are divided by their mean. A kernel of the pool is K
/// = exp(-gamma times the mean of its blocks' distances), centred (see kernel::Centring). One class against
/// the rest is learned by a regression on targets of 1 and -1, with lambda on the diagonal. All kernels,
/// gammas and lambdas are judged by how many items are labelled rightly by a regression on all others, which
/// has a closed form; what the best settings.ridge.best say is added up. Among equals the smaller squared
/// error counts, then the place in the pool.
///
/// Everything is fitted on the training part. If it has more than settings.ridge.selection items, so many,
/// drawn by the seed, judge the candidates; the chosen ones learn from all. Learners with the same memory do
/// not repeat each other's regressions.
[[nodiscard]] std::unique_ptr<Learner> make_ridge_learner(const Settings& settings,
                                                          std::shared_ptr<RidgeMemory> memory);

}  // namespace perslay::learn
