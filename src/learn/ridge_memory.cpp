#include "ridge_memory.h"

#include <utility>

#include <perslay/base/hasher.h>

namespace perslay::learn {

RidgeMemory::Key RidgeMemory::key_of(std::span<const double> distances, std::span<const int> labels,
                                     std::size_t classes) {
  return base::Hasher().add(classes).add(distances).add(labels).digest64();
}

std::optional<std::vector<double>> RidgeMemory::recall(const Regression& regression) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(regression);
  if (found == known_.end()) return std::nullopt;
  return found->second;
}

void RidgeMemory::keep(const Regression& regression, std::vector<double> numbers) {
  constexpr std::size_t most_numbers = (std::size_t{256} << 20U) / sizeof(double);
  const std::lock_guard lock(mutex_);
  if (numbers_ + numbers.size() > most_numbers) {
    known_.clear();
    numbers_ = 0;
  }
  numbers_ += numbers.size();
  known_.insert_or_assign(regression, std::move(numbers));
}

}  // namespace perslay::learn
