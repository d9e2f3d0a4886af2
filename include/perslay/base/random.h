#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace perslay::base {

/// A bijective mixing of 64 bits (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// One random stream for each (seed, item), so that results depend neither on the order in which items are
/// made nor on the number of threads. The generator is SplitMix64. The distributions are ours, because those of
/// the standard library differ between implementations. Also a standard uniform random bit generator.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  explicit RandomStream(std::uint64_t seed, std::uint64_t item = 0) noexcept
      : state_(mix_bits(seed + golden) ^ mix_bits(~item * golden)) {}

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
  result_type operator()() noexcept { return mix_bits(state_ += golden); }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() noexcept { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
  double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

  /// Uniform in {0, ..., bound - 1}, without bias; bound must be positive.
  std::uint64_t below(std::uint64_t bound) noexcept {
    const std::uint64_t reject = (max() - bound + 1) % bound;
    std::uint64_t bits = (*this)();
    while (bits < reject) bits = (*this)();
    return bits % bound;
  }

  /// Standard normal, by the method of Box and Muller.
  double normal() noexcept {
    const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
  std::uint64_t state_;
};

}  // namespace perslay::base
