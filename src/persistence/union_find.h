#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace perslay::persistence {

/// Disjoint sets of the numbers 0 ... n-1, each represented by the member that outlives the others. Path halving.
class UnionFind {
 public:
  void reset(std::size_t size) {
    parent_.resize(size);
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  [[nodiscard]] bool is_root(std::int32_t x) const { return parent_[static_cast<std::size_t>(x)] == x; }

  [[nodiscard]] std::int32_t find(std::int32_t x) {
    while (parent(x) != x) x = parent(x) = parent(parent(x));
    return x;
  }

  /// Merges the set represented by `younger` into the one represented by `elder`.
  void merge(std::int32_t elder, std::int32_t younger) { parent(younger) = elder; }

 private:
  std::int32_t& parent(std::int32_t x) { return parent_[static_cast<std::size_t>(x)]; }

  std::vector<std::int32_t> parent_;
};

}  // namespace perslay::persistence
