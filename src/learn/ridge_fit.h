#pragma once

#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {

/// Kernel ridge on one training part; nothing else is looked at.
[[nodiscard]] Fit fit_ridge(const RidgeSettings& settings, const RidgePool& pool, const Part& part,
                            const FitOptions& options, const base::Context& context);

}  // namespace perslay::learn
