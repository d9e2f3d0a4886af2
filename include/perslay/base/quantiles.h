#pragma once

#include <algorithm>
#include <cstddef>

namespace perslay::base {

/// Between which two of sorted values a quantile lies, and which part of the way.
struct QuantilePlace {
  std::size_t below = 0, above = 0;
  double part = 0;
};

/// The place of the i/(count-1)-quantile of `values` numbers, at least one, with linear interpolation (the default of
/// numpy.quantile); a single quantile is the median.
inline QuantilePlace quantile_place(std::size_t i, std::size_t count, std::size_t values) {
  const auto last = static_cast<double>(values - 1);
  const auto steps = static_cast<double>(count - 1);
  const double place = steps == 0 ? last / 2 : static_cast<double>(i) * last / steps;
  const auto below = static_cast<std::size_t>(place);
  return {below, std::min(below + 1, values - 1), place - static_cast<double>(below)};
}

}  // namespace perslay::base
