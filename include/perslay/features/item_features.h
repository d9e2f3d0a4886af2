#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>
#include <perslay/data/graph_dataset.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/features/items.h>
#include <perslay/filtration/filtration.h>
#include <perslay/layer/vectorization.h>

namespace perslay::features {

/// Numbers that describe an item, chosen by name; docs/features.md has the formulas.
///
/// Features of a graph are computed from the graph itself: `eigenvalues`, `spectrum:Q`,
/// `spectrum-histogram:B`, `deciles:FUNCTION`, `size`, `degree-histogram:B`. Features of diagrams are
/// computed from each of an item's diagrams, one group after the other: `statistics`, `quantiles:Q`, `top:K`,
/// `projection-quantiles:LxQ` and the names of layer::parse_vectorization, whose samples are placed in a
/// frame that is fitted to diagrams, or in a given range: `betti:60@0..0.08`. Before features of diagrams,
/// `h1/` restricts them to one kind, and `log/` (after it) takes logarithms: `h1/log/top:50`.
struct ItemFeature {
  enum class Type {
    eigenvalues,
    spectrum,
    spectrum_histogram,
    deciles,
    size,
    degree_histogram,
    statistics,
    quantiles,
    top,
    projection_quantiles,
    vectorization
  };

  Type type = Type::size;
  std::string name;                      ///< In canonical form.
  std::size_t count = 0;                 ///< Quantiles, bins, points; projection_quantiles: lines.
  std::size_t ranks = 0;                 ///< projection_quantiles: quantiles per line.
  filtration::Filtration function{};     ///< deciles.
  layer::Vectorization vectorization{};  ///< vectorization.
  std::optional<layer::Range> range{};   ///< vectorization: where samples are placed, if it is given.
  std::optional<diagram::Kind> kind{};   ///< Of diagrams: only those of this kind.
  bool log = false;                      ///< quantiles, top, projection_quantiles.

  [[nodiscard]] bool of_graphs() const noexcept { return type <= Type::degree_histogram; }
  /// Whether it depends on a frame fitted to the diagrams of many items.
  [[nodiscard]] bool is_fitted() const noexcept { return type == Type::vectorization && !range; }
  /// Whether items differ in how many numbers they have.
  [[nodiscard]] bool is_ragged() const noexcept { return type == Type::eigenvalues; }
  [[nodiscard]] bool reads(const diagram::DiagramGroup& group) const noexcept {
    return !of_graphs() && (!kind || *kind == group.kind);
  }
  /// Numbers per graph or per diagram; 0 if ragged.
  [[nodiscard]] std::size_t width() const noexcept;
};

/// The names of all features without their prefixes, with their help.
[[nodiscard]] const base::Registry<ItemFeature>& item_features();

/// The feature behind a name; a name that means nothing is the user's mistake.
[[nodiscard]] ItemFeature parse_item_feature(std::string_view name);
[[nodiscard]] std::vector<ItemFeature> parse_item_features(std::span<const std::string> names);

/// The blocks of features of graphs, in their order. Parallel over graphs; the same bytes for any number of
/// threads.
[[nodiscard]] std::vector<FeatureBlock> graph_blocks(const data::GraphDataset& dataset,
                                                     std::span<const ItemFeature> features,
                                                     const base::Context& context = {});

/// The block of a feature of diagrams that is not fitted. It reads at least one group. Likewise parallel.
[[nodiscard]] FeatureBlock diagram_block(std::span<const diagram::DiagramGroup> groups,
                                         const ItemFeature& feature, const base::Context& context = {});

}  // namespace perslay::features
