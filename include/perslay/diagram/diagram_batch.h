#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <perslay/diagram/diagram.h>

namespace perslay::diagram {

/// Many diagrams of one kind, packed: all points one diagram after the other, and offsets. This is how
/// diagrams travel; there is no padding. Every diagram is kept sorted by (birth, death, vertices), so what is
/// computed from a batch does not depend on the order in which points came. Empty diagrams are legal.
class DiagramBatch {
 public:
  DiagramBatch() = default;

  /// Wraps packed arrays; sorts each diagram. `offsets` starts with 0, ascends, and ends with the number of
  /// points; `vertices` is as long as `points` or empty; no coordinate is NaN. Throws otherwise.
  DiagramBatch(std::vector<Point> points, std::vector<std::int64_t> offsets,
               std::vector<VertexPair> vertices = {});

  /// Packs `diagrams`; either all have vertices or none.
  explicit DiagramBatch(std::span<const Diagram> diagrams);

  /// The number of diagrams.
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size() - 1; }

  [[nodiscard]] std::span<const Point> operator[](std::size_t diagram) const noexcept {
    return slice(std::span<const Point>(points_), diagram);
  }
  /// The vertices behind the diagram's points, in the same order; empty if unknown.
  [[nodiscard]] std::span<const VertexPair> vertices(std::size_t diagram) const noexcept {
    return has_vertices() ? slice(std::span<const VertexPair>(vertices_), diagram)
                          : std::span<const VertexPair>{};
  }

  [[nodiscard]] std::span<const Point> points() const noexcept { return points_; }
  [[nodiscard]] std::span<const std::int64_t> offsets() const noexcept { return offsets_; }
  [[nodiscard]] std::span<const VertexPair> vertices() const noexcept { return vertices_; }
  [[nodiscard]] bool has_vertices() const noexcept { return vertices_.size() == points_.size(); }

 private:
  template <class T>
  [[nodiscard]] std::span<const T> slice(std::span<const T> packed, std::size_t diagram) const noexcept {
    const auto begin = static_cast<std::size_t>(offsets_[diagram]);
    return packed.subspan(begin, static_cast<std::size_t>(offsets_[diagram + 1]) - begin);
  }

  std::vector<Point> points_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<VertexPair> vertices_;
};

}  // namespace perslay::diagram
