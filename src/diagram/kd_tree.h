#pragma once

#include "ground_norm.h"

#include <cstdint>
#include <span>
#include <vector>

namespace perslay::diagram {

/// A balanced k-d tree over finite points. Points are kept in the tree's order: a node holds the places
/// [begin, end), its two halves are its children, and the children come after it.
class KdTree {
 public:
  struct Node {
    Point low, high;  ///< The smallest box around its points.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t right = 0;  ///< The second child; the first one comes right after the node. 0 for leaves.

    [[nodiscard]] bool is_leaf() const noexcept { return right == 0; }
  };

  explicit KdTree(std::span<const Point> points);

  [[nodiscard]] std::span<const Node> nodes() const noexcept { return nodes_; }

  /// The points in the tree's order, and where each of them was.
  [[nodiscard]] std::span<const Point> points() const noexcept { return points_; }
  [[nodiscard]] std::span<const std::uint32_t> ids() const noexcept { return ids_; }

  /// At least this far are all points of a node from `p`.
  template <class Norm>
  [[nodiscard]] static double distance_to(const Node& node, Point p) noexcept {
    return Norm{}(std::max({node.low.birth - p.birth, p.birth - node.high.birth, 0.0}),
                  std::max({node.low.death - p.death, p.death - node.high.death, 0.0}));
  }

 private:
  void build(std::uint32_t begin, std::uint32_t end);

  std::vector<Node> nodes_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace perslay::diagram
