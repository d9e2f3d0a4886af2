#include "gaussian_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace perslay::kernel {
namespace {

constexpr std::size_t terms = SeriesTable::terms;
constexpr double width = SeriesTable::width;
constexpr double reach = 10.5;  // of a source: what is farther away adds less than 2^-104
constexpr double most_cells = 4096;

using Series = std::array<double, terms>;

/// 2^-(x + y)^2 = sum_k s_k y^k: the derivative is -2 log 2 (x + y) times the function, hence
/// (k + 1) s_{k+1} = -2 log 2 (x s_k + s_{k-1}).
Series series_of_gaussian(double x) {
  Series s{};
  s[0] = std::exp2(-x * x);
  double before = 0;
  for (std::size_t k = 0; k + 1 < terms; ++k) {
    s[k + 1] = -2 * std::numbers::ln2 * (x * s[k] + before) / static_cast<double>(k + 1);
    before = s[k];
  }
  return s;
}

std::int64_t cell_of(double u) { return static_cast<std::int64_t>(std::floor(u / width + 0.5)); }
double centre_of(std::int64_t cell) { return static_cast<double>(cell) * width; }

}  // namespace

GaussianLine::GaussianLine(const PointArrays& sources) {
  if (sources.count == 0) return;
  const double low = sources.u[0], high = sources.u[sources.count - 1];
  // Beyond 2^50 cells from 0 there is no telling them apart.
  if ((high - low + 2 * reach) / width > most_cells || std::max(std::abs(low), std::abs(high)) > 1e15) return;
  first_ = cell_of(low - reach);
  cells_ = static_cast<std::size_t>(cell_of(high + reach) - first_) + 1;
  terms_.assign(cells_ * 2 * terms, 0);
  for (std::size_t c = 0; c < cells_; ++c) {
    const double centre = centre_of(first_ + static_cast<std::int64_t>(c));
    double* const target = &terms_[c * 2 * terms];
    const auto* const end = sources.u + sources.count;
    const auto* const begin = std::lower_bound(sources.u, end, centre - reach);
    for (auto q = static_cast<std::size_t>(begin - sources.u);
         q < sources.count && sources.u[q] <= centre + reach; ++q) {
      const auto series = series_of_gaussian(centre - sources.u[q]);
      for (std::size_t k = 0; k < terms; ++k) {
        target[2 * k] += series[k];
        target[2 * k + 1] += sources.weights[q] * series[k];
      }
    }
  }
}

void GaussianLine::evaluate(const PointArrays& sources, const PointArrays& at, FieldSums& sums) const {
  evaluate_series({first_, cells_, terms_.data()}, at, sums.projected.data(), sums.lowered.data());
  const double enough = static_cast<double>(sources.count) / 65536;
  for (std::size_t p = 0; p < at.count; ++p) {
    if (sums.projected[p] >= enough && sums.lowered[p] >= enough) continue;
    const auto here = line_sums(at.u[p], sources);
    sums.projected[p] = here.projected;
    sums.lowered[p] = here.lowered;
  }
}

}  // namespace perslay::kernel
