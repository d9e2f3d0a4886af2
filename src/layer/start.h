#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
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

/// The s of exp(-s^2 x^2) for a Gaussian of width sigma.
[[nodiscard]] inline double sharpness_of(double sigma) { return 1 / (std::numbers::sqrt2 * sigma); }

}  // namespace perslay::layer
