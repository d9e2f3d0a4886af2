#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

namespace perslay::layer {

/// What the first values of a trainable array depend on besides its φ or weight.
struct Start {
  bool authors = false;  ///< As the authors of the paper start; otherwise `ours`.
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  ///< Every array draws from a random stream of its own.

  /// Numbers in [low, high).
  [[nodiscard]] std::vector<double> uniform(std::size_t count, double low, double high) const;
};

/// The least width that a name may give a Gaussian: the square of its sharpness is still a double.
inline constexpr double smallest_sigma = 1e-150;

/// The s of exp(-s^2 x^2) for a Gaussian of width sigma.
[[nodiscard]] inline double sharpness_of(double sigma) { return 1 / (std::numbers::sqrt2 * sigma); }

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

/// Unit vectors x, y, x, y, ... at the angles -pi/2 + i pi/count.
[[nodiscard]] inline std::vector<double> half_circle(std::size_t count) {
  std::vector<double> directions;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = std::numbers::pi * (static_cast<double>(i) / static_cast<double>(count) - 0.5);
    directions.push_back(std::cos(angle));
    directions.push_back(std::sin(angle));
  }
  return directions;
}

}  // namespace perslay::layer
