#include "gaussian_grid.h"
#include "gaussian_sums.h"
#include "pairwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace perslay::kernel {
namespace {

// ---- sums along the diagonal

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

/// The two sums along the diagonal of FieldSums, sum_q 2^-(u - u_q)^2 and sum_q a_q 2^-(u - u_q)^2, as
/// functions of u: Taylor series around the centres of cells of width 1/2. With sixteen terms the error is
/// below 1e-15 times the sum of the square roots of the Gaussians (Cramer's bound on Hermite functions). So
/// sums of at least 1/65536 of the number of sources have a relative error of a few 1e-13 at most; smaller
/// ones are computed term by term.
///
/// Making one costs O(n + cells * sources within reach), evaluating it about ten nanoseconds.
class GaussianLine {
 public:
  GaussianLine() = default;
  explicit GaussianLine(const PointArrays& sources) {
    if (sources.count == 0) return;
    const double low = sources.u[0], high = sources.u[sources.count - 1];
    // Beyond 2^50 cells from 0 there is no telling them apart.
    if ((high - low + 2 * reach) / width > most_cells || std::max(std::abs(low), std::abs(high)) > 1e15)
      return;
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

  /// Writes `projected` and `lowered` of `sums` at the points `at`; `sources` are those it was made of.
  void evaluate(const PointArrays& sources, const PointArrays& at, FieldSums& sums) const {
    evaluate_series({first_, cells_, terms_.data()}, at, sums.projected.data(), sums.lowered.data());
    const double enough = static_cast<double>(sources.count) / 65536;
    for (std::size_t p = 0; p < at.count; ++p) {
      if (sums.projected[p] >= enough && sums.lowered[p] >= enough) continue;
      const auto here = line_sums(at.u[p], sources);
      sums.projected[p] = here.projected;
      sums.lowered[p] = here.lowered;
    }
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_of(terms_); }

 private:
  std::int64_t first_ = 0;  ///< The first cell; cell c is centred at c/2.
  std::size_t cells_ = 0;   ///< 0 if Gaussians are so narrow that series do not pay.
  std::vector<double> terms_;
};

// ---- the distance

/// A diagram with all that depends on its own points alone.
struct FisherDiagram {
  PlacedPoints points;
  std::vector<double> lowering;  ///< 2^-v^2, the height on the diagonal of a Gaussian at the point.
  FieldSums own;                 ///< The diagram's fields on itself.
  GaussianLine line;             ///< Its fields along the diagonal.
  // The next are for ~grid only: its fields everywhere, and the places of its points.
  GridField direct;
  GridLine projected, lowered;
  GridStencils stencils;

  [[nodiscard]] PointArrays arrays() const {
    return {points.count, points.padded_count(), points.u.data(), points.v.data(), lowering.data()};
  }
};

std::size_t bytes_of(const FisherDiagram& made) {
  const auto& [points, lowering, own, line, direct, projected, lowered, stencils] = made;
  std::size_t sum = kernel::bytes_of(points) + line.bytes();
  for (const auto* values : {&lowering, &own.direct, &own.projected, &own.lowered, &direct.values,
                             &projected.values, &lowered.values, &stencils.u, &stencils.v})
    sum += kernel::bytes_of(*values);
  return sum + kernel::bytes_of(stencils.first_u) + kernel::bytes_of(stencils.first_v);
}

struct FisherScratch final : Pairwise::Scratch {
  FieldSums on_f, on_g;
  std::vector<double> density_f, density_g;
};

/// Writes, for every point of F and then for its projection, the density of F + G0 to `own` and that of G + F0
/// to `other`; `from_g` holds the fields of G on F.
void write_densities(const FisherDiagram& f, const FieldSums& from_g, double* own, double* other) {
  const std::size_t count = f.points.count;
  for (std::size_t p = 0; p < count; ++p) {
    own[p] = f.own.direct[p] + f.lowering[p] * from_g.projected[p];
    other[p] = from_g.direct[p] + f.lowering[p] * f.own.projected[p];
    own[count + p] = f.own.lowered[p] + from_g.projected[p];
    other[count + p] = from_g.lowered[p] + f.own.projected[p];
  }
}

/// The angle between the unit vectors sqrt(f/|f|) and sqrt(g/|g|). It is twice the arc sine of half their
/// distance; the arc cosine of their inner product would lose half of the digits of small angles.
double angle(std::span<const double> f, std::span<const double> g) {
  return 2 * std::asin(std::min(1.0, std::sqrt(root_distance(f, g)) / 2));
}

class FisherDistance final : public PreparedPairwise<FisherDiagram> {
 public:
  explicit FisherDistance(const Kernel& kernel) : width_(kernel.sigma) {
    if (kernel.tolerance > 0) grid_.emplace(kernel.tolerance);
  }

  [[nodiscard]] std::unique_ptr<Scratch> scratch() const override {
    return std::make_unique<FisherScratch>();
  }

 private:
  [[nodiscard]] double compare(const FisherDiagram& one, const FisherDiagram& other,
                               Scratch& scratch) const override {
    const auto *f = &one, *g = &other;
    if (f->points.count + g->points.count == 0) return 0;
    if (!in_order(f->points, g->points)) std::swap(f, g);
    auto& [on_f, on_g, density_f, density_g] = static_cast<FisherScratch&>(scratch);
    mutual_fields(*f, *g, on_f, on_g);
    density_f.resize(2 * (f->points.count + g->points.count));
    density_g.resize(density_f.size());
    const std::size_t middle = 2 * f->points.count;
    write_densities(*f, on_f, density_f.data(), density_g.data());
    write_densities(*g, on_g, density_g.data() + middle, density_f.data() + middle);
    return angle(density_f, density_g);
  }

  [[nodiscard]] FisherDiagram prepare_one(std::span<const diagram::Point> diagram) const override {
    FisherDiagram made;
    made.points = place(diagram, width_);
    made.lowering.assign(made.points.padded_count(), 0);
    for (std::size_t p = 0; p < made.points.count; ++p)
      made.lowering[p] = std::exp2(-made.points.v[p] * made.points.v[p]);
    if (grid_) {
      const std::vector<double> ones(made.points.count, 1);
      made.direct = grid_field(*grid_, made.points, ones);
      made.projected = grid_line(*grid_, made.points, ones);
      made.lowered = grid_line(*grid_, made.points, made.lowering);
      made.stencils = stencils(*grid_, made.points);
      grid_fields(made, made, made.own);
    } else {
      const auto arrays = made.arrays();
      made.line = GaussianLine(arrays);
      made.own.reset(made.points.padded_count());
      std::vector<double> unused(made.points.padded_count());
      direct_sums(arrays, arrays, made.own.direct.data(), unused.data());
      made.line.evaluate(arrays, arrays, made.own);
    }
    return made;
  }

  /// The fields of `source` on the points of `target`.
  static void grid_fields(const FisherDiagram& source, const FisherDiagram& target, FieldSums& sums) {
    sums.reset(target.points.count);
    for (std::size_t p = 0; p < target.points.count; ++p) {
      sums.direct[p] = evaluate(source.direct, target.stencils, p);
      sums.projected[p] = evaluate(source.projected, target.stencils, p);
      sums.lowered[p] = evaluate(source.lowered, target.stencils, p);
    }
  }

  void mutual_fields(const FisherDiagram& f, const FisherDiagram& g, FieldSums& on_f, FieldSums& on_g) const {
    if (grid_) {
      grid_fields(g, f, on_f);
      grid_fields(f, g, on_g);
    } else {
      const auto points_f = f.arrays(), points_g = g.arrays();
      on_f.reset(points_f.padded);
      on_g.reset(points_g.padded);
      direct_sums(points_f, points_g, on_f.direct.data(), on_g.direct.data());
      g.line.evaluate(points_g, points_f, on_f);
      f.line.evaluate(points_f, points_g, on_g);
    }
  }

  double width_;
  std::optional<GaussianGrid> grid_;
};

}  // namespace

std::unique_ptr<Pairwise> fisher_distance_of(const Kernel& kernel) {
  return std::make_unique<FisherDistance>(kernel);
}

}  // namespace perslay::kernel
