#pragma once

#include <span>
#include <string>
#include <vector>

#include <perslay/diagram/diagram_batch.h>
#include <perslay/diagram/kind.h>

namespace perslay::diagram {

/// Vertex cycles, packed: cycle i is `vertices[offsets[i]] ... vertices[offsets[i+1]-1]`, each vertex once,
/// the last adjacent to the first.
struct CycleBatch {
  std::vector<std::int32_t> vertices;
  std::vector<std::int64_t> offsets{0};

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
};

/// The diagrams of one kind for one filtration, one per item.
struct DiagramGroup {
  std::string filtration;  ///< The name as users write it, e.g. "hks:10".
  Kind kind = Kind::ord0;
  DiagramBatch diagrams;
  /// One representative cycle per point of `diagrams`, in the same order, if they were asked for (ext1 only).
  CycleBatch cycles;

  /// "hks:10 ext1", for sentences.
  [[nodiscard]] std::string title() const { return filtration + ' ' + std::string(kind_name(kind)); }
};

/// "hks:10 ord0, hks:10 ext1", or "no diagrams".
[[nodiscard]] std::string titles(std::span<const DiagramGroup> groups);

/// All diagrams of a labelled set of items; the content of a diagram file. All groups have the same number of
/// items.
struct DiagramSet {
  std::vector<DiagramGroup> groups;
  /// One per item, 0 ... classes-1; empty if the source has no labels.
  std::vector<int> labels;
  /// The classes' names in the source.
  std::vector<std::string> classes;

  [[nodiscard]] std::size_t item_count() const noexcept {
    return groups.empty() ? labels.size() : groups.front().diagrams.size();
  }
};

}  // namespace perslay::diagram
