#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/diagram/diagram_batch.h>

namespace perslay::kernel {

/// The largest magnitude of a coordinate.
inline constexpr double largest_coordinate = 1e150;

/// Throws unless all coordinates are finite and at most largest_coordinate in magnitude.
void check_coordinates(const diagram::DiagramBatch& diagrams);

/// Padding makes the length of arrays that vectors read a multiple of this.
inline constexpr std::size_t lanes = 4;
[[nodiscard]] constexpr std::size_t padded(std::size_t count) { return (count + lanes - 1) / lanes * lanes; }

template <class Number>
[[nodiscard]] std::size_t bytes_of(const std::vector<Number>& values) {
  return values.capacity() * sizeof(Number);
}

/// The points of one diagram for sums of Gaussians exp(-d^2/(2 width^2)) = 2^-d'^2. u is (b + d)/sqrt 2, along
/// the diagonal, and v is (d - b)/sqrt 2, across it, both in the unit that makes the equation true. Points are
/// in ascending order of (u, v). Padding lies where every Gaussian is 0.
struct PlacedPoints {
  std::size_t count = 0;
  std::vector<double> u{}, v{};
  std::vector<double> persistence{};  ///< |d - b|, not scaled; as long as `count`.

  [[nodiscard]] std::size_t padded_count() const noexcept { return u.size(); }
};

[[nodiscard]] inline std::size_t bytes_of(const PlacedPoints& points) {
  return bytes_of(points.u) + bytes_of(points.v) + bytes_of(points.persistence);
}

/// Places the points in O(n log n). Throws if the coordinates are too large for the width.
[[nodiscard]] PlacedPoints place(std::span<const diagram::Point> points, double width);

/// Whether a function of two diagrams takes a before b: the larger diagram comes first, then coordinates decide.
/// With one order the function is symmetric to the last bit.
[[nodiscard]] bool in_order(const PlacedPoints& a, const PlacedPoints& b);

}  // namespace perslay::kernel
