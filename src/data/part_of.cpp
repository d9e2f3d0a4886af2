#include <perslay/data/part_of.h>

namespace perslay::data {
namespace {

std::vector<int> chosen(const std::vector<int>& labels, std::span<const std::size_t> items) {
  std::vector<int> own;
  if (labels.empty()) return own;
  own.reserve(items.size());
  for (const std::size_t item : items) own.push_back(labels[item]);
  return own;
}

}  // namespace

GraphDataset part_of(const GraphDataset& graphs, std::span<const std::size_t> items) {
  GraphDataset part;
  part.name = graphs.name;
  part.labels = chosen(graphs.labels, items);
  part.classes = graphs.classes;
  part.attribute_count = graphs.attribute_count;
  for (const std::size_t item : items) {
    part.graphs.push_back(graphs.graphs[item]);
    const auto begin = static_cast<std::size_t>(graphs.vertex_offsets[item]);
    const auto end = static_cast<std::size_t>(graphs.vertex_offsets[item + 1]);
    part.vertex_offsets.push_back(part.vertex_offsets.back() + static_cast<std::int64_t>(end - begin));
    const auto append = [&](const auto& from, auto& to, std::size_t width) {
      if (from.empty()) return;
      const auto own = std::span(from).subspan(begin * width, (end - begin) * width);
      to.insert(to.end(), own.begin(), own.end());
    };
    append(graphs.node_labels, part.node_labels, 1);
    append(graphs.node_attributes, part.node_attributes, graphs.attribute_count);
  }
  return part;
}

PointCloudDataset part_of(const PointCloudDataset& clouds, std::span<const std::size_t> items) {
  PointCloudDataset part;
  part.name = clouds.name;
  part.labels = chosen(clouds.labels, items);
  part.classes = clouds.classes;
  for (const std::size_t item : items) {
    const auto cloud = clouds[item];
    part.points.insert(part.points.end(), cloud.begin(), cloud.end());
    part.offsets.push_back(static_cast<std::int64_t>(part.points.size()));
  }
  return part;
}

}  // namespace perslay::data
