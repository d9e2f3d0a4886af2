#pragma once

#include "ridge_memory.h"

#include <memory>

#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {

/// Kernel ridge regression on the blocks of features of a pool.
///
/// Each block gives squared distances, which are divided by their mean. A kernel of the pool is K = exp(-gamma
/// times the mean of its blocks' distances), centred (see kernel::Centring). One class against the rest is
/// learned by a regression on targets of 1 and -1, with lambda on the diagonal. Every kernel, gamma and lambda
/// is judged by how many items are labelled rightly by a regression on all others, which has a closed form.
/// The scores of the settings.best best are added up. Among equals the smaller squared error counts, then the
/// place in the pool.
///
/// Everything is fitted on the training part. If it has more than settings.selection items, so many, drawn by
/// the seed, judge the candidates; the chosen ones learn from all. Learners with the same memory do not repeat
/// each other's regressions.
///
/// n^3 operations for each candidate, n being the number of judges, and memory for a matrix of n^2 numbers for
/// each block.
[[nodiscard]] std::unique_ptr<Learner> make_ridge_learner(const RidgeSettings& settings,
                                                          const RidgePool& pool,
                                                          std::shared_ptr<RidgeMemory> memory);

}  // namespace perslay::learn
