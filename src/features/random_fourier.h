#pragma once

#include <cstddef>
#include <span>

#include <hwy/aligned_allocator.h>

namespace perslay::features {

/// Random Fourier features (Rahimi and Recht 2007): numbers of a point whose inner products approximate the
/// Gaussian exp(-|x - y|^2 / (2 sigma^2)). There are N/2 frequencies w, each from the normal distribution of
/// deviation 1/sigma, and the numbers are sqrt(2/N) cos(w x) for all of them, then sqrt(2/N) sin(w x).
/// Frequency j comes from the random stream (bits of sigma, j), so the features are the same everywhere.
class RandomFourier {
 public:
  /// `numbers` is even.
  RandomFourier(std::size_t dimension, std::size_t numbers, double sigma);

  [[nodiscard]] std::size_t numbers() const noexcept { return 2 * frequencies_; }

  /// sums = the weighted sum of the features of points, which are stored one after the other. Thread-safe;
  /// instruction set chosen at run time.
  void sum(std::span<const double> points, std::span<const double> weights, std::span<double> sums) const;

 private:
  std::size_t dimension_, frequencies_;
  std::size_t stride_;                         // frequencies, filled up to whole vectors
  hwy::AlignedFreeUniquePtr<double[]> turns_;  // w / (2 pi), coordinate by coordinate
};

}  // namespace perslay::features
