#pragma once

#include "campaign/family.h"

namespace perslay::campaign {

[[nodiscard]] Family extended_persistence();
[[nodiscard]] Family alpha_persistence();
[[nodiscard]] Family distances();
[[nodiscard]] Family layers();
[[nodiscard]] Family layer_gradients();
[[nodiscard]] Family kernels();

/// All of them.
[[nodiscard]] inline std::vector<Family> families() {
  return {extended_persistence(), alpha_persistence(), distances(), layers(), layer_gradients(), kernels()};
}

}  // namespace perslay::campaign
