#pragma once

#include <span>

namespace perslay::features {

/// quantiles[i] = the i/(Q-1)-quantile of the values, Q = quantiles.size(), with linear interpolation between
/// the values in sorted order (the default of numpy.quantile); a single one is the median. All 0 if there are
/// no values. Sorts the values. O(n log n + Q).
void quantiles_of(std::span<double> values, std::span<double> quantiles);

}  // namespace perslay::features
