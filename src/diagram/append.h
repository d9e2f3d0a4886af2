#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <perslay/diagram/diagram_set.h>

namespace perslay::diagram {

/// A batch that is made diagram by diagram.
struct GrowingBatch {
  std::vector<Point> points;
  std::vector<VertexPair> vertices;
  std::vector<std::int64_t> offsets{0};

  void append(const DiagramBatch& from, std::size_t item) {
    const auto own = from[item];
    points.insert(points.end(), own.begin(), own.end());
    const auto ids = from.vertices(item);
    vertices.insert(vertices.end(), ids.begin(), ids.end());
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }

  /// With vertices if all diagrams had them.
  [[nodiscard]] DiagramBatch finish() && {
    if (vertices.size() != points.size()) vertices.clear();
    return {std::move(points), std::move(offsets), std::move(vertices)};
  }
};

/// Adds the cycles of the points of one diagram, if there are cycles.
inline void append(CycleBatch& to, const DiagramGroup& from, std::size_t item) {
  const auto& [vertices, offsets] = from.cycles;
  if (from.cycles.size() == 0) return;
  for (auto p = from.diagrams.offsets()[item]; p < from.diagrams.offsets()[item + 1]; ++p) {
    const auto point = static_cast<std::size_t>(p);
    to.vertices.insert(to.vertices.end(), vertices.begin() + offsets[point],
                       vertices.begin() + offsets[point + 1]);
    to.offsets.push_back(static_cast<std::int64_t>(to.vertices.size()));
  }
}

}  // namespace perslay::diagram
