#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace perslay::features {

/// quantiles[i] = the i/(Q-1)-quantile of the values, Q = quantiles.size(), with linear interpolation between
/// the values in sorted order (the default of numpy.quantile); a single one is the median. All 0 if there are
/// no values. Sorts the values. O(n log n + Q).
inline void quantiles_of(std::span<double> values, std::span<double> quantiles) {
  std::ranges::fill(quantiles, 0);
  if (values.empty()) return;
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  const auto steps = static_cast<double>(quantiles.size() - 1);
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const double place = steps == 0 ? last / 2 : static_cast<double>(i) * last / steps;
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, values.size() - 1);
    quantiles[i] = std::lerp(values[below], values[above], place - std::floor(place));
  }
}

}  // namespace perslay::features
