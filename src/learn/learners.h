#pragma once

#include "ridge_memory.h"

#include <memory>

#include <perslay/kernel/kernel.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>

/// What the entries of models() make.
namespace perslay::learn {

/// Trains the network of settings.network as settings.training says; `model = "network"`.
///
/// All randomness (initial parameters, order of items, dropout) comes from (seed, net, epoch), so a
/// checkpoint holds no generator, and what was killed and taken up again ends with the same bytes. The
/// threads of the context serve the diagrams of a batch; folds side by side use them better.
[[nodiscard]] std::unique_ptr<Learner> make_network_learner(const Settings& settings);

/// Trains a network with the best of network.candidates: the one with the most right answers in a cross-validation
/// inside the training part, with network.choice_folds folds, the first of equals. Scales and features are fitted to
/// the training part of each of these folds anew. Then the network learns from the whole training part.
///
/// A fit takes candidates x folds + 1 trainings. With a checkpoint, the results of finished ones are kept beside it, in
/// CHECKPOINT.choice, until the fit ends; one that was interrupted begins again. FitOptions hold for both files, which
/// are looked at before the choice begins.
[[nodiscard]] std::unique_ptr<Learner> make_channel_choice(const Settings& settings);

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

/// Support vectors on a kernel between diagrams. The parameters that the kernel leaves open and the cost are
/// chosen by a cross-validation inside the training part, among kernel::base_candidates,
/// kernel::rate_candidates and settings.costs. Kernels that are no exponential of a distance are divided by
/// their mean on the diagonal, over the training part.
[[nodiscard]] std::unique_ptr<Learner> make_svm_learner(const SvmSettings& settings,
                                                        const kernel::Kernel& kernel);

/// Two learners side by side, whose probabilities are averaged. `settings.model = "ridge:POOL+mlp"`.
[[nodiscard]] std::unique_ptr<Learner> make_combined_learner(std::unique_ptr<Learner> ridge,
                                                             std::unique_ptr<Learner> network);

}  // namespace perslay::learn
