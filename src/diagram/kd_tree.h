#pragma once

#include "finite_distance.h"

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace perslay::diagram {

/// A balanced k-d tree over finite points. The tree keeps its points in an order of its own. A node holds the
/// places [begin, end); its children hold the two halves and come after it.
class KdTree {
 public:
  struct Node {
    Point low, high;  ///< The smallest box around its points.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t right = 0;  ///< The second child; the first one comes right after the node. 0 for leaves.

    [[nodiscard]] bool is_leaf() const noexcept { return right == 0; }
  };

  explicit KdTree(std::span<const Point> points)
      : points_(points.begin(), points.end()), ids_(points.size()) {
    std::iota(ids_.begin(), ids_.end(), 0U);
    nodes_.reserve(points.size() / 2 + 1);
    if (!points.empty()) build(0, static_cast<std::uint32_t>(points.size()));
    std::ranges::transform(ids_, points_.begin(), [&](std::uint32_t id) { return points[id]; });
  }

  [[nodiscard]] std::span<const Node> nodes() const noexcept { return nodes_; }

  /// The points in the tree's order, and where each of them was.
  [[nodiscard]] std::span<const Point> points() const noexcept { return points_; }
  [[nodiscard]] std::span<const std::uint32_t> ids() const noexcept { return ids_; }

  /// A lower bound of the distances from `p` to the points of a node.
  template <class Norm>
  [[nodiscard]] double distance_to(std::uint32_t node, Point p) const noexcept {
    const Point &low = nodes_[node].low, &high = nodes_[node].high;
    return Norm{}(std::max({low.birth - p.birth, p.birth - high.birth, 0.0}),
                  std::max({low.death - p.death, p.death - high.death, 0.0}));
  }

  /// The children of an inner node with these bounds, the nearer child first.
  template <class Norm>
  [[nodiscard]] auto children(std::uint32_t node, Point p) const noexcept {
    const std::uint32_t left = node + 1, right = nodes_[node].right;
    std::array both{std::pair(left, distance_to<Norm>(left, p)),
                    std::pair(right, distance_to<Norm>(right, p))};
    if (both[1].second < both[0].second) std::swap(both[0], both[1]);
    return both;
  }

 private:
  void build(std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t leaf_size = 8;
    const auto self = static_cast<std::uint32_t>(nodes_.size());
    Node node{points_[ids_[begin]], points_[ids_[begin]], begin, end, 0};
    for (std::uint32_t place = begin; place < end; ++place) {
      const Point& p = points_[ids_[place]];
      node.low = {std::min(node.low.birth, p.birth), std::min(node.low.death, p.death)};
      node.high = {std::max(node.high.birth, p.birth), std::max(node.high.death, p.death)};
    }
    nodes_.push_back(node);
    if (end - begin <= leaf_size) return;

    // Halved first: the width of a box may be beyond the range of doubles.
    const bool by_birth =
        node.high.birth / 2 - node.low.birth / 2 >= node.high.death / 2 - node.low.death / 2;
    const std::uint32_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::uint32_t place) { return ids_.begin() + static_cast<std::ptrdiff_t>(place); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t i, std::uint32_t j) {
      return by_birth ? points_[i].birth < points_[j].birth : points_[i].death < points_[j].death;
    });
    build(begin, middle);
    nodes_[self].right = static_cast<std::uint32_t>(nodes_.size());
    build(middle, end);
  }

  std::vector<Node> nodes_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace perslay::diagram
