#pragma once

#include "oracle/extended.h"

#include <memory>
#include <span>
#include <vector>

namespace oracle {

/// GUDHI's sliced Wasserstein kernel with sampled directions, as its users hold it: one object for each
/// diagram, with its projections sorted.
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

}  // namespace oracle
