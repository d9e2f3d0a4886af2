#include "append.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/labels.h>
#include <perslay/diagram/concatenate.h>

namespace perslay::diagram {
namespace {

void require_same_groups(std::span<const DiagramSet* const> parts) {
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (!std::ranges::equal(parts[i]->groups, parts[0]->groups, {}, &DiagramGroup::title,
                            &DiagramGroup::title))
      throw base::user_error(fmt::format("Part {} has {}, but part 0 has {}.", i, titles(parts[i]->groups),
                                         titles(parts[0]->groups)));
}

DiagramGroup joined(std::span<const DiagramSet* const> parts, std::size_t place) {
  const DiagramGroup& first = parts.front()->groups[place];
  DiagramGroup all{first.filtration, first.kind, {}, {}};
  std::vector<const DiagramBatch*> batches;
  for (const DiagramSet* const part : parts) {
    const DiagramGroup& group = part->groups[place];
    batches.push_back(&group.diagrams);
    for (std::size_t item = 0; item < group.diagrams.size(); ++item) append(all.cycles, group, item);
  }
  all.diagrams = concatenate(batches);
  if (all.cycles.size() != all.diagrams.points().size()) all.cycles = {};
  return all;
}

}  // namespace

DiagramBatch concatenate(std::span<const DiagramBatch* const> parts) {
  GrowingBatch all;
  for (const DiagramBatch* const part : parts)
    for (std::size_t item = 0; item < part->size(); ++item) all.append(*part, item);
  return std::move(all).finish();
}

DiagramSet concatenate(std::span<const DiagramSet* const> parts) {
  DiagramSet all;
  if (parts.empty()) return all;
  require_same_groups(parts);
  for (std::size_t g = 0; g < parts.front()->groups.size(); ++g) all.groups.push_back(joined(parts, g));
  std::vector<base::LabelledPart> labelled;
  for (const DiagramSet* const part : parts)
    labelled.push_back({part->item_count(), part->labels, part->classes});
  auto [labels, classes] = base::concatenate(labelled);
  all.labels = std::move(labels);
  all.classes = std::move(classes);
  return all;
}

}  // namespace perslay::diagram
