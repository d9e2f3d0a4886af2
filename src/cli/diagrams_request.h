#pragma once

#include "options.h"

#include <string>
#include <string_view>
#include <vector>

#include <perslay/diagram/diagram_set.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/graph_diagrams.h>

namespace perslay::cli {

/// The command line of `perslay diagrams` as the user wrote it.
struct DiagramsOptions {
  CommonOptions common;
  std::string data;
  std::vector<std::string> filtrations;
  std::vector<std::string> kinds;
  bool ordinary = false;
  std::string essential;
  bool keep_diagonal = false;
  bool cycles = false;
  bool one_based = false;
  std::vector<std::string> transforms;
  std::string output;
  std::string plot;
};

inline constexpr std::string_view default_graph_filtration = "hks:10";
inline constexpr std::string_view default_cloud_filtration = "alpha";

/// What the command line means for graphs.
struct GraphRequest {
  explicit GraphRequest(const DiagramsOptions& options);

  std::vector<filtration::Filtration> filtrations;
  features::GraphDiagramOptions options;
};

/// What it means for point clouds; options that are about graphs are the user's mistake.
struct CloudRequest {
  explicit CloudRequest(const DiagramsOptions& options);

  /// One for each filtration.
  std::vector<features::CloudDiagramOptions> options;
};

/// Whether DATA is a diagram file that is to be drawn as it is: it keeps no clouds to compute others from.
/// Options about what is computed are the user's mistake then.
[[nodiscard]] bool wants_file_drawn(const DiagramsOptions& options);

/// The groups of a diagram file that the command line asks for; none at all is the user's mistake.
[[nodiscard]] diagram::DiagramSet chosen_groups(const DiagramsOptions& options, diagram::DiagramSet set);

/// Whether DATA is read as point clouds: because it can hold nothing else, or because the filtrations are
/// those of clouds. A filtration that does not suit DATA is the user's mistake.
[[nodiscard]] bool wants_clouds(const DiagramsOptions& options);

/// In the order in which they are applied.
[[nodiscard]] std::vector<diagram::Transform> chosen_transforms(const DiagramsOptions& options);

}  // namespace perslay::cli
