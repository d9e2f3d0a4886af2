#pragma once

#include <span>

#include <perslay/data/graph_dataset.h>
#include <perslay/data/point_cloud.h>

namespace perslay::data {

/// The items of all parts, part after part; graphs are not copied. Classes are joined by name (see base/labels.h). The
/// name is that of the first part. What was said about reading the sources is not repeated. Throws unless all parts
/// that have items have labels or none has, and likewise for node labels and as many node attributes.
[[nodiscard]] GraphDataset concatenate(std::span<const GraphDataset* const> parts);
[[nodiscard]] PointCloudDataset concatenate(std::span<const PointCloudDataset* const> parts);

}  // namespace perslay::data
