#include "gaussian_grid.h"
#include "gaussian_sums.h"
#include "pairwise.h"

#include <cmath>
#include <numbers>

namespace perslay::kernel {
namespace {

using Type = Kernel::Type;
using Points = std::span<const diagram::Point>;

/// A diagram as a signed measure on the plane, as scale_space and weighted_* see it. For scale_space, a point
/// below the diagonal is its mirror image with the opposite sign, so v is at least 0.
struct WeightedPoints {
  PlacedPoints points;
  std::vector<double> weights;  ///< 0 on padding.

  [[nodiscard]] PointArrays arrays() const {
    return {points.count, points.padded_count(), points.u.data(), points.v.data(), weights.data()};
  }
};

std::size_t bytes_of(const WeightedPoints& made) {
  return kernel::bytes_of(made.points) + kernel::bytes_of(made.weights);
}

WeightedPoints weigh(const Kernel& kernel, Points diagram) {
  const bool scale_space = kernel.type == Type::scale_space;
  WeightedPoints made{place(diagram, scale_space ? 2 * std::sqrt(kernel.sigma) : kernel.sigma), {}};
  auto& [points, weights] = made;
  weights.assign(points.padded_count(), 0);
  for (std::size_t p = 0; p < points.count; ++p) {
    if (scale_space) {
      weights[p] = std::copysign(1.0, points.v[p]);
      points.v[p] = std::abs(points.v[p]);
    } else {
      weights[p] = std::atan(kernel.scale * std::pow(points.persistence[p], kernel.power));
    }
  }
  return made;
}

/// The factor in front of a sum of Gaussians.
double factor_of(const Kernel& kernel) {
  return kernel.type == Type::scale_space ? 1 / (8 * std::numbers::pi * kernel.sigma) : 1;
}

class DirectSums final : public PreparedPairwise<WeightedPoints> {
 public:
  explicit DirectSums(const Kernel& kernel) : kernel_(kernel) {}

 private:
  [[nodiscard]] WeightedPoints prepare_one(Points diagram) const override { return weigh(kernel_, diagram); }
  [[nodiscard]] double compare(const WeightedPoints& f, const WeightedPoints& g,
                               Scratch& /*scratch*/) const override {
    const bool keep = in_order(f.points, g.points);
    const auto first = keep ? f.arrays() : g.arrays(), second = keep ? g.arrays() : f.arrays();
    const double sum =
        kernel_.type == Type::scale_space ? mirrored_sum(first, second) : weighted_sum(first, second);
    return factor_of(kernel_) * sum;
  }

  Kernel kernel_;
};

class GridSums final : public PreparedPairwise<GridField> {
 public:
  explicit GridSums(const Kernel& kernel) : kernel_(kernel), grid_(kernel.tolerance) {}

 private:
  /// For scale_space, the mirror images join with the opposite sign; then everything counts twice.
  [[nodiscard]] GridField prepare_one(Points diagram) const override {
    WeightedPoints made = weigh(kernel_, diagram);
    if (kernel_.type == Type::scale_space) add_mirror_images(made);
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
  [[nodiscard]] double compare(const GridField& f, const GridField& g, Scratch& /*scratch*/) const override {
    return factor_of(kernel_) * inner_product(f, g);
  }

  Kernel kernel_;
  GaussianGrid grid_;
};

}  // namespace

std::unique_ptr<Pairwise> inner_product_of(const Kernel& kernel) {
  if (kernel.tolerance > 0) return std::make_unique<GridSums>(kernel);
  return std::make_unique<DirectSums>(kernel);
}

}  // namespace perslay::kernel
