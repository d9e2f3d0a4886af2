#pragma once

#include <cstddef>

#include <perslay/data/graph_dataset.h>
#include <perslay/data/point_cloud.h>

namespace perslay::data {

/// Adds one item of a dataset to another, without its label.
void append(GraphDataset& to, const GraphDataset& from, std::size_t item);
void append(PointCloudDataset& to, const PointCloudDataset& from, std::size_t item);

}  // namespace perslay::data
