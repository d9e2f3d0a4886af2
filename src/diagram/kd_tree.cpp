#include "kd_tree.h"

#include <numeric>

namespace perslay::diagram {
namespace {

constexpr std::uint32_t leaf_size = 8;

}  // namespace

KdTree::KdTree(std::span<const Point> points) : points_(points.begin(), points.end()), ids_(points.size()) {
  std::iota(ids_.begin(), ids_.end(), 0U);
  nodes_.reserve(points.size() / 2 + 1);
  if (!points.empty()) build(0, static_cast<std::uint32_t>(points.size()));
  std::ranges::transform(ids_, points_.begin(), [&](std::uint32_t id) { return points[id]; });
}

void KdTree::build(std::uint32_t begin, std::uint32_t end) {
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
  const bool by_birth = node.high.birth / 2 - node.low.birth / 2 >= node.high.death / 2 - node.low.death / 2;
  const std::uint32_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::uint32_t place) { return ids_.begin() + static_cast<std::ptrdiff_t>(place); };
  std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t i, std::uint32_t j) {
    return by_birth ? points_[i].birth < points_[j].birth : points_[i].death < points_[j].death;
  });
  build(begin, middle);
  nodes_[self].right = static_cast<std::uint32_t>(nodes_.size());
  build(middle, end);
}

}  // namespace perslay::diagram
