#include <algorithm>

#include <perslay/learn/preparation.h>

namespace perslay::learn {
namespace {

/// The ranges of births and deaths of some diagrams of a group, each its own or one for both.
diagram::PlaneScale ranges_of(const diagram::DiagramBatch& diagrams, std::span<const std::size_t> rows,
                              Scaling scaling) {
  bool empty = true;
  diagram::PlaneScale scale;
  const auto widen = [&](diagram::UnitScale& range, double x) {
    range =
        empty ? diagram::UnitScale{x, x} : diagram::UnitScale{std::min(range.min, x), std::max(range.max, x)};
  };
  for (const std::size_t row : rows)
    for (const auto& [birth, death] : diagrams[row]) {
      widen(scale.births, birth);
      widen(scale.deaths, death);
      empty = false;
    }
  if (scaling == Scaling::together)
    scale.births = scale.deaths = {std::min(scale.births.min, scale.deaths.min),
                                   std::max(scale.births.max, scale.deaths.max)};
  return scale;
}

}  // namespace

Preparation Preparation::fit(const features::Items& items, std::span<const std::size_t> rows,
                             const Settings& settings, const base::Context& context) {
  Preparation preparation;
  if (settings.network.scale != Scaling::none)
    for (const auto& group : items.groups)
      preparation.scales.push_back(ranges_of(group.diagrams, rows, settings.network.scale));
  preparation.features = FittedFeatures::fit(items, rows, settings.features, context);
  return preparation;
}

}  // namespace perslay::learn
