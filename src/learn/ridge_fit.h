#pragma once

#include "ridge_memory.h"

#include <perslay/learn/learner.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {

/// Kernel ridge on one training part; nothing else is looked at. What `memory` knows is not computed again.
[[nodiscard]] Fit fit_ridge(const RidgeSettings& settings, const RidgePool& pool, const Part& part,
                            const FitOptions& options, RidgeMemory& memory, const base::Context& context);

}  // namespace perslay::learn
