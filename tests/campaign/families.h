#pragma once

#include "campaign/family.h"

namespace perslay::campaign {

[[nodiscard]] Family extended_persistence();
[[nodiscard]] Family alpha_persistence();
[[nodiscard]] Family distances();
[[nodiscard]] Family layers();
[[nodiscard]] Family layer_gradients();
[[nodiscard]] Family layer_autograd();
[[nodiscard]] Family kernels();

/// All of them; builds without libtorch have no `layer-autograd`.
[[nodiscard]] inline std::vector<Family> families() {
  return {extended_persistence(),
          alpha_persistence(),
          distances(),
          layers(),
          layer_gradients(),
#ifdef PERSLAY_CAMPAIGN_AUTOGRAD
          layer_autograd(),
#endif
          kernels()};
}

}  // namespace perslay::campaign
