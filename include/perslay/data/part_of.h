#pragma once

#include <cstddef>
#include <span>

#include <perslay/data/graph_dataset.h>
#include <perslay/data/point_cloud.h>

namespace perslay::data {

/// Some items of a dataset, in the order given and as often as given, with their labels; classes and the name
/// stay. Graphs are not copied (they are slices of an array that is shared), all else is. What was said about
/// reading the source is not repeated.
[[nodiscard]] GraphDataset part_of(const GraphDataset& graphs, std::span<const std::size_t> items);
[[nodiscard]] PointCloudDataset part_of(const PointCloudDataset& clouds, std::span<const std::size_t> items);

}  // namespace perslay::data
