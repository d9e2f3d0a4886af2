#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/data/generators.h>
#include <perslay/data/graph.h>
#include <perslay/diagram/diagram.h>

/// Graphs with functions on their vertices, and what the tests of this module have in common.
namespace perslay::test {

using data::Graph;
using data::Vertex;

inline std::size_t at(Vertex v) { return static_cast<std::size_t>(v); }

/// How values are drawn: from all different to all equal.
enum class Values { distinct, many_ties, heavy_ties, signed_zeros, extreme, constant };
inline constexpr int value_patterns = 6;

inline std::vector<double> draw_values(Vertex vertices, Values pattern, base::RandomStream& random) {
  static constexpr double zeros[] = {-0.0, 0.0, -1.0, 1.0};
  static constexpr double extremes[] = {-1.7e308, 1.7e308, 5e-324, -5e-324, 0.0, 1.0, 0x1.fffffffffffffp-1,
                                        -1e-300};
  std::vector<double> values(at(vertices));
  for (double& value : values) {
    switch (pattern) {
      case Values::distinct:
        value = random.uniform(-1, 1);
        break;
      case Values::many_ties:
        value = static_cast<double>(random.below(values.size()));
        break;
      case Values::heavy_ties:
        value = static_cast<double>(random.below(3)) / 3;
        break;
      case Values::signed_zeros:
        value = zeros[random.below(std::size(zeros))];
        break;
      case Values::extreme:
        value = extremes[random.below(std::size(extremes))];
        break;
      case Values::constant:
        value = 0.25;
        break;
    }
  }
  return values;
}

/// A random graph of a density drawn from empty to complete, sparse ones as likely as dense ones.
inline Graph draw_graph(Vertex vertices, base::RandomStream& random) {
  const double sparse = random.uniform(0, 4) / std::max(1.0, static_cast<double>(vertices));
  const std::uint64_t choice = random.below(8);
  return data::random_graph(vertices, choice == 0 ? 1.0 : choice < 5 ? sparse : random.uniform(), random);
}

struct Case {
  Graph graph;
  std::vector<double> values;
};

/// Up to `most` vertices; every pattern of values in turn.
inline Case draw_case(std::uint64_t item, Vertex most, std::uint64_t seed = 1) {
  base::RandomStream random(seed, item);
  const auto vertices = static_cast<Vertex>(random.below(at(most) + 1));
  Graph graph = draw_graph(vertices, random);
  return {graph, draw_values(vertices, static_cast<Values>(item % value_patterns), random)};
}

/// Edges (a, b) with a < b, in ascending order.
inline std::vector<std::pair<Vertex, Vertex>> edges_of(const Graph& graph) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex a = 0; a < graph.vertex_count(); ++a)
    for (const Vertex b : graph.neighbours(a))
      if (a < b) edges.emplace_back(a, b);
  return edges;
}

inline Graph make_graph(Vertex vertices, std::span<const std::pair<Vertex, Vertex>> pairs) {
  std::vector<data::Edge> edges;
  for (const auto& [a, b] : pairs) edges.push_back({a, b});
  return Graph::from_edges(vertices, edges);
}

/// Vertices in ascending order of (value, id).
inline std::vector<Vertex> ascending(std::span<const double> values) {
  std::vector<Vertex> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](Vertex a, Vertex b) { return std::pair(values[at(a)], a) < std::pair(values[at(b)], b); });
  return order;
}

/// rank[v] = the place of v in ascending order.
inline std::vector<Vertex> ranks(std::span<const double> values) {
  const std::vector<Vertex> order = ascending(values);
  std::vector<Vertex> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[at(order[i])] = static_cast<Vertex>(i);
  return rank;
}

inline std::vector<Vertex> draw_permutation(Vertex size, base::RandomStream& random) {
  std::vector<Vertex> permutation(at(size));
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[random.below(i)]);
  return permutation;
}

/// The same graph and function with vertex v called permutation[v].
inline Case relabelled(const Case& original, std::span<const Vertex> permutation) {
  auto edges = edges_of(original.graph);
  for (auto& [a, b] : edges) {
    a = permutation[at(a)];
    b = permutation[at(b)];
  }
  std::vector<double> values(original.values.size());
  for (std::size_t v = 0; v < values.size(); ++v) values[at(permutation[v])] = original.values[v];
  return {make_graph(original.graph.vertex_count(), edges), std::move(values)};
}

/// A staircase of valleys, each deeper than the one before and behind a higher pass, so that the valleys hang
/// under each other as one long chain; on its shallow end, peaks, each of which later meets lower vertices
/// and makes them climb the whole chain. From the highest down: peaks, passes (the last one highest),
/// valleys, pits.
inline Case staircase(Vertex valleys, Vertex peaks, Vertex pits, bool all_pits_meet_all_peaks) {
  const Vertex pass = valleys;
  const Vertex peak = 2 * valleys - 1;
  const Vertex pit = peak + peaks;
  std::vector<std::pair<Vertex, Vertex>> edges;
  std::vector<double> values(at(pit + pits));
  for (Vertex i = 0; i < valleys; ++i) values[at(i)] = -i;
  for (Vertex i = 0; i + 1 < valleys; ++i) {
    values[at(pass + i)] = 1 + i;
    edges.emplace_back(i, pass + i);
    edges.emplace_back(i + 1, pass + i);
  }
  for (Vertex i = 0; i < peaks; ++i) {
    values[at(peak + i)] = valleys + 1 + i;
    edges.emplace_back(0, peak + i);
  }
  for (Vertex i = 0; i < pits; ++i) {
    values[at(pit + i)] = -valleys - i;
    for (Vertex j = 0; j < peaks; ++j)
      if (all_pits_meet_all_peaks || i % peaks == j) edges.emplace_back(pit + i, peak + j);
  }
  return {test::make_graph(pit + pits, edges), std::move(values)};
}

template <class T>
std::vector<T> sorted(std::vector<T> items) {
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace perslay::test
