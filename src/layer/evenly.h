#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace perslay::layer {

/// `count` evenly spaced numbers from `low` to `high`, both included. A single one lies in the middle.
[[nodiscard]] inline std::vector<double> evenly(std::size_t count, double low, double high) {
  if (count == 1) return {std::midpoint(low, high)};
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = std::lerp(low, high, static_cast<double>(i) / static_cast<double>(count - 1));
  return numbers;
}

/// The distance of `count` such numbers over an interval; its whole length if there is only one.
[[nodiscard]] inline double spacing(std::size_t count, double length) {
  return count == 1 ? length : length / static_cast<double>(count - 1);
}

}  // namespace perslay::layer
