#pragma once

#include "oracle/extended.h"

#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace oracle {

/// GUDHI's persistence heat maps in their exact form: one object for each diagram, whose points are weighted
/// Gaussians exp(-d^2/(2 width^2)).
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

/// A diagram, no point of which is on the diagonal, with its mirror image. With weights of 1 above the
/// diagonal and -1 below, products are twice the sums of the scale space kernel.
[[nodiscard]] Points with_mirror_images(Points points);
[[nodiscard]] double sign_of_side(const std::pair<double, double>& point);

}  // namespace oracle
