#include "keyed_row.h"
#include "return_features.h"

#include <algorithm>
#include <concepts>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/base/random.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/chebyshev_diagonals.h>

namespace perslay::features {
namespace {

using data::Graph;
using data::GraphDataset;
using data::Vertex;
using Type = ItemFeature::Type;

/// A key of 64 bits for a sequence of numbers, the same in every program and dataset. Different sequences of
/// a set of k have the same key with a probability of about k^2 / 2^65: 3e-8 for a million. It is no
/// base::Hasher because model files hold these keys, so they must never change.
class KeyBuilder {
 public:
  KeyBuilder& add(std::integral auto number) noexcept {
    state_ = base::mix_bits(state_ ^ static_cast<std::uint64_t>(number)) + 0x9E3779B97F4A7C15ULL;
    return *this;
  }
  KeyBuilder& add(std::string_view text) noexcept {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return base::mix_bits(state_); }

 private:
  std::uint64_t state_ = 0;
};

template <class... Parts>
std::uint64_t key_of(const Parts&... parts) noexcept {
  KeyBuilder key;
  (key.add(parts), ...);
  return key.value();
}

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

/// The colours that `levels` rounds of colour refinement (Weisfeiler and Lehman 1968) give to vertices: those
/// of level 0 first, then those of level 1, ... Level 0 tells node labels apart; without labels all vertices
/// have one colour. The next colour of a vertex is the key of its level, its colour and the multiset of its
/// neighbours' colours, so equal trees of neighbours have equal colours in all graphs, without a dictionary.
/// O(levels (n + m)).
std::vector<std::uint64_t> refined_colours(const Graph& graph, std::size_t levels,
                                           std::span<const int> labels) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::uint64_t> colours;
  colours.reserve(n * (levels + 1));
  for (std::size_t v = 0; v < n; ++v)
    colours.push_back(labels.empty() ? key_of("constant") : key_of("label", labels[v]));
  for (std::size_t level = 1; level <= levels; ++level) {
    const std::size_t before = colours.size() - n;
    for (std::size_t v = 0; v < n; ++v) {
      // The key of a multiset is made of two sums, which do not depend on an order. Two of them, because
      // copies are not independent: 2^k of each colour leave 64 - k bits of one sum.
      std::uint64_t first = 0, second = 0;
      for (const Vertex w : graph.neighbours(static_cast<Vertex>(v))) {
        const std::uint64_t colour = colours[before + static_cast<std::size_t>(w)];
        first += base::mix_bits(colour);
        second += base::mix_bits(~colour);
      }
      colours.push_back(key_of(level, colours[before + v], first, second));
    }
  }
  return colours;
}

/// The random Fourier features of each label's vertices.
KeyedRow label_returns(const Graph& graph, std::span<const int> labels, const ReturnFeatures& returns,
                       filtration::ChebyshevDiagonals& diagonals, const base::Context& context) {
  diagonals.compute(graph, ReturnFeatures::degree, context);
  std::vector<std::uint64_t> keys;
  keys.reserve(labels.size());
  for (const int label : labels) keys.push_back(key_of("label", label));
  return returns.by_key(graph, diagonals, keys);
}

}  // namespace

std::vector<KeyedBlock> keyed_blocks(const GraphDataset& dataset, std::span<const ItemFeature> features,
                                     const base::Context& context) {
  std::vector<KeyedBlock> blocks;
  base::Context inside = context;
  inside.progress = nullptr;
  for (const auto& feature : features) {
    if (!feature.of_graphs() || !feature.is_keyed())
      throw base::internal_error(fmt::format("{} is not a keyed feature of graphs.", feature.name));
    if (feature.reads_labels()) require_labels(dataset, feature);
    std::optional<ReturnFeatures> returns;
    if (feature.type == Type::label_returns) returns.emplace(feature.count, feature.sigma);
    std::vector<KeyedRow> rows(dataset.size());
    base::parallel_for(
        context, feature.name, dataset.size(), [] { return filtration::ChebyshevDiagonals(); },
        [&](std::size_t g, filtration::ChebyshevDiagonals& diagonals) {
          const Graph& graph = dataset.graphs[g];
          const auto labels = labels_of(dataset, g);
          if (feature.type == Type::labels)
            rows[g] = label_counts(graph, labels);
          else if (returns)
            rows[g] = label_returns(graph, labels, *returns, diagonals, inside);
          else
            rows[g] = count_keys(refined_colours(graph, feature.count,
                                                 feature.reads_labels() ? labels : std::span<const int>{}));
        });
    blocks.push_back(pack_rows(feature.name, feature.width, std::move(rows)));
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
  return pack_rows(feature.name, feature.width, std::move(rows));
}

}  // namespace perslay::features
