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
  std::string_view name = "alpha";  ///< "alpha": squared radii, as GUDHI reports them; "alpha:radii": radii.
  bool radii = false;
};

/// The names of all filtrations of point clouds, with their help.
[[nodiscard]] const base::Registry<CloudFiltration>& cloud_filtrations();

/// cloud_filtrations().make(name).
[[nodiscard]] CloudFiltration parse_cloud_filtration(std::string_view name);

struct CloudDiagramOptions {
  CloudFiltration filtration{};
  /// h0 and h1, in the order in which groups are wanted.
  std::vector<diagram::Kind> kinds{diagram::Kind::h0, diagram::Kind::h1};
  /// Keep only so many points of each diagram, those farthest from the diagonal (see diagram::prominent). It
  /// is done cloud by cloud, before the diagrams are packed, and so saves memory.
  std::optional<std::size_t> prominent{};
  /// Where the component that never dies is let die; without it, it is left out.
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
