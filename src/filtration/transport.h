#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perslay::filtration {

/// The cheapest way to bring goods from sources to sinks where every way costs 1, 2 or 3: the primal-dual
/// method, which sends all it can along ways that cost 1 more, then 2, with a maximal flow (Dinic) each; what is
/// left costs 3, since nothing costs more. Exact up to the rounding of sums, so exact for amounts that are
/// whole numbers.
///
/// For a sources and b sinks, O(ab) memory and O(ab (a + b)) time in practice. An object holds work buffers:
/// reuse it, one object per thread.
class Transport {
 public:
  /// The least total of amount times cost. `supplies` and `demands` are positive, with equal sums up to
  /// rounding; costs[i * demands.size() + j] is that from source i to sink j.
  double operator()(std::span<const double> supplies, std::span<const double> demands,
                    std::span<const std::uint8_t> costs);

 private:
  /// The cost of the cheapest way from what is left to what is still wanted, among ways that give back goods sent
  /// before; fills `distance_`.
  int measure();
  /// Counts the steps to each node along cheapest ways. Whether a sink that lacks goods is reached.
  bool count_steps();
  /// Sends goods until every way of fewest steps is blocked; the amount sent.
  double send();
  [[nodiscard]] bool leads(std::size_t from, std::size_t to) const;
  [[nodiscard]] bool is_sink(std::size_t node) const noexcept { return node >= sources_; }
  [[nodiscard]] bool lacks(std::size_t node) const;
  [[nodiscard]] std::size_t way(std::size_t a, std::size_t b) const noexcept;
  [[nodiscard]] std::size_t first_across(std::size_t node) const noexcept;
  [[nodiscard]] std::size_t end_across(std::size_t node) const noexcept;
  double move_along_path();

  std::size_t sources_ = 0, nodes_ = 0;  // sources come first, then sinks
  std::span<const std::uint8_t> costs_;
  std::vector<double> amount_;  // left at a source, still wanted at a sink
  std::vector<double> sent_;    // [source][sink]
  std::vector<int> distance_;   // cost of the cheapest way to a node
  int nearest_ = 0;             // of these, that of the sinks that lack goods
  std::vector<int> steps_;
  std::vector<std::size_t> next_;  // the next node to try from each
  std::vector<std::size_t> path_, queue_;
};

}  // namespace perslay::filtration
