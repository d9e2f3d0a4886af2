#include "oracle/sliced_wasserstein.h"

#include <gudhi/Sliced_Wasserstein.h>

namespace oracle {

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

}  // namespace oracle
