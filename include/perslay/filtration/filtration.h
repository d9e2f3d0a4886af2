#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>
#include <perslay/data/graph.h>

namespace perslay::filtration {

/// What `hks:T` and `hks:T~EPS` stand for.
struct HeatKernel {
  double time = 0;       ///< The diffusion parameter T.
  double tolerance = 0;  ///< 0 for exact values, otherwise the error EPS that is allowed.
};

/// A function of vertices, or of edges, chosen by name: exactly one of the members after the name says where its
/// values come from.
struct Filtration {
  /// Fills values[v] for every vertex of one graph; thread-safe.
  using Compute = std::function<void(const data::Graph&, std::span<double>, const base::Context&)>;

  std::string name;                         ///< In canonical form: "hks:10", "degree", "file:values.txt".
  Compute compute{};                        ///< A function that is computed graph by graph.
  std::optional<HeatKernel> heat_kernel{};  ///< All times of a graph are computed together.
  std::string path{};                       ///< A file with one value per line, one line per vertex.
  std::optional<std::size_t> attribute{};   ///< A column of the dataset's node attributes, counted from 0.
  std::string label{};                      ///< A node label as in the source: 1 where it is, otherwise 0.
  bool edge_weights = false;                ///< Values of edges: their weights.
};

/// The names of all filtrations, with their help.
[[nodiscard]] const base::Registry<Filtration>& filtrations();

/// filtrations().make(name).
[[nodiscard]] Filtration parse_filtration(std::string_view name);

/// The names that a list of names stands for: `hks:0.1..10x3` is hks:0.1, hks:1 and hks:10, even on a log scale;
/// `deciles:hks:0.1..10x3` likewise. Times between the ends have three digits, or as many more as tell all apart; ends
/// too near for that are the user's error. All other names stay as they are.
[[nodiscard]] std::vector<std::string> expand_times(std::span<const std::string> names);

}  // namespace perslay::filtration
