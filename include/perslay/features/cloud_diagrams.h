#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>
#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram_set.h>

namespace perslay::features {

/// A filtration of point clouds chosen by name.
struct CloudFiltration {
  std::string_view name = "alpha";  ///< "alpha": squared radii, as in GUDHI; "alpha:radii": radii.
  bool radii = false;
};

/// The names of all filtrations of point clouds, with their help.
[[nodiscard]] const base::Registry<CloudFiltration>& cloud_filtrations();

/// cloud_filtrations().make(name).
[[nodiscard]] CloudFiltration parse_cloud_filtration(std::string_view name);

struct CloudDiagramOptions {
  CloudFiltration filtration{};
  /// h0 and h1, in the order of the result's groups.
  std::vector<diagram::Kind> kinds{diagram::Kind::h0, diagram::Kind::h1};
  /// The most points of each diagram to keep: those farthest from the diagonal (see diagram::prominent). Points
  /// are dropped cloud by cloud, before diagrams are packed, which saves memory.
  std::optional<std::size_t> prominent{};
  /// The death of the component that never dies; without it, the component is left out.
  std::optional<double> essential_death{};
};

/// The diagrams of every cloud, one group per kind, with the clouds' labels. The result does not depend on
/// the number of threads. `duplicates_merged`, if given, becomes the number of points, over all clouds, that
/// equal an earlier point of their cloud; they are merged.
[[nodiscard]] diagram::DiagramSet cloud_diagrams(const data::PointCloudDataset& clouds,
                                                 const CloudDiagramOptions& options = {},
                                                 const base::Context& context = {},
                                                 std::int64_t* duplicates_merged = nullptr);

}  // namespace perslay::features
