#pragma once

#include <cstddef>

#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {

/// Of fit_ridge on so many items.
[[nodiscard]] Cost cost_of_ridge(const RidgeSettings& settings, const RidgePool& pool, std::size_t items);

/// Of SharedRidge for so many splits, each of which tests a part of the items.
[[nodiscard]] Cost cost_of_shared_ridge(const RidgeSettings& settings, const RidgePool& pool,
                                        std::size_t items, const Protocol& protocol, int threads);

}  // namespace perslay::learn
