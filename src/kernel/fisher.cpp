#include "gaussian_grid.h"
#include "gaussian_line.h"
#include "gaussian_sums.h"
#include "pairwise.h"
#include "placed_points.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <perslay/base/parallel.h>

namespace perslay::kernel {
namespace {

using diagram::DiagramBatch;
using kernel::bytes_of;

/// A diagram with what its own points contribute to any density.
struct FisherDiagram {
  PlacedPoints points;
  std::vector<double> lowering;  ///< 2^-v^2: a Gaussian at the point is so much lower on the diagonal.
  FieldSums own;                 ///< The diagram's fields on itself.
  GaussianLine line;             ///< Its fields along the diagonal.
  // For ~grid only: its fields everywhere, and where its points are.
  GridField direct;
  GridLine projected, lowered;
  GridStencils stencils;

  [[nodiscard]] PointArrays arrays() const {
    return {points.count, points.padded_count(), points.u.data(), points.v.data(), lowering.data()};
  }
};

std::size_t bytes_of(const FisherDiagram& made) {
  const auto& [points, lowering, own, line, direct, projected, lowered, stencils] = made;
  return sizeof(made) + bytes_of(points) + bytes_of(lowering) + bytes_of(own.direct) +
         bytes_of(own.projected) + bytes_of(own.lowered) + line.bytes() + bytes_of(direct.values) +
         bytes_of(projected.values) + bytes_of(lowered.values) + bytes_of(stencils.first_u) +
         bytes_of(stencils.first_v) + bytes_of(stencils.u) + bytes_of(stencils.v);
}

struct FisherSide final : Pairwise::Side {
  std::vector<FisherDiagram> diagrams;

  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = 0;
    for (const auto& diagram : diagrams) sum += bytes_of(diagram);
    return sum;
  }
};

struct FisherScratch final : Pairwise::Scratch {
  FieldSums on_f, on_g;
  std::vector<double> density_f, density_g;
};

/// For every point of F and then for its projection, the density of F + G0 to `own` and that of G + F0 to
/// `other`; `from_g` are the fields of G on F.
void write_densities(const FisherDiagram& f, const FieldSums& from_g, double* own, double* other) {
  const std::size_t count = f.points.count;
  for (std::size_t p = 0; p < count; ++p) {
    own[p] = f.own.direct[p] + f.lowering[p] * from_g.projected[p];
    other[p] = from_g.direct[p] + f.lowering[p] * f.own.projected[p];
    own[count + p] = f.own.lowered[p] + from_g.projected[p];
    other[count + p] = from_g.lowered[p] + f.own.projected[p];
  }
}

/// The angle between the unit vectors sqrt(f/|f|) and sqrt(g/|g|). As twice the arc sine of half their
/// distance, since the arc cosine of their inner product would lose half of the digits of small angles.
double angle(std::span<const double> f, std::span<const double> g) {
  return 2 * std::asin(std::min(1.0, std::sqrt(root_distance(f, g)) / 2));
}

class FisherDistance final : public Pairwise {
 public:
  explicit FisherDistance(const Kernel& kernel) : width_(kernel.sigma) {
    if (kernel.tolerance > 0) grid_.emplace(kernel.tolerance);
  }

  [[nodiscard]] std::unique_ptr<Side> prepare(const DiagramBatch& batch,
                                              const base::Context& context) const override {
    auto side = std::make_unique<FisherSide>();
    side->diagrams.resize(batch.size());
    base::parallel_for(
        context, "preparing diagrams", batch.size(), [] { return std::make_unique<FisherScratch>(); },
        [&](std::size_t i, const std::unique_ptr<FisherScratch>& memory) {
          prepare_one(batch[i], side->diagrams[i], memory->density_f);
        });
    return side;
  }

  [[nodiscard]] std::unique_ptr<Scratch> scratch() const override {
    return std::make_unique<FisherScratch>();
  }

  [[nodiscard]] double value(const Side& rows, std::size_t i, const Side& columns, std::size_t j,
                             Scratch& scratch) const override {
    const auto* f = &static_cast<const FisherSide&>(rows).diagrams[i];
    const auto* g = &static_cast<const FisherSide&>(columns).diagrams[j];
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

 private:
  void prepare_one(std::span<const diagram::Point> diagram, FisherDiagram& made,
                   std::vector<double>& unused) const {
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
      unused.assign(made.points.padded_count(), 0);
      direct_sums(arrays, arrays, made.own.direct.data(), unused.data());
      made.line.evaluate(arrays, arrays, made.own);
    }
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
