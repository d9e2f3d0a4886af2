#include "append.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/labels.h>
#include <perslay/data/concatenate.h>

namespace perslay::data {
namespace {

/// Throws unless a number, how many `what` each vertex has, is the same for all parts that have vertices.
template <class Count>
void require_same(std::span<const GraphDataset* const> parts, std::string_view what, Count count) {
  std::size_t first = parts.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->vertex_offsets.back() == 0) continue;
    if (first == parts.size()) first = i;
    if (count(*parts[i]) != count(*parts[first]))
      throw base::user_error(fmt::format("Part {} has {} {} for each vertex, but part {} has {}.", i,
                                         count(*parts[i]), what, first, count(*parts[first])));
  }
}

/// Items, labels and name.
template <class Dataset>
Dataset joined(std::span<const Dataset* const> parts) {
  Dataset all;
  if (parts.empty()) return all;
  all.name = parts.front()->name;
  std::vector<base::LabelledPart> labelled;
  for (const Dataset* const part : parts) {
    labelled.push_back({part->size(), part->labels, part->classes});
    for (std::size_t item = 0; item < part->size(); ++item) append(all, *part, item);
  }
  auto [labels, classes] = base::concatenate(labelled);
  all.labels = std::move(labels);
  all.classes = std::move(classes);
  return all;
}

}  // namespace

GraphDataset concatenate(std::span<const GraphDataset* const> parts) {
  require_same(parts, "node labels",
               [](const GraphDataset& part) { return part.node_labels.empty() ? 0 : 1; });
  require_same(parts, "node attributes", [](const GraphDataset& part) { return part.attribute_count; });
  auto all = joined(parts);
  for (const GraphDataset* const part : parts)
    all.attribute_count = std::max(all.attribute_count, part->attribute_count);
  return all;
}

PointCloudDataset concatenate(std::span<const PointCloudDataset* const> parts) { return joined(parts); }

}  // namespace perslay::data
