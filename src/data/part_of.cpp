#include "append.h"

#include <perslay/base/labels.h>
#include <perslay/data/part_of.h>

namespace perslay::data {

GraphDataset part_of(const GraphDataset& graphs, std::span<const std::size_t> items) {
  GraphDataset part;
  part.name = graphs.name;
  part.labels = base::part_of(graphs.labels, items);
  part.classes = graphs.classes;
  part.attribute_count = graphs.attribute_count;
  for (const std::size_t item : items) append(part, graphs, item);
  return part;
}

PointCloudDataset part_of(const PointCloudDataset& clouds, std::span<const std::size_t> items) {
  PointCloudDataset part;
  part.name = clouds.name;
  part.labels = base::part_of(clouds.labels, items);
  part.classes = clouds.classes;
  for (const std::size_t item : items) append(part, clouds, item);
  return part;
}

}  // namespace perslay::data
