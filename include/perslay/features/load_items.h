#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/graph_dataset.h>
#include <perslay/data/orbits.h>
#include <perslay/data/point_cloud.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/features/input_kind.h>
#include <perslay/features/items.h>

namespace perslay::features {

/// What is to be known about each item.
struct LoadRequest {
  /// Empty: the default of the kind of input; all groups of a diagram file.
  std::vector<std::string> filtrations{};
  /// Likewise.
  std::vector<diagram::Kind> kinds{};
  std::string essential = "drop";  ///< What becomes of classes that never die: drop, clip or clip:VALUE.
  bool drop_diagonal = false;      ///< Drop points of ext0 and ext1 on the diagonal.
  /// Item by item, in their order: prom:K, sqrt, clip:A:B. Those that are fitted to many items are refused.
  std::vector<std::string> transforms{};
  /// Names of features (see item_features.h). Those that need no fit become blocks of the items.
  std::vector<std::string> features{};
  bool keep_diagrams = true;  ///< false: only blocks are kept, and groups are empty.
  bool keep_graphs = false;   ///< Whether Items has the graphs.
  /// Whether a model is to predict the items: a node label that none of them has is no mistake then.
  bool to_predict = false;

  friend bool operator==(const LoadRequest&, const LoadRequest&) = default;
};

/// The files that names such as `file:values.txt` and `deciles:file:values.txt` stand for.
[[nodiscard]] std::vector<std::filesystem::path> files_named(const LoadRequest& request);

/// Diagrams and features of the items of a source: points reordered to (min, max), without vertices; infinite
/// ones are the user's mistake. The result does not depend on the number of threads.
[[nodiscard]] Items make_items(const data::GraphDataset& graphs, const LoadRequest& request,
                               const base::Context& context = {});
[[nodiscard]] Items make_items(const data::PointCloudDataset& clouds, const LoadRequest& request,
                               const base::Context& context = {});
/// The groups that are asked for must be there. `sizes` counts the points of all groups of the set.
[[nodiscard]] Items make_items(diagram::DiagramSet set, const LoadRequest& request,
                               const base::Context& context = {});

/// The items of data::make_orbits(orbits, 0, orbits.size(), context), made piece by piece: the clouds are
/// never in memory together.
[[nodiscard]] Items make_items(const data::OrbitSet& orbits, const LoadRequest& request,
                               const base::Context& context = {});

struct LoadOptions {
  const InputKind* as = nullptr;  ///< How the path is read; null: as input_kind_of says.
  ReadOptions reading{};
  /// Receives sentences about the source that a person should see once.
  std::function<void(const std::string&)> remark{};
  /// The folder where items are kept that take long (see cache.h); it is made if need be. Empty: none.
  std::filesystem::path cache{};
  double cache_seconds = 0.5;  ///< Items that were computed in less are not kept; nor those above a gigabyte.
};

/// What a path is read as: what the options say, or else what input_kind_of says.
[[nodiscard]] const InputKind& kind_of(const std::filesystem::path& data, const LoadRequest& request,
                                       const LoadOptions& options);

/// The items of whatever a path holds (see kind_of). A cache that is damaged or cannot be written is no
/// error, but remarked upon. Graphs that are to be kept come from the source even if all else comes from
/// the cache.
[[nodiscard]] Items load_items(const std::filesystem::path& data, const LoadRequest& request,
                               const base::Context& context = {}, const LoadOptions& options = {});

}  // namespace perslay::features
