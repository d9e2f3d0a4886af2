#pragma once

#include <cstddef>
#include <span>

#include <perslay/data/graph_dataset.h>
#include <perslay/data/point_cloud.h>

namespace perslay::data {

/// Adds one item of a dataset to another, without its label.
inline void append(GraphDataset& to, const GraphDataset& from, std::size_t item) {
  const auto begin = static_cast<std::size_t>(from.vertex_offsets[item]);
  const auto end = static_cast<std::size_t>(from.vertex_offsets[item + 1]);
  const auto add = [&](const auto& all, auto& own, std::size_t width) {
    if (all.empty()) return;
    const auto values = std::span(all).subspan(begin * width, (end - begin) * width);
    own.insert(own.end(), values.begin(), values.end());
  };
  to.graphs.push_back(from.graphs[item]);
  to.vertex_offsets.push_back(to.vertex_offsets.back() + static_cast<std::int64_t>(end - begin));
  add(from.node_labels, to.node_labels, 1);
  add(from.node_attributes, to.node_attributes, from.attribute_count);
}

/// Likewise.
inline void append(PointCloudDataset& to, const PointCloudDataset& from, std::size_t item) {
  const auto points = from[item];
  to.points.insert(to.points.end(), points.begin(), points.end());
  to.offsets.push_back(static_cast<std::int64_t>(to.points.size()));
}

}  // namespace perslay::data
