#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <perslay/base/quantiles.h>

namespace perslay::features {

/// quantiles[i] = the i/(Q-1)-quantile of the values, Q = quantiles.size(), with linear interpolation between
/// the values in sorted order (the default of numpy.quantile); a single one is the median. All 0 if there are
/// no values. Sorts the values. O(n log n + Q).
inline void quantiles_of(std::span<double> values, std::span<double> quantiles) {
  std::ranges::fill(quantiles, 0);
  if (values.empty()) return;
  std::ranges::sort(values);
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const auto [below, above, part] = base::quantile_place(i, quantiles.size(), values.size());
    quantiles[i] = std::lerp(values[below], values[above], part);
  }
}

}  // namespace perslay::features
