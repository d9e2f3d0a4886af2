#include "ridge_cost.h"

#include <algorithm>
#include <cmath>

namespace perslay::learn {
namespace {

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

}  // namespace

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

Cost cost_of_shared_ridge(const RidgeSettings& settings, const RidgePool& pool, std::size_t items,
                          const Protocol& protocol, int threads) {
  const auto n = static_cast<double>(items);
  const double tested = protocol.type == Protocol::Type::k_fold ? n / static_cast<double>(protocol.folds)
                                                                : n * protocol.test_fraction;
  const double splits = static_cast<double>(protocol.parts() * protocol.repeats);
  const double operations = candidates(settings, pool) * (2 * std::pow(n, 3) + operations_of_kernel(n) +
                                                          splits * (2 * tested * tested * n + 60 * n * n));
  return {operations / operations_per_second, number * (1 + threads) * n * n + n * feature_bytes};
}

}  // namespace perslay::learn
