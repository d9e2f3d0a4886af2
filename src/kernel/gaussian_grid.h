#pragma once

#include "placed_points.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perslay::kernel {

/// The Gaussian 2^-(x - y)^2 as a sum over the points z of a grid: c sum_z 2^-2(x - z)^2 2^-2(z - y)^2. The grid
/// has the spacing h and contains 0; it is the same for all diagrams. The sum is the trapezoidal rule for the
/// integral over z, with a relative error of 2 exp(-pi^2/(4 h^2 log 2)). Bumps end where they fall below the
/// tolerance. A Gaussian in the plane is the product of two such sums.
class GaussianGrid {
 public:
  explicit GaussianGrid(double tolerance);

  /// The number of grid points, each with a bump, that stand for a coordinate.
  [[nodiscard]] std::size_t support() const noexcept { return support_; }

  /// Writes the values of the bumps for coordinate x, times sqrt(c), and returns the first grid point.
  std::int64_t bumps(double x, double* values) const;

 private:
  double spacing_ = 0;
  std::size_t support_ = 0;
  double factor_ = 0;
};

/// The sum over p of w_p (bump of p) for one diagram, on the rectangle of the grid that the bumps touch, row by
/// row along u.
struct GridField {
  std::int64_t first_u = 0, first_v = 0;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
};

[[nodiscard]] inline std::size_t bytes_of(const GridField& field) { return bytes_of(field.values); }

/// Makes the field; `weights` has one number per point. Throws if the rectangle has more than a million points,
/// which happens where Gaussians are narrow.
[[nodiscard]] GridField grid_field(const GaussianGrid& grid, const PlacedPoints& points,
                                   std::span<const double> weights);

/// The sum of f(z) g(z) over the rectangle that both have, which is sum_{p,q} w_p w_q 2^-|p - q|^2.
[[nodiscard]] double inner_product(const GridField& f, const GridField& g);

/// The bumps of each point of a diagram, which evaluate fields there.
struct GridStencils {
  std::size_t support = 0;
  std::vector<std::int64_t> first_u, first_v;
  std::vector<double> u, v;  ///< `support` numbers for each point.
};
[[nodiscard]] GridStencils stencils(const GaussianGrid& grid, const PlacedPoints& points);

/// The field at the point p, which is sum_q w_q 2^-|p - q|^2.
[[nodiscard]] double evaluate(const GridField& field, const GridStencils& at, std::size_t point);

/// A field on a line: `values` from the grid point `first` on. evaluate() gives its value at the u of a point.
struct GridLine {
  std::int64_t first = 0;
  std::vector<double> values;
};
[[nodiscard]] GridLine grid_line(const GaussianGrid& grid, const PlacedPoints& points,
                                 std::span<const double> weights);
[[nodiscard]] double evaluate(const GridLine& field, const GridStencils& at, std::size_t point);

}  // namespace perslay::kernel
