#include "phi_array.h"

#include "evenly.h"
#include "half_circle.h"

#include <algorithm>
#include <cmath>

namespace perslay::layer {
namespace {

using Phi = PointTransform;
using Array = std::vector<double>;

constexpr double smallest_width = 0.05;
constexpr double authors_sharpness = 3;
constexpr double authors_margin = 0.001;
constexpr double first_steepness = 50;
constexpr double first_exponent = 2;

/// The width of Gaussians, one spacing of their centres.
double width_of(const Phi& phi) {
  if (phi.sigma > 0) return phi.sigma;
  const double gap = phi.type == Phi::Type::gaussian_grid
                         ? std::max(spacing(phi.count, 1), spacing(phi.rows, 1))
                         : 1 / std::sqrt(static_cast<double>(phi.count));
  return std::max(smallest_width, gap);
}

double first_sharpness(const Phi& phi, const Start& start) {
  return start.authors && phi.sigma == 0 ? authors_sharpness : sharpness_of(width_of(phi));
}

Array grid_axis(std::size_t count, const Start& start) {
  const double margin = start.authors ? authors_margin : 0;
  return evenly(count, -margin, 1 + margin);
}

}  // namespace

std::vector<std::int64_t> PhiArray::shape(const PointTransform& phi) const {
  const auto count = static_cast<std::int64_t>(phi.count);
  switch (layout) {
    case Layout::single:
      return {1};
    case Layout::each:
    case Layout::along_births:
      return {count};
    case Layout::pairs:
      return {count, 2};
    case Layout::width:
      return {phi.shared_width ? 1 : count};
    case Layout::along_persistences:
      break;
  }
  return {static_cast<std::int64_t>(phi.rows)};
}

std::size_t PhiArray::reads() const noexcept {
  return layout == Layout::pairs || layout == Layout::width ? 2 : 1;
}

std::size_t PhiArray::place(const PointTransform& phi, std::size_t feature, std::size_t i) const noexcept {
  switch (layout) {
    case Layout::single:
      return 0;
    case Layout::each:
      return feature;
    case Layout::pairs:
      return 2 * feature + i;
    case Layout::width:
      return phi.shared_width ? 0 : feature;
    case Layout::along_births:
      return feature / phi.rows;
    case Layout::along_persistences:
      break;
  }
  return feature % phi.rows;
}

constexpr PhiArray PhiArray::samples{"samples", Layout::each,
                                     [](const Phi& phi, const Start&) { return evenly(phi.count, 0, 1); }};

constexpr PhiArray PhiArray::steepness{"steepness", Layout::single,
                                       [](const Phi&, const Start&) { return Array{first_steepness}; }};

constexpr PhiArray PhiArray::centres{"centres", Layout::pairs, [](const Phi& phi, const Start& start) {
                                       return start.uniform(2 * phi.count, 0, 1);
                                     }};

constexpr PhiArray PhiArray::width{"sharpness", Layout::width, [](const Phi& phi, const Start& start) {
                                     return Array(phi.shared_width ? 1 : phi.count,
                                                  first_sharpness(phi, start));
                                   }};

constexpr PhiArray PhiArray::width_per_axis{
    "sharpness", Layout::pairs,
    [](const Phi& phi, const Start& start) { return Array(2 * phi.count, first_sharpness(phi, start)); }};

constexpr PhiArray PhiArray::slope{"sharpness", Layout::pairs, [](const Phi& phi, const Start&) {
                                     return Array(2 * phi.count, 1 / width_of(phi));
                                   }};

constexpr PhiArray PhiArray::exponent{
    "exponent", Layout::each, [](const Phi& phi, const Start&) { return Array(phi.count, first_exponent); }};

// The hat is 0 at half its radius.
constexpr PhiArray PhiArray::radius{
    "radius", Layout::each, [](const Phi& phi, const Start&) { return Array(phi.count, 2 * width_of(phi)); }};

constexpr PhiArray PhiArray::births{"births", Layout::along_births, [](const Phi& phi, const Start& start) {
                                      return grid_axis(phi.count, start);
                                    }};

constexpr PhiArray PhiArray::persistences{
    "persistences", Layout::along_persistences,
    [](const Phi& phi, const Start& start) { return grid_axis(phi.rows, start); }};

constexpr PhiArray PhiArray::directions{"directions", Layout::pairs, [](const Phi& phi, const Start& start) {
                                          return start.authors ? start.uniform(2 * phi.count, 0, 1)
                                                               : half_circle(phi.count);
                                        }};

constexpr PhiArray PhiArray::bias{"bias", Layout::each, [](const Phi& phi, const Start& start) {
                                    return start.authors ? start.uniform(phi.count, 0, 1)
                                                         : Array(phi.count, 0);
                                  }};

}  // namespace perslay::layer
