#include "item_steps.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <perslay/diagram/part_of.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/inputs.h>
#include <perslay/features/sample.h>
#include <perslay/filtration/filtration.h>

namespace perslay::features {
namespace {

using diagram::DiagramSet;
using diagram::Kind;

diagram::DiagramBatch without_diagonal(const diagram::DiagramBatch& batch) {
  std::vector<diagram::Point> points;
  std::vector<diagram::VertexPair> vertices;
  std::vector<std::int64_t> offsets{0};
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const auto ids = batch.vertices(row);
    for (std::size_t i = 0; i < batch[row].size(); ++i) {
      if (batch[row][i].birth == batch[row][i].death) continue;
      points.push_back(batch[row][i]);
      if (!ids.empty()) vertices.push_back(ids[i]);
    }
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets), std::move(vertices)};
}

DiagramSet transformed(DiagramSet set, const LoadRequest& request) {
  std::vector<diagram::Transform> transforms;
  transforms.reserve(request.transforms.size());
  for (const auto& name : request.transforms) transforms.push_back(diagram::parse_transform(name));
  for (auto& group : set.groups) {
    group.cycles = {};
    group.diagrams = diagram::fit_and_apply(transforms, std::move(group.diagrams));
    const bool extended = group.kind == Kind::ext0 || group.kind == Kind::ext1;
    if (extended && request.drop_diagonal) group.diagrams = without_diagonal(group.diagrams);
  }
  return set;
}

}  // namespace

std::vector<std::size_t> sample_rows(std::size_t items, std::size_t most) {
  const std::size_t count = std::min(items, most);
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = i * items / count;
  return rows;
}

DiagramSet sample_diagrams(const DiagramSet& set, const LoadRequest& request, std::size_t most) {
  const auto rows = sample_rows(set.item_count(), most);
  auto part = diagram::part_of(set, rows);
  keep_groups(part, filtration::expand_times(request.filtrations), request.kinds);
  return transformed(std::move(part), request);
}

DiagramSet sample_diagrams(const Dataset& dataset, const LoadRequest& request, std::size_t most,
                           const base::Context& context) {
  if (dataset.stored() != nullptr) return sample_diagrams(*dataset.stored(), request, most);
  const auto part = dataset.part(sample_rows(dataset.size(), most));
  return transformed(part->diagrams(diagram_request(request), context).set, request);
}

DiagramSet sample_diagrams(const data::OrbitSet& orbits, const LoadRequest& request, std::size_t most,
                           const base::Context& context) {
  data::PointCloudDataset part;
  part.classes = data::orbit_classes();
  for (const std::size_t row : sample_rows(orbits.size(), most)) {
    const auto own = data::make_orbits(orbits, row, 1, context);
    part.points.insert(part.points.end(), own.points.begin(), own.points.end());
    part.offsets.push_back(static_cast<std::int64_t>(part.points.size()));
    part.labels.push_back(own.labels.front());
  }
  return sample_diagrams(*dataset_of(std::make_shared<data::PointCloudDataset>(std::move(part))), request,
                         most, context);
}

DiagramSet sample_diagrams(const std::filesystem::path& data, const LoadRequest& request, std::size_t most,
                           const base::Context& context, const LoadOptions& options) {
  const auto& kind = kind_of(data, request, options);
  return sample_diagrams(*kind.read(data, options.reading, context), request, most, context);
}

}  // namespace perslay::features
