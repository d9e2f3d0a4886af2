#pragma once

#include "kd_tree.h"
#include "sparse_assignment.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <perslay/base/random.h>

namespace perslay::diagram {

/// What a distance costs: its s-th power in some unit, or `most` if that is less.
struct Cost {
  double unit = 1;
  double order = 1;
  double most = std::numeric_limits<double>::infinity();

  [[nodiscard]] double operator()(double distance) const {
    const double x = distance / unit;
    return std::min(most, order == 1 ? x : order == 2 ? x * x : std::pow(x, order));
  }
  /// The distance that costs `cost`.
  [[nodiscard]] double inverse(double cost) const { return unit * std::pow(cost, 1 / order); }
};

/// Finds the pairs (a point p, a point of a fixed set) that cost less than the prices of both together.
template <class Norm>
class NearPairs {
 public:
  struct Pair {
    double key;       ///< What they are chosen by, the smallest first.
    std::int32_t id;  ///< The point of the set.
    double cost;
  };

  NearPairs(std::span<const Point> points, const Cost& cost)
      : tree_(points), cost_(cost), prices_(points.size()), highest_(tree_.nodes().size()) {}

  /// The prices of the set's points.
  void set_prices(std::span<const double> prices) {
    for (std::size_t place = 0; place < prices_.size(); ++place) prices_[place] = prices[tree_.ids()[place]];
    for (std::size_t node = highest_.size(); node-- > 0;) {
      const auto& here = tree_.nodes()[node];
      highest_[node] = here.is_leaf()
                           ? *std::max_element(prices_.begin() + here.begin, prices_.begin() + here.end)
                           : std::max(highest_[node + 1], highest_[here.right]);
    }
  }

  /// The `count` nearest of these points to p; keys are distances.
  void nearest(Point p, double price, std::size_t count, std::vector<Pair>& pairs) const {
    pairs.clear();
    if (!tree_.nodes().empty()) add_nearest(0, p, price, count, pairs);
  }

  /// Up to `count` of these points for which prices exceed the cost by more than rounding can, the larger the
  /// excess the likelier; returns the largest excess. Chance keeps many points from all choosing the same
  /// few.
  double overpriced(Point p, double price, std::size_t count, std::uint64_t seed,
                    std::vector<Pair>& pairs) const {
    pairs.clear();
    double largest = 0;
    if (!tree_.nodes().empty()) add_overpriced(0, p, price, count, seed, pairs, largest);
    return largest;
  }

 private:
  static bool by_key(const Pair& a, const Pair& b) { return a.key < b.key; }

  /// Keeps the `count` pairs of smallest keys, as a heap.
  static void keep(const Pair& pair, std::size_t count, std::vector<Pair>& pairs) {
    if (pairs.size() == count) {
      std::pop_heap(pairs.begin(), pairs.end(), by_key);
      pairs.pop_back();
    }
    pairs.push_back(pair);
    std::push_heap(pairs.begin(), pairs.end(), by_key);
  }

  [[nodiscard]] bool worth(std::uint32_t node, double distance, double price) const {
    return cost_(distance) < price + highest_[node];
  }
  [[nodiscard]] std::int32_t id(std::uint32_t place) const {
    return static_cast<std::int32_t>(tree_.ids()[place]);
  }

  void add_nearest(std::uint32_t index, Point p, double price, std::size_t count,
                   std::vector<Pair>& pairs) const {
    const auto& node = tree_.nodes()[index];
    const auto near_enough = [&](double distance) {
      return pairs.size() < count || distance < pairs.front().key;
    };
    if (node.is_leaf()) {
      for (std::uint32_t place = node.begin; place < node.end; ++place) {
        const double distance = length<Norm>(p, tree_.points()[place]);
        if (!near_enough(distance)) continue;
        const double cost = cost_(distance);
        if (cost < price + prices_[place]) keep({distance, id(place), cost}, count, pairs);
      }
      return;
    }
    std::uint32_t near = index + 1;
    std::uint32_t far = node.right;
    double near_distance = KdTree::distance_to<Norm>(tree_.nodes()[near], p);
    double far_distance = KdTree::distance_to<Norm>(tree_.nodes()[far], p);
    if (far_distance < near_distance) {
      std::swap(near, far);
      std::swap(near_distance, far_distance);
    }
    if (near_enough(near_distance) && worth(near, near_distance, price))
      add_nearest(near, p, price, count, pairs);
    if (near_enough(far_distance) && worth(far, far_distance, price))
      add_nearest(far, p, price, count, pairs);
  }

  void add_overpriced(std::uint32_t index, Point p, double price, std::size_t count, std::uint64_t seed,
                      std::vector<Pair>& pairs, double& largest) const {
    const auto& node = tree_.nodes()[index];
    if (!node.is_leaf()) {
      for (const std::uint32_t child : {index + 1, node.right})
        if (worth(child, KdTree::distance_to<Norm>(tree_.nodes()[child], p), price))
          add_overpriced(child, p, price, count, seed, pairs, largest);
      return;
    }
    for (std::uint32_t place = node.begin; place < node.end; ++place) {
      const double cost = cost_(length<Norm>(p, tree_.points()[place]));
      const double excess = price + prices_[place] - cost;
      if (excess <= 0) continue;
      largest = std::max(largest, excess);
      constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
      if (excess <= rounding * (std::abs(price) + std::abs(prices_[place]) + cost)) continue;
      const double chance = static_cast<double>(base::mix_bits(seed ^ place) >> 11) * 0x1p-53;
      const double key = -excess * (1 + chance);
      if (pairs.size() < count || key < pairs.front().key) keep({key, id(place), cost}, count, pairs);
    }
  }

  KdTree tree_;
  Cost cost_;
  std::vector<double> prices_;   ///< In the tree's order.
  std::vector<double> highest_;  ///< In each node.
};

}  // namespace perslay::diagram
