#pragma once

#include "placed_points.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perslay::kernel {

/// The Gaussian 2^-(x - y)^2 as a sum over the points z of the grid of spacing h (the same for all diagrams,
/// through 0): c sum_z 2^-2(x - z)^2 2^-2(z - y)^2, the trapezoidal rule for the integral over z. Its
/// relative error is 2 exp(-pi^2/(4 h^2 log 2)), and bumps are cut off where they fall below the tolerance.
/// In the plane, the product of two of them.
class GaussianGrid {
 public:
  explicit GaussianGrid(double tolerance);

  /// How many points of the grid, with bumps, stand for a coordinate.
  [[nodiscard]] std::size_t support() const noexcept { return support_; }

  /// The first of these points for coordinate x; writes the values of the bumps, sqrt(c) included.
  std::int64_t bumps(double x, double* values) const;

 private:
  double spacing_ = 0;
  std::size_t support_ = 0;
  double factor_ = 0;
};

/// sum_p w_p (bump of p) for one diagram, on the rectangle of the grid that it touches, row by row along u.
struct GridField {
  std::int64_t first_u = 0, first_v = 0;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
};

[[nodiscard]] inline std::size_t bytes_of(const GridField& field) { return bytes_of(field.values); }

/// `weights` is as long as the points are. Throws if the rectangle has more than `largest` points, which
/// happens where Gaussians are narrow.
[[nodiscard]] GridField grid_field(const GaussianGrid& grid, const PlacedPoints& points,
                                   std::span<const double> weights);

/// sum_z f(z) g(z) over the rectangle that both have: sum_{p,q} w_p w_q 2^-|p - q|^2.
[[nodiscard]] double inner_product(const GridField& f, const GridField& g);

/// What the bumps of each point of a diagram look like, to evaluate fields there.
struct GridStencils {
  std::size_t support = 0;
  std::vector<std::int64_t> first_u, first_v;
  std::vector<double> u, v;  ///< `support` numbers for each point.
};
[[nodiscard]] GridStencils stencils(const GaussianGrid& grid, const PlacedPoints& points);

/// The field at the point: sum_q w_q 2^-|p - q|^2.
[[nodiscard]] double evaluate(const GridField& field, const GridStencils& at, std::size_t point);

/// A field on a line, `values` from `first` on, and its value at the u of a point.
struct GridLine {
  std::int64_t first = 0;
  std::vector<double> values;
};
[[nodiscard]] GridLine grid_line(const GaussianGrid& grid, const PlacedPoints& points,
                                 std::span<const double> weights);
[[nodiscard]] double evaluate(const GridLine& field, const GridStencils& at, std::size_t point);

}  // namespace perslay::kernel
