#include "quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perslay::features {

void quantiles_of(std::span<double> values, std::span<double> quantiles) {
  if (values.empty()) {
    std::ranges::fill(quantiles, 0);
    return;
  }
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
