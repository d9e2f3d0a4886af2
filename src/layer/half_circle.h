#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace perslay::layer {

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
