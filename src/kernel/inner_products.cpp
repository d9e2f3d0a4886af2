#include "gaussian_grid.h"
#include "gaussian_sums.h"
#include "pairwise.h"
#include "placed_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <perslay/base/parallel.h>

namespace perslay::kernel {
namespace {

using Type = Kernel::Type;
using diagram::DiagramBatch;
using kernel::bytes_of;

/// A diagram as a signed measure on the plane: what scale_space and weighted_* make of it. In the first, a
/// point below the diagonal is its mirror image with the opposite sign, and so v is at least 0.
struct WeightedPoints {
  PlacedPoints points;
  std::vector<double> weights;  ///< 0 on padding.

  [[nodiscard]] PointArrays arrays() const {
    return {points.count, points.padded_count(), points.u.data(), points.v.data(), weights.data()};
  }
};

/// The width of the Gaussian exp(-d^2/(2 width^2)).
double width_of(const Kernel& kernel) {
  return kernel.type == Type::scale_space ? 2 * std::sqrt(kernel.sigma) : kernel.sigma;
}

/// What sums of Gaussians are multiplied by.
double factor_of(const Kernel& kernel) {
  return kernel.type == Type::scale_space ? 1 / (8 * std::numbers::pi * kernel.sigma) : 1;
}

WeightedPoints weigh(const Kernel& kernel, std::span<const diagram::Point> diagram) {
  WeightedPoints made{place(diagram, width_of(kernel)), {}};
  auto& [points, weights] = made;
  weights.assign(points.padded_count(), 0);
  for (std::size_t p = 0; p < points.count; ++p) {
    if (kernel.type == Type::scale_space) {
      weights[p] = std::copysign(1.0, points.v[p]);
      points.v[p] = std::abs(points.v[p]);
    } else {
      weights[p] = std::atan(kernel.scale * std::pow(points.persistence[p], kernel.power));
    }
  }
  return made;
}

std::size_t bytes_of(const WeightedPoints& made) { return bytes_of(made.points) + bytes_of(made.weights); }
std::size_t bytes_of(const GridField& field) { return bytes_of(field.values); }

template <class Prepared>
struct PreparedSide final : Pairwise::Side {
  std::vector<Prepared> diagrams;

  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = diagrams.size() * sizeof(Prepared);
    for (const auto& diagram : diagrams) sum += bytes_of(diagram);
    return sum;
  }
};

/// A function of two diagrams, each prepared on its own by `prepare_one`.
template <class Prepared>
class PreparedPairwise : public Pairwise {
 public:
  explicit PreparedPairwise(const Kernel& kernel) : kernel_(kernel) {}

  [[nodiscard]] std::unique_ptr<Side> prepare(const DiagramBatch& batch,
                                              const base::Context& context) const final {
    auto side = std::make_unique<PreparedSide<Prepared>>();
    side->diagrams.resize(batch.size());
    base::parallel_for(context, "preparing diagrams", batch.size(),
                       [&](std::size_t i) { side->diagrams[i] = prepare_one(weigh(kernel_, batch[i])); });
    return side;
  }

  [[nodiscard]] double value(const Side& rows, std::size_t i, const Side& columns, std::size_t j,
                             Scratch& /*scratch*/) const final {
    return factor_of(kernel_) * sum(static_cast<const PreparedSide<Prepared>&>(rows).diagrams[i],
                                    static_cast<const PreparedSide<Prepared>&>(columns).diagrams[j]);
  }

 protected:
  [[nodiscard]] const Kernel& kernel() const noexcept { return kernel_; }
  [[nodiscard]] virtual Prepared prepare_one(WeightedPoints points) const = 0;
  [[nodiscard]] virtual double sum(const Prepared& f, const Prepared& g) const = 0;

 private:
  Kernel kernel_;
};

class DirectSums final : public PreparedPairwise<WeightedPoints> {
 public:
  using PreparedPairwise::PreparedPairwise;

 private:
  [[nodiscard]] WeightedPoints prepare_one(WeightedPoints points) const override { return points; }
  [[nodiscard]] double sum(const WeightedPoints& f, const WeightedPoints& g) const override {
    const bool keep = in_order(f.points, g.points);
    const auto first = keep ? f.arrays() : g.arrays(), second = keep ? g.arrays() : f.arrays();
    return kernel().type == Type::scale_space ? mirrored_sum(first, second) : weighted_sum(first, second);
  }
};

class GridSums final : public PreparedPairwise<GridField> {
 public:
  explicit GridSums(const Kernel& kernel) : PreparedPairwise(kernel), grid_(kernel.tolerance) {}

 private:
  /// For scale_space with the mirror images, of the opposite sign; then everything counts twice.
  [[nodiscard]] GridField prepare_one(WeightedPoints made) const override {
    if (kernel().type == Type::scale_space) add_mirror_images(made);
    return grid_field(grid_, made.points, made.weights);
  }
  static void add_mirror_images(WeightedPoints& made) {
    auto& [points, weights] = made;
    const auto twice = [count = points.count](std::vector<double>& values, double sign) {
      values.resize(count);
      for (std::size_t p = 0; p < count; ++p) values.push_back(sign * values[p]);
    };
    twice(points.u, 1);
    twice(points.v, -1);
    twice(weights, -1);
    for (double& weight : weights) weight *= std::numbers::sqrt2 / 2;
    points.count *= 2;
  }
  [[nodiscard]] double sum(const GridField& f, const GridField& g) const override {
    return inner_product(f, g);
  }

  GaussianGrid grid_;
};

}  // namespace

std::unique_ptr<Pairwise> inner_product_of(const Kernel& kernel) {
  if (kernel.tolerance > 0) return std::make_unique<GridSums>(kernel);
  return std::make_unique<DirectSums>(kernel);
}

}  // namespace perslay::kernel
