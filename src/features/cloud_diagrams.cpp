#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/persistence/alpha_persistence.h>

namespace perslay::features {
namespace {

using diagram::Diagram;
using diagram::DiagramBatch;
using diagram::Kind;
using persistence::AlphaPersistence;

/// What one cloud yields: one diagram per kind asked for.
struct CloudResult {
  std::vector<Diagram> diagrams;
  std::int64_t duplicates_merged = 0;
};

void check_kinds(const std::vector<Kind>& kinds) {
  for (const Kind kind : kinds)
    if (kind != Kind::h0 && kind != Kind::h1)
      throw base::user_error(
          fmt::format("The kind {} belongs to graphs, not to point clouds.", diagram::kind_name(kind)));
}

Diagram prominent_points(const Diagram& diagram, std::size_t count) {
  const auto kept = diagram::prominent(DiagramBatch(std::span(&diagram, 1)), count);
  return {{kept.points().begin(), kept.points().end()}, {}};
}

CloudResult diagrams_of(std::span<const data::PlanePoint> points, const CloudDiagramOptions& options,
                        AlphaPersistence& alpha) {
  const auto& computed =
      alpha.compute(points, {.radii = options.filtration.radii, .essential_death = options.essential_death});
  CloudResult result{{}, computed.duplicates_merged};
  for (const Kind kind : options.kinds) {
    Diagram diagram{(kind == Kind::h0 ? computed.h0 : computed.h1).points, {}};
    diagram::sort_points(diagram.points, {});  // the batch would do it, but on one thread
    if (options.prominent) diagram = prominent_points(diagram, *options.prominent);
    result.diagrams.push_back(std::move(diagram));
  }
  return result;
}

DiagramBatch pack(std::span<CloudResult> results, std::size_t kind) {
  std::size_t points = 0;
  for (const auto& result : results) points += result.diagrams[kind].size();
  std::vector<diagram::Point> packed;
  packed.reserve(points);
  std::vector<std::int64_t> offsets{0};
  for (auto& result : results) {
    const Diagram diagram = std::move(result.diagrams[kind]);
    packed.insert(packed.end(), diagram.points.begin(), diagram.points.end());
    offsets.push_back(static_cast<std::int64_t>(packed.size()));
  }
  return {std::move(packed), std::move(offsets)};
}

CloudFiltration alpha_by_name(base::Arguments& arguments) {
  if (!arguments.has_first()) return {};
  if (const auto measure = arguments.first(); measure != "radii")
    throw base::user_error(fmt::format("alpha stands alone or as alpha:radii, not with ':{}'.", measure));
  return {"alpha:radii", true};
}

}  // namespace

const base::Registry<CloudFiltration>& cloud_filtrations() {
  static const auto registry = [] {
    base::Registry<CloudFiltration> made("filtration of point clouds");
    made.add("alpha", {"alpha[:radii]", "Alpha complex, squared radii; alpha:radii gives radii."},
             alpha_by_name);
    return made;
  }();
  return registry;
}

CloudFiltration parse_cloud_filtration(std::string_view name) { return cloud_filtrations().make(name); }

diagram::DiagramSet cloud_diagrams(const data::PointCloudDataset& clouds, const CloudDiagramOptions& options,
                                   const base::Context& context, std::int64_t* duplicates_merged) {
  check_kinds(options.kinds);
  std::vector<CloudResult> results(clouds.size());
  base::parallel_for(
      context, "alpha persistence", clouds.size(), [] { return AlphaPersistence(); },
      [&](std::size_t i, AlphaPersistence& alpha) {
        try {
          results[i] = diagrams_of(clouds[i], options, alpha);
        } catch (const base::Error& error) {
          throw base::Error(error.fault(), fmt::format("Cloud {}: {}", i, error.what()));
        }
      });

  diagram::DiagramSet set;
  set.labels = clouds.labels;
  set.classes = clouds.classes;
  for (std::size_t k = 0; k < options.kinds.size(); ++k)
    set.groups.push_back({std::string(options.filtration.name), options.kinds[k], pack(results, k), {}});
  if (duplicates_merged != nullptr) {
    *duplicates_merged = 0;
    for (const auto& result : results) *duplicates_merged += result.duplicates_merged;
  }
  return set;
}

}  // namespace perslay::features
