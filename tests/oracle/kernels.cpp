#include "oracle/kernels.h"

#include <cmath>
#include <vector>

// One file for both: they include definitions of functions that are not inline.
#include <gudhi/Persistence_heat_maps.h>
#include <gudhi/Sliced_Wasserstein.h>

namespace oracle {
namespace {

using Point = std::pair<double, double>;

/// GUDHI makes its weight function anew for each diagram, without arguments.
struct Weight {
  static inline std::function<double(const Point&)> current;
  double operator()(const Point& point) { return current(point); }
};

}  // namespace

struct SlicedWasserstein::Objects {
  std::vector<Gudhi::Persistence_representations::Sliced_Wasserstein> list;
};

SlicedWasserstein::SlicedWasserstein(std::span<const Points> diagrams, double sigma, int directions)
    : objects_(std::make_unique<Objects>()) {
  for (const auto& diagram : diagrams) objects_->list.emplace_back(diagram, sigma, directions);
}

SlicedWasserstein::~SlicedWasserstein() = default;

double SlicedWasserstein::kernel(std::size_t i, std::size_t j) const {
  return objects_->list[i].compute_scalar_product(objects_->list[j]);
}

struct HeatMaps::Objects {
  std::vector<Gudhi::Persistence_representations::Persistence_heat_maps<Weight>> list;
};

HeatMaps::HeatMaps(std::span<const Points> diagrams, double width,
                   const std::function<double(const Point&)>& weight)
    : objects_(std::make_unique<Objects>()) {
  Weight::current = weight;
  const auto gaussian = [width](const Point& p, const Point& q) {
    const double x = p.first - q.first, y = p.second - q.second;
    return std::exp(-(x * x + y * y) / (2 * width * width));
  };
  for (const auto& diagram : diagrams) objects_->list.emplace_back(diagram, gaussian);
}

HeatMaps::~HeatMaps() = default;

double HeatMaps::product(std::size_t i, std::size_t j) const {
  return objects_->list[i].compute_scalar_product(objects_->list[j]);
}

Points with_mirror_images(Points points) {
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(points[i].second, points[i].first);
  return points;
}

double sign_of_side(const Point& point) { return point.second > point.first ? 1 : -1; }

}  // namespace oracle
