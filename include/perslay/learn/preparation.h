#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/items.h>
#include <perslay/learn/fitted_features.h>
#include <perslay/learn/settings.h>

namespace perslay::learn {

/// Everything that is fitted before learning, on the training part alone, and stored with the model.
struct Preparation {
  std::vector<diagram::PlaneScale> scales;  ///< One per group of Items; empty if nothing is scaled.
  FittedFeatures features;

  [[nodiscard]] static Preparation fit(const features::Items& items, std::span<const std::size_t> rows,
                                       const Settings& settings, const base::Context& context = {});
};

}  // namespace perslay::learn
