#include "ridge_candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace perslay::learn {

PoolKernels::PoolKernels(const RidgePool& pool) : blocks(blocks_of(pool)) {
  for (const auto& names : pool.kernels) {
    auto& places = kernels.emplace_back();
    for (const auto& name : names)
      places.push_back(static_cast<std::size_t>(
          std::ranges::find(blocks, name, &features::KernelBlock::name) - blocks.begin()));
  }
}

void Candidate::judge(std::span<const int> labels, std::span<const double> targets,
                      std::span<const double> scores) {
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

bool Candidate::better_than(const Candidate& other) const {
  return std::tuple(-accuracy, error, place) < std::tuple(-other.accuracy, other.error, other.place);
}

std::vector<Candidate> all_candidates(const RidgeSettings& settings, const RidgePool& pool) {
  std::vector<Candidate> all;
  for (std::size_t kernel = 0; kernel < pool.kernels.size(); ++kernel)
    for (const double gamma : settings.gammas)
      for (const double lambda : settings.lambdas) all.push_back({all.size(), kernel, gamma, lambda});
  return all;
}

std::vector<double> targets_of(std::span<const int> labels, std::size_t classes) {
  std::vector<double> targets(labels.size() * classes, -1);
  for (std::size_t i = 0; i < labels.size(); ++i)
    targets[i * classes + static_cast<std::size_t>(labels[i])] = 1;
  return targets;
}

double mean_distance(std::span<const double> distances, std::size_t count) {
  const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
  const double mean = count > 1 ? sum / (static_cast<double>(count) * static_cast<double>(count - 1)) : 0;
  return mean > 0 ? mean : 1;
}

void to_kernel(std::span<double> distances, double gamma) {
  for (double& value : distances) value = std::exp(-gamma * value);
}

void to_probabilities(std::span<const double> sums, std::size_t members, float* out) {
  const double factor = 2.0 / static_cast<double>(members);
  const double highest = *std::ranges::max_element(sums);
  double sum = 0;
  for (const double score : sums) sum += std::exp(factor * (score - highest));
  for (std::size_t c = 0; c < sums.size(); ++c)
    out[c] = static_cast<float>(std::exp(factor * (sums[c] - highest)) / sum);
}

}  // namespace perslay::learn
