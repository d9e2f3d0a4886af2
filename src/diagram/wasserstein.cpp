#include "kd_tree.h"
#include "sparse_assignment.h"

#include <limits>

#include <perslay/base/random.h>

namespace perslay::diagram {
namespace {

using Edge = SparseAssignment::Edge;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Measured with 6 to 24 and 3 to 12, on 500 and 2000 points. Fewer suit points on a line or in a cluster;
// more are up to twice as fast for points far from the diagonal. These numbers do well on all.
constexpr std::size_t first_neighbours = 12;
constexpr std::size_t pairs_per_round = 3;

/// Two sums are equal up to rounding if they differ by less than this part of their size.
constexpr double negligible = 1e-13;

/// A smaller relative error counts as none.
constexpr double exact = 1e-9;

/// What a distance costs: its s-th power in some unit, or `most` if that is less.
struct Cost {
  double unit = 1;
  double order = 1;
  double most = infinity;

  [[nodiscard]] double operator()(double distance) const {
    const double x = distance / unit;
    return std::min(most, order == 1 ? x : order == 2 ? x * x : std::pow(x, order));
  }
  /// The distance that costs `cost`.
  [[nodiscard]] double inverse(double cost) const { return unit * std::pow(cost, 1 / order); }
};

/// Finds pairs of a point p and a point of a fixed set that cost less than the sum of their two prices.
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

  /// Sets the prices of the set's points.
  void set_prices(std::span<const double> prices) {
    for (std::size_t place = 0; place < prices_.size(); ++place) prices_[place] = prices[tree_.ids()[place]];
    for (std::size_t node = highest_.size(); node-- > 0;) {
      const auto& here = tree_.nodes()[node];
      highest_[node] = here.is_leaf()
                           ? *std::max_element(prices_.begin() + here.begin, prices_.begin() + here.end)
                           : std::max(highest_[node + 1], highest_[here.right]);
    }
  }

  /// Finds the `count` nearest of these points to p. Keys are distances.
  void nearest(Point p, double price, std::size_t count, std::vector<Pair>& pairs) const {
    pairs.clear();
    if (!tree_.nodes().empty()) add_nearest(0, p, price, count, pairs);
  }

  /// Finds up to `count` of these points whose prices exceed the cost by more than rounding can. A point of
  /// larger excess is likelier; chance keeps many points from all choosing the same few. Returns the largest
  /// excess.
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
    for (const auto& [child, distance] : tree_.children<Norm>(index, p))
      if (near_enough(distance) && worth(child, distance, price)) add_nearest(child, p, price, count, pairs);
  }

  void add_overpriced(std::uint32_t index, Point p, double price, std::size_t count, std::uint64_t seed,
                      std::vector<Pair>& pairs, double& largest) const {
    const auto& node = tree_.nodes()[index];
    if (!node.is_leaf()) {
      for (const std::uint32_t child : {index + 1, node.right})
        if (worth(child, tree_.distance_to<Norm>(child, p), price))
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

template <class Norm>
class Solver {
 public:
  Solver(std::span<const Point> a, std::span<const Point> b, const Cost& cost)
      : a_(a),
        b_(b),
        cost_(cost),
        near_b_(b, cost),
        assignment_(diagonal_costs(a, cost), diagonal_costs(b, cost)) {}

  /// Adds pairs and solves again until the prices prove that the sum is within the relative error of the
  /// least one. Prices that a missing pair forbids are lowered for the proof.
  FiniteDistance solve(double tolerance) {
    auto pairs = nearest_pairs();
    while (true) {
      assignment_.solve(pairs);
      const double excess = find_missing(pairs);
      const double sum = matching_cost();
      const auto [prices, size_of_prices] = sum_of_prices();
      const double gap = std::max(0.0, sum - (prices - excess));
      const double error = gap < sum ? std::pow(sum / (sum - gap), 1 / cost_.order) - 1 : infinity;
      const bool best = pairs.empty() || gap <= negligible * (sum + size_of_prices);
      const bool good_enough = error <= tolerance && sum < cost_.most;
      if (!best && !good_enough) continue;
      const auto partner = assignment_.partner(SparseAssignment::set_a);
      return {cost_.inverse(sum), error < exact ? 0 : error, {partner.begin(), partner.end()}};
    }
  }

 private:
  static std::vector<double> diagonal_costs(std::span<const Point> points, const Cost& cost) {
    std::vector<double> costs;
    costs.reserve(points.size());
    for (const Point& p : points) costs.push_back(cost(to_diagonal<Norm>(p)));
    return costs;
  }

  /// Pairs each point with its nearest ones of the other diagram, where that may be cheaper than the
  /// diagonal.
  std::vector<Edge> nearest_pairs() {
    std::vector<Edge> edges;
    std::vector<double> farthest(a_.size(), infinity);
    const auto diagonal_a = assignment_.diagonal_price(SparseAssignment::set_a);
    const auto diagonal_b = assignment_.diagonal_price(SparseAssignment::set_b);
    near_b_.set_prices(diagonal_b);
    for (std::size_t i = 0; i < a_.size(); ++i) {
      near_b_.nearest(a_[i], diagonal_a[i], first_neighbours, found_);
      for (const auto& [distance, j, cost] : found_) edges.push_back({static_cast<std::int32_t>(i), j, cost});
      if (found_.size() == first_neighbours) farthest[i] = found_.front().key;
    }
    NearPairs<Norm> near_a(a_, cost_);
    near_a.set_prices(diagonal_a);
    for (std::size_t j = 0; j < b_.size(); ++j) {
      near_a.nearest(b_[j], diagonal_b[j], first_neighbours, found_);
      for (const auto& [distance, i, cost] : found_)
        if (distance >= farthest[static_cast<std::size_t>(i)])
          edges.push_back({i, static_cast<std::int32_t>(j), cost});
    }
    return edges;
  }

  /// Finds missing pairs, which cost less than their prices. Returns by how much the sum of all prices is too
  /// high.
  double find_missing(std::vector<Edge>& edges) {
    edges.clear();
    double excess = 0;
    const auto price_a = assignment_.price(SparseAssignment::set_a);
    near_b_.set_prices(assignment_.price(SparseAssignment::set_b));
    for (std::size_t i = 0; i < a_.size(); ++i) {
      excess += near_b_.overpriced(a_[i], price_a[i], pairs_per_round, base::mix_bits(i), found_);
      for (const auto& [key, j, cost] : found_) edges.push_back({static_cast<std::int32_t>(i), j, cost});
    }
    return excess;
  }

  /// The sum of all prices, and the sum of their absolute values.
  [[nodiscard]] std::pair<double, double> sum_of_prices() const {
    double sum = 0;
    double size = 0;
    for (const auto set : {SparseAssignment::set_a, SparseAssignment::set_b})
      for (std::size_t i = 0; i < assignment_.price(set).size(); ++i) {
        const double price = std::min(assignment_.price(set)[i], assignment_.diagonal_price(set)[i]);
        sum += price;
        size += std::abs(price);
      }
    return {sum, size};
  }

  [[nodiscard]] double matching_cost() const {
    double sum = 0;
    for (const auto set : {SparseAssignment::set_a, SparseAssignment::set_b}) {
      const auto partner = assignment_.partner(set);
      for (std::size_t i = 0; i < partner.size(); ++i) {
        if (partner[i] == SparseAssignment::diagonal)
          sum += assignment_.diagonal_price(set)[i];
        else if (set == SparseAssignment::set_a)
          sum += cost_(length<Norm>(a_[i], b_[static_cast<std::size_t>(partner[i])]));
      }
    }
    return sum;
  }

  std::span<const Point> a_;
  std::span<const Point> b_;
  Cost cost_;
  NearPairs<Norm> near_b_;
  SparseAssignment assignment_;
  std::vector<typename NearPairs<Norm>::Pair> found_;
};

}  // namespace

template <class Norm>
FiniteDistance wasserstein(std::span<const Point> a, std::span<const Point> b, double order,
                           double tolerance) {
  auto widest = bottleneck<Norm>(a, b);
  if (widest.value == 0 || std::isinf(widest.value)) return {widest.value, 0, std::move(widest.partner)};
  // bottleneck <= d_s <= (number of points)^(1/s) bottleneck. So in this unit the least sum lies between 1
  // and the number of points for every order, and larger costs need not be told apart.
  const double points = static_cast<double>(a.size() + b.size());
  return Solver<Norm>(a, b, {.unit = widest.value, .order = order, .most = 2 * points}).solve(tolerance);
}

template FiniteDistance wasserstein<InfinityNorm>(std::span<const Point>, std::span<const Point>, double,
                                                  double);
template FiniteDistance wasserstein<EuclideanNorm>(std::span<const Point>, std::span<const Point>, double,
                                                   double);

}  // namespace perslay::diagram
