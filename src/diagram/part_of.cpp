#include <utility>
#include <vector>

#include <perslay/diagram/part_of.h>

namespace perslay::diagram {
namespace {

/// The cycles of the points of some diagrams.
CycleBatch part_of(const CycleBatch& cycles, const DiagramBatch& diagrams,
                   std::span<const std::size_t> items) {
  CycleBatch part;
  if (cycles.size() == 0) return part;
  for (const std::size_t item : items)
    for (auto p = diagrams.offsets()[item]; p < diagrams.offsets()[item + 1]; ++p) {
      const auto begin = cycles.offsets[static_cast<std::size_t>(p)];
      const auto end = cycles.offsets[static_cast<std::size_t>(p) + 1];
      part.vertices.insert(part.vertices.end(), cycles.vertices.begin() + begin,
                           cycles.vertices.begin() + end);
      part.offsets.push_back(static_cast<std::int64_t>(part.vertices.size()));
    }
  return part;
}

}  // namespace

DiagramBatch part_of(const DiagramBatch& batch, std::span<const std::size_t> items) {
  std::vector<Point> points;
  std::vector<VertexPair> vertices;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t item : items) {
    const auto own = batch[item];
    points.insert(points.end(), own.begin(), own.end());
    const auto ids = batch.vertices(item);
    vertices.insert(vertices.end(), ids.begin(), ids.end());
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets), std::move(vertices)};
}

DiagramSet part_of(const DiagramSet& set, std::span<const std::size_t> items) {
  DiagramSet part;
  part.classes = set.classes;
  if (!set.labels.empty())
    for (const std::size_t item : items) part.labels.push_back(set.labels[item]);
  for (const auto& [filtration, kind, diagrams, cycles] : set.groups)
    part.groups.push_back({filtration, kind, part_of(diagrams, items), part_of(cycles, diagrams, items)});
  return part;
}

}  // namespace perslay::diagram
