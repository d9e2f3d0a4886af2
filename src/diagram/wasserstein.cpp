#include "wasserstein.h"

#include "bottleneck.h"
#include "near_pairs.h"
#include "sparse_assignment.h"

#include <numeric>

namespace perslay::diagram {
namespace {

using Edge = SparseAssignment::Edge;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Tried with 6 to 24 and 3 to 12 on 500 and 2000 points: less suits points of a line or a cluster, more (up
// to twice as fast) suits points far from the diagonal; these are good on all.
constexpr std::size_t first_neighbours = 12;
constexpr std::size_t pairs_per_round = 3;

/// Sums that differ by less of their size are equal but for rounding.
constexpr double negligible = 1e-13;

/// A relative error below counts as none.
constexpr double exact = 1e-9;

template <class Norm>
class Solver {
 public:
  Solver(std::span<const Point> a, std::span<const Point> b, const Cost& cost)
      : a_(a),
        b_(b),
        cost_(cost),
        near_b_(b, cost),
        assignment_(diagonal_costs(a, cost), diagonal_costs(b, cost)) {}

  /// Solves on more and more pairs until the prices, lowered where pairs that are still missing forbid them,
  /// prove that the sum is within the relative error of the least one.
  Wasserstein solve(double tolerance) {
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

  /// Each point with its nearest ones of the other diagram, where that may be cheaper than the diagonal.
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

  /// Pairs that the prices forbid to leave out. Returns by how much all prices together are too high.
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

  /// All prices together, and their absolute values.
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
    const auto partner_a = assignment_.partner(SparseAssignment::set_a);
    const auto partner_b = assignment_.partner(SparseAssignment::set_b);
    for (std::size_t i = 0; i < a_.size(); ++i)
      sum += partner_a[i] == SparseAssignment::diagonal
                 ? assignment_.diagonal_price(SparseAssignment::set_a)[i]
                 : cost_(length<Norm>(a_[i], b_[static_cast<std::size_t>(partner_a[i])]));
    for (std::size_t j = 0; j < b_.size(); ++j)
      if (partner_b[j] == SparseAssignment::diagonal)
        sum += assignment_.diagonal_price(SparseAssignment::set_b)[j];
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
Wasserstein wasserstein(std::span<const Point> a, std::span<const Point> b, double order, double tolerance) {
  auto widest = bottleneck<Norm>(a, b);
  if (widest.value == 0 || std::isinf(widest.value)) return {widest.value, 0, std::move(widest.partner)};
  // bottleneck <= d_s <= (number of points)^(1/s) bottleneck: in this unit the least sum lies between 1 and
  // the number of points whatever the order, and what costs more need not be told apart.
  const double points = static_cast<double>(a.size() + b.size());
  return Solver<Norm>(a, b, {.unit = widest.value, .order = order, .most = 2 * points}).solve(tolerance);
}

template Wasserstein wasserstein<InfinityNorm>(std::span<const Point>, std::span<const Point>, double,
                                               double);
template Wasserstein wasserstein<EuclideanNorm>(std::span<const Point>, std::span<const Point>, double,
                                                double);

}  // namespace perslay::diagram
