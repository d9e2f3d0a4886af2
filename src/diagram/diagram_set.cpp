#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/labels.h>
#include <perslay/diagram/concatenate.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/diagram/part_of.h>

namespace perslay::diagram {
namespace {

/// Adds the cycles of the points of one diagram, if there are cycles.
void append(CycleBatch& to, const DiagramGroup& from, std::size_t item) {
  const auto& [vertices, offsets] = from.cycles;
  if (from.cycles.size() == 0) return;
  for (auto p = from.diagrams.offsets()[item]; p < from.diagrams.offsets()[item + 1]; ++p) {
    const auto point = static_cast<std::size_t>(p);
    to.vertices.insert(to.vertices.end(), vertices.begin() + offsets[point],
                       vertices.begin() + offsets[point + 1]);
    to.offsets.push_back(static_cast<std::int64_t>(to.vertices.size()));
  }
}

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

std::string titles(std::span<const DiagramGroup> groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) names.push_back(group.title());
  return names.empty() ? "no diagrams" : fmt::format("{}", fmt::join(names, ", "));
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

DiagramSet concatenate(std::span<const DiagramSet* const> parts) {
  DiagramSet all;
  if (parts.empty()) return all;
  require_same_groups(parts);
  for (std::size_t g = 0; g < parts.front()->groups.size(); ++g) all.groups.push_back(joined(parts, g));
  std::vector<base::LabelledPart> labelled;
  for (const DiagramSet* const part : parts)
    labelled.push_back({part->item_count(), part->labels, part->classes});
  base::concatenate(labelled, all.labels, all.classes);
  return all;
}

}  // namespace perslay::diagram
