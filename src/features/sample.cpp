#include <algorithm>
#include <span>
#include <utility>

#include <perslay/data/part_of.h>
#include <perslay/diagram/part_of.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/sample.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/point_clouds.h>

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

std::vector<Kind> kinds_or(const LoadRequest& request, std::span<const Kind> otherwise) {
  return request.kinds.empty() ? std::vector<Kind>(otherwise.begin(), otherwise.end()) : request.kinds;
}

}  // namespace

std::vector<std::size_t> sample_rows(std::size_t items, std::size_t most) {
  const std::size_t count = std::min(items, most);
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = i * items / count;
  return rows;
}

DiagramSet sample_diagrams(const data::GraphDataset& graphs, const LoadRequest& request, std::size_t most,
                           const base::Context& context) {
  std::vector<filtration::Filtration> filtrations;
  for (const auto& name : request.filtrations) filtrations.push_back(filtration::parse_filtration(name));
  if (filtrations.empty()) filtrations.push_back(filtration::parse_filtration("hks:10"));
  GraphDiagramOptions options;
  options.kinds = kinds_or(request, diagram::extended_kinds);
  const auto part = data::part_of(graphs, sample_rows(graphs.size(), most));
  return transformed(graph_diagrams(part, filtrations, options, context), request);
}

DiagramSet sample_diagrams(const data::PointCloudDataset& clouds, const LoadRequest& request,
                           std::size_t most, const base::Context& context) {
  static constexpr Kind kinds[] = {Kind::h0, Kind::h1};
  auto names = request.filtrations;
  if (names.empty()) names.emplace_back("alpha");
  const auto part = data::part_of(clouds, sample_rows(clouds.size(), most));
  DiagramSet set;
  for (const auto& name : names) {
    CloudDiagramOptions options;
    options.filtration = parse_cloud_filtration(name);
    options.kinds = kinds_or(request, kinds);
    auto own = cloud_diagrams(part, options, context);
    std::ranges::move(own.groups, std::back_inserter(set.groups));
  }
  set.labels = part.labels;
  set.classes = part.classes;
  return transformed(std::move(set), request);
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
  return sample_diagrams(part, request, most, context);
}

DiagramSet sample_diagrams(const DiagramSet& set, const LoadRequest& request, std::size_t most) {
  const auto rows = sample_rows(set.item_count(), most);
  const auto is_asked_for = [](const auto& names, const auto& name) {
    return names.empty() || std::ranges::find(names, name) != names.end();
  };
  auto part = diagram::part_of(set, rows);
  std::erase_if(part.groups, [&](const auto& group) {
    return !is_asked_for(request.filtrations, group.filtration) || !is_asked_for(request.kinds, group.kind);
  });
  return transformed(std::move(part), request);
}

DiagramSet sample_diagrams(const std::filesystem::path& data, const LoadRequest& request, std::size_t most,
                           const base::Context& context, const io::GraphReadOptions& reading) {
  switch (content_of(data, request.filtrations)) {
    case Content::graphs:
      return sample_diagrams(io::read_graph_dataset(data, context, reading), request, most, context);
    case Content::clouds:
      return sample_diagrams(io::read_point_clouds(data, context), request, most, context);
    case Content::diagrams:
      break;
  }
  auto sample = sample_diagrams(io::read_diagrams(data), request, most);
  const bool clouds = std::ranges::any_of(request.filtrations, is_cloud_filtration) || sample.groups.empty();
  if (!sample.groups.empty() || !clouds || !io::has_clouds(data)) return sample;
  return sample_diagrams(io::read_clouds(data), request, most, context);
}

}  // namespace perslay::features
