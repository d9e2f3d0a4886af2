#include <algorithm>

#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

/// The range of all births and deaths of some diagrams of a group. One range for births and deaths together,
/// as the authors have it, keeps the diagonal where it is.
diagram::UnitScale range_of(const diagram::DiagramBatch& diagrams, std::span<const std::size_t> rows) {
  bool empty = true;
  diagram::UnitScale scale;
  for (const std::size_t row : rows)
    for (const auto& [birth, death] : diagrams[row]) {
      if (empty) scale = {birth, birth};
      scale.min = std::min({scale.min, birth, death});
      scale.max = std::max({scale.max, birth, death});
      empty = false;
    }
  return scale;
}

}  // namespace

Preparation Preparation::fit(const features::Items& items, std::span<const std::size_t> rows,
                             const Settings& settings, const base::Context& context) {
  Preparation preparation;
  if (settings.network.scale)
    for (const auto& group : items.groups) preparation.scales.push_back(range_of(group.diagrams, rows));
  preparation.features = features::FittedFeatures::fit(items, rows, settings.features, context);
  return preparation;
}

}  // namespace perslay::learn
