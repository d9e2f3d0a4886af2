#include <algorithm>

#include <perslay/data/orbits.h>
#include <perslay/features/load_items.h>

namespace perslay::features {

Items make_items(const data::OrbitSet& orbits, const LoadRequest& request, const base::Context& context) {
  constexpr std::size_t at_a_time = 1000;
  ItemsCollector collector(orbits.size());
  base::ProgressMeter progress(context, "orbits and their diagrams", orbits.size());
  base::Context inside = context;
  inside.progress = nullptr;
  for (std::size_t first = 0; first < orbits.size(); first += at_a_time) {
    const std::size_t count = std::min(at_a_time, orbits.size() - first);
    collector.add(make_items(data::make_orbits(orbits, first, count, inside), request, inside));
    progress(first + count);
  }
  return collector.finish();
}

}  // namespace perslay::features
