#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <perslay/network/graph_batch.h>
#include <perslay/network/rows.h>

namespace perslay::network {

/// Diagrams one after the other, without padding. Diagrams may be empty.
template <class T>
struct PackedDiagrams {
  std::vector<T> points{};               ///< birth, death, birth, death, ...
  std::vector<std::int64_t> offsets{0};  ///< Diagram i has the points offsets[i] ... offsets[i + 1] - 1.
};

/// A batch of items, the input of a network.
template <class T>
struct Batch {
  std::vector<PackedDiagrams<T>> diagrams{};  ///< One for each group; ignored for groups with trained times.
  Rows<T> features{};
  GraphBatch graphs{};  ///< Only for trained times.

  [[nodiscard]] std::size_t items() const noexcept { return features.count; }
};

}  // namespace perslay::network
