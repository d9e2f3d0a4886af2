#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/labels.h>
#include <perslay/data/concatenate.h>
#include <perslay/data/part_of.h>

namespace perslay::data {
namespace {

/// Adds one item of a dataset to another, without its label.
void append(GraphDataset& to, const GraphDataset& from, std::size_t item) {
  const auto begin = static_cast<std::size_t>(from.vertex_offsets[item]);
  const auto end = static_cast<std::size_t>(from.vertex_offsets[item + 1]);
  const auto add = [&](const auto& all, auto& own, std::size_t width) {
    if (all.empty()) return;
    const auto values = std::span(all).subspan(begin * width, (end - begin) * width);
    own.insert(own.end(), values.begin(), values.end());
  };
  to.graphs.push_back(from.graphs[item]);
  to.vertex_offsets.push_back(to.vertex_offsets.back() + static_cast<std::int64_t>(end - begin));
  add(from.vertex_names, to.vertex_names, 1);
  add(from.node_labels, to.node_labels, 1);
  add(from.node_attributes, to.node_attributes, from.attribute_count);
}

void append(PointCloudDataset& to, const PointCloudDataset& from, std::size_t item) {
  const auto points = from[item];
  to.points.insert(to.points.end(), points.begin(), points.end());
  to.offsets.push_back(static_cast<std::int64_t>(to.points.size()));
}

template <class Dataset>
Dataset selected(const Dataset& dataset, std::span<const std::size_t> items) {
  Dataset part;
  part.name = dataset.name;
  part.labels = base::part_of(dataset.labels, items);
  part.classes = dataset.classes;
  part.labels_from = dataset.labels_from;
  for (const std::size_t item : items) append(part, dataset, item);
  return part;
}

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

/// The names of the attributes, which are the same in all parts that have some.
std::vector<std::string> joined_attribute_names(std::span<const GraphDataset* const> parts) {
  const GraphDataset* first = nullptr;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->attribute_names.empty()) continue;
    if (first == nullptr) first = parts[i];
    if (parts[i]->attribute_names != first->attribute_names)
      throw base::user_error(fmt::format("Part {} has the node attributes {}, but another part has {}.", i,
                                         fmt::join(parts[i]->attribute_names, ", "),
                                         fmt::join(first->attribute_names, ", ")));
  }
  return first == nullptr ? std::vector<std::string>{} : first->attribute_names;
}

/// The names of all vertices; those of a part without names are their numbers. None if no part has any.
std::vector<std::string> joined_vertex_names(std::span<const GraphDataset* const> parts) {
  std::vector<std::string> names;
  if (std::ranges::all_of(parts, [](const GraphDataset* part) { return part->vertex_names.empty(); }))
    return names;
  for (const GraphDataset* const part : parts) {
    names.insert(names.end(), part->vertex_names.begin(), part->vertex_names.end());
    if (!part->vertex_names.empty()) continue;
    for (const Graph& graph : part->graphs)
      for (Vertex v = 0; v < graph.vertex_count(); ++v) names.push_back(std::to_string(v));
  }
  return names;
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
  base::concatenate(labelled, all.labels, all.classes);
  return all;
}

}  // namespace

GraphDataset part_of(const GraphDataset& graphs, std::span<const std::size_t> items) {
  auto part = selected(graphs, items);
  part.attribute_count = graphs.attribute_count;
  part.attribute_names = graphs.attribute_names;
  return part;
}

PointCloudDataset part_of(const PointCloudDataset& clouds, std::span<const std::size_t> items) {
  return selected(clouds, items);
}

GraphDataset concatenate(std::span<const GraphDataset* const> parts) {
  require_same(parts, "node labels",
               [](const GraphDataset& part) { return part.node_labels.empty() ? 0 : 1; });
  require_same(parts, "node attributes", [](const GraphDataset& part) { return part.attribute_count; });
  auto all = joined(parts);
  for (const GraphDataset* const part : parts)
    all.attribute_count = std::max(all.attribute_count, part->attribute_count);
  all.attribute_names = joined_attribute_names(parts);
  all.vertex_names = joined_vertex_names(parts);
  return all;
}

PointCloudDataset concatenate(std::span<const PointCloudDataset* const> parts) { return joined(parts); }

}  // namespace perslay::data
