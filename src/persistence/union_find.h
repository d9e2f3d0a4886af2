#pragma once

#include "vertex_order.h"

#include <numeric>
#include <vector>

namespace perslay::persistence {

/// Disjoint sets of ranks, each represented by its lowest member: the elder rule's choice. Path halving.
class UnionFind {
 public:
  void reset(Rank size) {
    parent_.resize(static_cast<std::size_t>(size));
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  [[nodiscard]] Rank find(Rank x) {
    while (parent(x) != x) {
      parent(x) = parent(parent(x));
      x = parent(x);
    }
    return x;
  }

  /// Merges the sets with the representatives `elder` < `younger`.
  void merge(Rank elder, Rank younger) { parent(younger) = elder; }

 private:
  Rank& parent(Rank x) { return parent_[static_cast<std::size_t>(x)]; }

  std::vector<Rank> parent_;
};

}  // namespace perslay::persistence
