#include "key_hash.h"
#include "keyed_row.h"
#include "return_features.h"
#include "weisfeiler_lehman.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/chebyshev_diagonals.h>

namespace perslay::features {
namespace {

using data::Graph;
using data::GraphDataset;
using data::Vertex;
using Type = ItemFeature::Type;

void require_labels(const GraphDataset& dataset, const ItemFeature& feature) {
  if (!dataset.node_labels.empty() || dataset.vertex_offsets.back() == 0) return;
  throw base::user_error(fmt::format("{} reads node labels, and the graphs{} have none.", feature.name,
                                     dataset.name.empty() ? "" : " of " + dataset.name));
}

std::span<const int> labels_of(const GraphDataset& dataset, std::size_t graph) {
  if (dataset.node_labels.empty()) return {};
  return std::span(dataset.node_labels)
      .subspan(static_cast<std::size_t>(dataset.vertex_offsets[graph]),
               static_cast<std::size_t>(dataset.graphs[graph].vertex_count()));
}

/// Labels, unordered pairs of labels on edges, and pairs of label and degree.
KeyedRow label_counts(const Graph& graph, std::span<const int> labels) {
  std::vector<std::uint64_t> keys;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const int label = labels[static_cast<std::size_t>(v)];
    keys.push_back(key_of("label", label));
    keys.push_back(key_of("label and degree", label, graph.degree(v)));
    for (const Vertex w : graph.neighbours(v)) {
      if (w < v) continue;
      const auto [low, high] = std::minmax(label, labels[static_cast<std::size_t>(w)]);
      keys.push_back(key_of("edge", low, high));
    }
  }
  return count_keys(std::move(keys));
}

using Diagonals = filtration::ChebyshevDiagonals;
using RowOf = std::function<KeyedRow(const Graph&, std::span<const int> labels, Diagonals&)>;

/// What makes the row of a graph.
RowOf row_maker(const ItemFeature& feature, const base::Context& context) {
  switch (feature.type) {
    case Type::colours:
      return [levels = feature.count](const Graph& graph, std::span<const int>, Diagonals&) {
        return count_keys(refined_colours(graph, levels));
      };
    case Type::label_colours:
      return [levels = feature.count](const Graph& graph, std::span<const int> labels, Diagonals&) {
        return count_keys(refined_colours(graph, levels, labels));
      };
    case Type::label_returns:
      return [returns = std::make_shared<ReturnFeatures>(feature.count, feature.sigma), context](
                 const Graph& graph, std::span<const int> labels, Diagonals& diagonals) {
        diagonals.compute(graph, ReturnFeatures::degree, context);
        return returns->by_label(graph, diagonals, labels);
      };
    case Type::labels:
      return [](const Graph& graph, std::span<const int> labels, Diagonals&) {
        return label_counts(graph, labels);
      };
    case Type::eigenvalues:
    case Type::spectrum:
    case Type::spectrum_histogram:
    case Type::deciles:
    case Type::size:
    case Type::degree_histogram:
    case Type::path_lengths:
    case Type::moments:
    case Type::returns:
    case Type::statistics:
    case Type::quantiles:
    case Type::top:
    case Type::projection_quantiles:
    case Type::fourier:
    case Type::label_pairs:
    case Type::vectorization:
      break;
  }
  throw base::internal_error(fmt::format("{} is not a keyed feature of graphs.", feature.name));
}

}  // namespace

std::vector<KeyedBlock> keyed_blocks(const GraphDataset& dataset, std::span<const ItemFeature> features,
                                     const base::Context& context) {
  std::vector<KeyedBlock> blocks;
  base::Context inside = context;
  inside.progress = nullptr;
  for (const auto& feature : features) {
    if (feature.reads_labels()) require_labels(dataset, feature);
    const auto row_of = row_maker(feature, inside);
    std::vector<KeyedRow> rows(dataset.size());
    base::parallel_for(
        context, feature.name, dataset.size(), [] { return Diagonals(); },
        [&](std::size_t g, Diagonals& diagonals) {
          rows[g] = row_of(dataset.graphs[g], labels_of(dataset, g), diagonals);
        });
    blocks.push_back(pack_rows(feature.name, feature.width(), std::move(rows)));
  }
  return blocks;
}

KeyedBlock label_pairs_block(const GraphDataset& dataset, std::span<const diagram::DiagramGroup> groups,
                             const ItemFeature& feature, const base::Context& context) {
  require_labels(dataset, feature);
  std::vector<KeyedRow> rows(dataset.size());
  base::parallel_for(context, feature.name, dataset.size(), [&](std::size_t g) {
    const auto labels = labels_of(dataset, g);
    const auto add_label = [&](KeyBuilder& key, Vertex v) {  // a coordinate may be no vertex's
      key.add(v >= 0).add(v >= 0 ? labels[static_cast<std::size_t>(v)] : 0);
    };
    std::vector<std::uint64_t> keys;
    for (const auto& group : groups) {
      if (!feature.reads(group)) continue;
      for (const auto& [birth, death] : group.diagrams.vertices(g)) {
        KeyBuilder key;
        key.add(group.filtration).add(diagram::kind_name(group.kind));
        add_label(key, birth);
        add_label(key, death);
        keys.push_back(key.value());
      }
    }
    rows[g] = count_keys(std::move(keys));
  });
  return pack_rows(feature.name, feature.width(), std::move(rows));
}

}  // namespace perslay::features
