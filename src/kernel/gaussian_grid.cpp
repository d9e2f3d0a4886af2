#include "gaussian_grid.h"

#include "gaussian_sums.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::kernel {
namespace {

constexpr double largest_grid = 1e6;

/// The number of positions of the grid from `low` to `high`. Throws if they do not fit into memory.
std::size_t extent(double low, double high) {
  const double count = high - low + 1;
  if (count > largest_grid)
    throw base::user_error(fmt::format(
        "A grid of {:.3g} points along one axis is too large; the kernel is too narrow for ~grid.", count));
  return static_cast<std::size_t>(count);
}

/// The overlap of [a, a + n) and [b, b + m).
struct Overlap {
  std::int64_t begin = 0;
  std::size_t count = 0;

  Overlap(std::int64_t a, std::size_t n, std::int64_t b, std::size_t m) : begin(std::max(a, b)) {
    const auto end = std::min(a + static_cast<std::int64_t>(n), b + static_cast<std::int64_t>(m));
    if (end > begin) count = static_cast<std::size_t>(end - begin);
  }
};

std::span<const double> part(std::span<const double> values, std::int64_t first, const Overlap& overlap) {
  return values.subspan(static_cast<std::size_t>(overlap.begin - first), overlap.count);
}

}  // namespace

GaussianGrid::GaussianGrid(double tolerance) {
  constexpr double decay = 4 * std::numbers::ln2;  // the product of two bumps is exp(-decay z^2)
  spacing_ = std::numbers::pi / std::sqrt(decay * std::log(2 / tolerance));
  const double reach = std::sqrt(std::log2(1 / tolerance) / 2);
  support_ = static_cast<std::size_t>(std::ceil(2 * reach / spacing_)) + 1;
  factor_ = std::sqrt(spacing_ / std::sqrt(std::numbers::pi / decay));
}

std::int64_t GaussianGrid::bumps(double x, double* values) const {
  const double centre = x / spacing_;
  if (std::abs(centre) > 1e15)
    throw base::user_error(fmt::format(
        "A coordinate of {:.3g} widths is too far out for ~grid; the kernel is too narrow.", std::abs(x)));
  const auto first = static_cast<std::int64_t>(std::ceil(centre - static_cast<double>(support_) / 2));
  for (std::size_t k = 0; k < support_; ++k) {
    const double distance = (static_cast<double>(first) + static_cast<double>(k) - centre) * spacing_;
    values[k] = factor_ * std::exp2(-2 * distance * distance);
  }
  return first;
}

GridStencils stencils(const GaussianGrid& grid, const PlacedPoints& points) {
  GridStencils made;
  made.support = grid.support();
  made.u.resize(points.count * made.support);
  made.v.resize(points.count * made.support);
  for (std::size_t p = 0; p < points.count; ++p) {
    made.first_u.push_back(grid.bumps(points.u[p], &made.u[p * made.support]));
    made.first_v.push_back(grid.bumps(points.v[p], &made.v[p * made.support]));
  }
  return made;
}

GridField grid_field(const GaussianGrid& grid, const PlacedPoints& points, std::span<const double> weights) {
  GridField field;
  if (points.count == 0) return field;
  const auto at = stencils(grid, points);
  const auto support = at.support;
  const auto [low_u, high_u] = std::ranges::minmax(at.first_u);
  const auto [low_v, high_v] = std::ranges::minmax(at.first_v);
  field.first_u = low_u;
  field.first_v = low_v;
  field.rows = extent(static_cast<double>(low_u), static_cast<double>(high_u)) + support - 1;
  field.columns = extent(static_cast<double>(low_v), static_cast<double>(high_v)) + support - 1;
  if (static_cast<double>(field.rows) * static_cast<double>(field.columns) > largest_grid)
    throw base::user_error(
        fmt::format("A grid of {} x {} points is too large; the kernel is too narrow for ~grid.", field.rows,
                    field.columns));
  field.values.resize(field.rows * field.columns);
  for (std::size_t p = 0; p < points.count; ++p) {
    const auto row = static_cast<std::size_t>(at.first_u[p] - low_u);
    const auto column = static_cast<std::size_t>(at.first_v[p] - low_v);
    for (std::size_t i = 0; i < support; ++i) {
      const double along = weights[p] * at.u[p * support + i];
      double* const target = &field.values[(row + i) * field.columns + column];
      for (std::size_t k = 0; k < support; ++k) target[k] += along * at.v[p * support + k];
    }
  }
  return field;
}

double inner_product(const GridField& f, const GridField& g) {
  const Overlap u(f.first_u, f.rows, g.first_u, g.rows), v(f.first_v, f.columns, g.first_v, g.columns);
  if (v.count == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < u.count; ++i) {
    const auto z = u.begin + static_cast<std::int64_t>(i);
    const auto row = [&](const GridField& field) {
      const auto r = static_cast<std::size_t>(z - field.first_u);
      return part(std::span(field.values).subspan(r * field.columns, field.columns), field.first_v, v);
    };
    sum += dot(row(f), row(g));
  }
  return sum;
}

double evaluate(const GridField& field, const GridStencils& at, std::size_t point) {
  const auto support = at.support;
  const Overlap u(field.first_u, field.rows, at.first_u[point], support);
  const Overlap v(field.first_v, field.columns, at.first_v[point], support);
  if (u.count == 0 || v.count == 0) return 0;
  const auto place = [](std::int64_t position, std::int64_t first) {
    return static_cast<std::size_t>(position - first);
  };
  const auto corner = place(u.begin, field.first_u) * field.columns + place(v.begin, field.first_v);
  return stencil_sum(&field.values[corner], field.columns,
                     &at.u[point * support + place(u.begin, at.first_u[point])], u.count,
                     &at.v[point * support + place(v.begin, at.first_v[point])], v.count);
}

GridLine grid_line(const GaussianGrid& grid, const PlacedPoints& points, std::span<const double> weights) {
  GridLine line;
  if (points.count == 0) return line;
  std::vector<double> bump(grid.support());
  // Points are sorted by u.
  line.first = grid.bumps(points.u[0], bump.data());
  const auto last = grid.bumps(points.u[points.count - 1], bump.data());
  line.values.resize(extent(static_cast<double>(line.first), static_cast<double>(last)) + grid.support() - 1);
  for (std::size_t p = 0; p < points.count; ++p) {
    const auto place = static_cast<std::size_t>(grid.bumps(points.u[p], bump.data()) - line.first);
    for (std::size_t k = 0; k < bump.size(); ++k) line.values[place + k] += weights[p] * bump[k];
  }
  return line;
}

double evaluate(const GridLine& field, const GridStencils& at, std::size_t point) {
  const Overlap u(field.first, field.values.size(), at.first_u[point], at.support);
  if (u.count == 0) return 0;
  return dot(part(field.values, field.first, u),
             part(std::span(at.u).subspan(point * at.support, at.support), at.first_u[point], u));
}

}  // namespace perslay::kernel
