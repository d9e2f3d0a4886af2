#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/features/kernel_blocks.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {

/// The kernels of a pool by the places of their blocks.
struct PoolKernels {
  std::vector<features::KernelBlock> blocks;
  std::vector<std::vector<std::size_t>> kernels;

  explicit PoolKernels(const RidgePool& pool);
};

/// A kernel of the pool, gamma and lambda, and how well they do for items that they did not learn from.
struct Candidate {
  std::size_t place = 0;  ///< Among all candidates.
  std::size_t kernel = 0;
  double gamma = 0, lambda = 0;
  double accuracy = 0;
  double error = 0;  ///< Mean squared.

  /// What the scores of items, [item][class], are worth.
  void judge(std::span<const int> labels, std::span<const double> targets, std::span<const double> scores);

  /// More right, then a smaller error, then the place.
  [[nodiscard]] bool better_than(const Candidate& other) const;

  [[nodiscard]] Epoch report() const { return {0, place, error, accuracy}; }
};

/// All of them, kernel by kernel, gamma by gamma.
[[nodiscard]] std::vector<Candidate> all_candidates(const RidgeSettings& settings, const RidgePool& pool);

/// 1 for the class of an item, -1 for the others, [item][class].
[[nodiscard]] std::vector<double> targets_of(std::span<const int> labels, std::size_t classes);

/// The mean over pairs of different items; 1 if it is 0.
[[nodiscard]] double mean_distance(std::span<const double> distances, std::size_t count);

/// exp(-gamma distances), in place.
void to_kernel(std::span<double> distances, double gamma);

/// The softmax of twice the mean score: for two classes the logistic function of their difference. Not
/// calibrated. `sums` are scores of one item, added up over `members`.
void to_probabilities(std::span<const double> sums, std::size_t members, float* out);

}  // namespace perslay::learn
