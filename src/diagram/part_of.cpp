#include "append.h"

#include <perslay/base/labels.h>
#include <perslay/diagram/part_of.h>

namespace perslay::diagram {

DiagramBatch part_of(const DiagramBatch& batch, std::span<const std::size_t> items) {
  GrowingBatch part;
  for (const std::size_t item : items) part.append(batch, item);
  return std::move(part).finish();
}

DiagramSet part_of(const DiagramSet& set, std::span<const std::size_t> items) {
  DiagramSet part;
  part.classes = set.classes;
  part.labels = base::part_of(set.labels, items);
  for (const DiagramGroup& group : set.groups) {
    part.groups.push_back({group.filtration, group.kind, part_of(group.diagrams, items), {}});
    for (const std::size_t item : items) append(part.groups.back().cycles, group, item);
  }
  return part;
}

}  // namespace perslay::diagram
