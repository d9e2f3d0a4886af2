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
#include <perslay/features/graph_diagrams.h>
#include <perslay/features/items.h>
#include <perslay/filtration/filtration.h>
#include <perslay/layer/vectorization.h>

namespace perslay::features {

/// Numbers that describe an item, chosen by name; docs/features.md has the formulas.
///
/// Features of a graph are computed from the graph itself: `eigenvalues`, `spectrum:Q`,
/// `spectrum-histogram:B`, `deciles:FUNCTION`, `size`, `degree-histogram:B`, `path-lengths:B`, `moments:K`,
/// `returns:N@SIGMA`. Some are keyed (see KeyedBlock): `wl:LEVELS`, and with node labels `wl-labels:LEVELS`,
/// `labels`, `label-returns:N@SIGMA`. Features of diagrams are computed from each of an item's diagrams, one
/// group after the other: `statistics`, `quantiles:Q`, `top:K`, `projection-quantiles:LxQ`,
/// `fourier:N@SIGMA`, the keyed `label-pairs` (of graphs with node labels) and the names of
/// layer::parse_vectorization, whose samples are placed in a frame that is fitted to diagrams, or in a given
/// range: `betti:60@0..0.08`. The width of `fourier` is in units of that frame. Before features of diagrams,
/// `h1/` restricts them to one kind, and `log/` (after it) takes logarithms: `h1/log/top:50`.
struct ItemFeature {
  enum class Type {
    eigenvalues,
    spectrum,
    spectrum_histogram,
    deciles,
    size,
    degree_histogram,
    path_lengths,
    moments,
    returns,
    colours,
    label_colours,
    labels,
    label_returns,
    statistics,
    quantiles,
    top,
    projection_quantiles,
    fourier,
    label_pairs,
    vectorization
  };

  enum class Source { graphs, diagrams };

  Type type = Type::size;
  Source source = Source::graphs;        ///< What it is computed from.
  std::string name{};                    ///< In canonical form.
  std::size_t count = 0;                 ///< Quantiles, bins, points, levels; projection_quantiles: lines.
  std::size_t width = 0;                 ///< Numbers per graph or per diagram, or per key; 0 if ragged.
  double sigma = 0;                      ///< returns, label_returns, fourier: the width of the Gaussian.
  filtration::Filtration function{};     ///< deciles.
  layer::Vectorization vectorization{};  ///< vectorization.
  std::optional<layer::Range> range{};   ///< vectorization: where samples are placed, if it is given.
  std::optional<diagram::Kind> kind{};   ///< Of diagrams: only those of this kind.
  bool log = false;                      ///< quantiles, top, projection_quantiles.

  [[nodiscard]] bool of_graphs() const noexcept { return source == Source::graphs; }
  /// Whether the feature is a KeyedBlock rather than a FeatureBlock.
  [[nodiscard]] bool is_keyed() const noexcept {
    return type == Type::colours || type == Type::label_colours || type == Type::labels ||
           type == Type::label_returns || type == Type::label_pairs;
  }
  /// Whether it reads node labels, which not all graphs have.
  [[nodiscard]] bool reads_labels() const noexcept { return is_keyed() && type != Type::colours; }
  /// Whether the feature depends on a frame fitted to the diagrams of many items.
  [[nodiscard]] bool is_fitted() const noexcept {
    return (type == Type::vectorization && !range) || type == Type::fourier;
  }
  /// Whether items have different numbers of values.
  [[nodiscard]] bool is_ragged() const noexcept { return type == Type::eigenvalues; }
  [[nodiscard]] bool reads(const diagram::DiagramGroup& group) const noexcept {
    return !of_graphs() && (!kind || *kind == group.kind);
  }
};

/// The names of all features without their prefixes, with their help.
[[nodiscard]] const base::Registry<ItemFeature>& item_features();

/// The feature of a name; an unknown name is the user's error.
[[nodiscard]] ItemFeature parse_item_feature(std::string_view name);
[[nodiscard]] std::vector<ItemFeature> parse_item_features(std::span<const std::string> names);

/// The blocks of features of graphs that are not keyed, in their order. The functions whose deciles are asked
/// for are looked up by name in `functions`, which may hold others too. Parallel over graphs, with the same
/// bytes for any number of threads.
[[nodiscard]] std::vector<FeatureBlock> graph_blocks(const data::GraphDataset& dataset,
                                                     std::span<const ItemFeature> features,
                                                     std::span<const GivenFunction> functions,
                                                     const base::Context& context = {});

/// The blocks of keyed features of graphs, in their order. Missing node labels are the user's error. Parallel
/// over graphs, with the same bytes for any number of threads.
[[nodiscard]] std::vector<KeyedBlock> keyed_blocks(const data::GraphDataset& dataset,
                                                   std::span<const ItemFeature> features,
                                                   const base::Context& context = {});

/// The block of a feature `label-pairs`; `groups` are diagrams of the dataset with their vertices.
[[nodiscard]] KeyedBlock label_pairs_block(const data::GraphDataset& dataset,
                                           std::span<const diagram::DiagramGroup> groups,
                                           const ItemFeature& feature, const base::Context& context = {});

/// The block of a feature of diagrams that is neither fitted nor keyed and reads at least one group. Parallel
/// over items, with the same bytes for any number of threads.
[[nodiscard]] FeatureBlock diagram_block(std::span<const diagram::DiagramGroup> groups,
                                         const ItemFeature& feature, const base::Context& context = {});

}  // namespace perslay::features
