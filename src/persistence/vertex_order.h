#pragma once

#include "keyed_order.h"

#include <perslay/data/graph.h>

namespace perslay::persistence {

/// A vertex's place in the order, 0 ... n-1.
using Rank = std::int32_t;

/// The total order of vertices by (value, id) in which every filtration of a graph is swept. Holds work
/// buffers.
class VertexOrder {
 public:
  /// Sorts; throws unless there is one finite value per vertex. O(n log n).
  void sort(const data::Graph& graph, std::span<const double> values);

  [[nodiscard]] Rank size() const noexcept { return size_; }
  [[nodiscard]] std::span<const Rank> ranks() const noexcept { return {rank_.data(), count()}; }
  [[nodiscard]] std::span<const data::Vertex> vertices() const noexcept { return {vertex_.data(), count()}; }
  /// The values in ascending order.
  [[nodiscard]] std::span<const double> values() const noexcept { return {value_.data(), count()}; }

 private:
  [[nodiscard]] std::size_t count() const noexcept { return static_cast<std::size_t>(size_); }
  void rank_by_counting(std::span<const double> values);
  void rank_by_sorting(std::span<const double> values);

  Rank size_ = 0;
  std::vector<Rank> rank_;            // of a vertex
  std::vector<data::Vertex> vertex_;  // at a rank
  std::vector<double> value_;         // at a rank
  KeyedOrder order_;
};

}  // namespace perslay::persistence
