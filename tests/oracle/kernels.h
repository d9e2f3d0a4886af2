#pragma once

#include "oracle/extended.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>

/// GUDHI's kernels between diagrams, as its users hold them: one object for each diagram.
namespace oracle {

/// Sliced Wasserstein with sampled directions; the projections are sorted beforehand.
class SlicedWasserstein {
 public:
  SlicedWasserstein(std::span<const Points> diagrams, double sigma, int directions);
  ~SlicedWasserstein();
  SlicedWasserstein(const SlicedWasserstein&) = delete;
  SlicedWasserstein& operator=(const SlicedWasserstein&) = delete;

  /// exp(-SW/(2 sigma^2)) of two of the diagrams.
  [[nodiscard]] double kernel(std::size_t i, std::size_t j) const;

 private:
  struct Objects;
  std::unique_ptr<Objects> objects_;
};

/// Persistence heat maps in their exact form: the points of a diagram are weighted Gaussians
/// exp(-d^2/(2 width^2)).
class HeatMaps {
 public:
  HeatMaps(std::span<const Points> diagrams, double width,
           const std::function<double(const std::pair<double, double>&)>& weight);
  ~HeatMaps();
  HeatMaps(const HeatMaps&) = delete;
  HeatMaps& operator=(const HeatMaps&) = delete;

  /// The sum of weight times weight times Gaussian over all pairs of points.
  [[nodiscard]] double product(std::size_t i, std::size_t j) const;

 private:
  struct Objects;
  std::unique_ptr<Objects> objects_;
};

/// A diagram above the diagonal with its mirror image. With weights of 1 above the diagonal and -1 below,
/// products are twice the sums of the scale space kernel.
[[nodiscard]] Points with_mirror_images(Points points);
[[nodiscard]] double sign_of_side(const std::pair<double, double>& point);

}  // namespace oracle
