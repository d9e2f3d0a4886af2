#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace perslay::diagram {

/// The cheapest way to serve all points of two sets. The diagonal serves a point at a price of its own, or an
/// edge serves it together with a point of the other set.
///
/// Shortest augmenting paths with dual prices (Jonker and Volgenant 1987), symmetric in the two sets. Edges
/// may be added after a solution has been found; the next one starts from it. Prices keep u_a + v_b <= cost
/// of the edge (a, b), and u_a, v_b <= the price of the diagonal, so that their sum is never more than the
/// cost; in a solution it is the cost.
class SparseAssignment {
 public:
  struct Edge {
    std::int32_t a;
    std::int32_t b;
    double cost;
  };
  enum Set : std::size_t { set_a, set_b };

  static constexpr std::int32_t diagonal = -1;

  /// The prices of the diagonal for the points of each set.
  SparseAssignment(std::vector<double> diagonal_a, std::vector<double> diagonal_b) {
    const std::size_t most = std::max(diagonal_a.size(), diagonal_b.size());
    sides_[set_a].diagonal = std::move(diagonal_a);
    sides_[set_b].diagonal = std::move(diagonal_b);
    for (auto& side : sides_) {
      side.price = side.diagonal;
      side.partner.assign(side.diagonal.size(), nobody);
    }
    distance_.resize(most);
    reached_.resize(most);
    from_.resize(most);
  }

  /// Adds edges and solves. Points whose prices a new edge forbids are served anew.
  void solve(std::span<const Edge> new_edges) {
    edges_.insert(edges_.end(), new_edges.begin(), new_edges.end());
    index_edges();
    if (solved_before_)
      make_room(new_edges);
    else
      first_prices();
    solved_before_ = true;
    bid();
    for (const auto& [own, other] : {std::pair(set_a, set_b), std::pair(set_b, set_a)})
      for (std::int32_t point = 0; at(point) < sides_[own].partner.size(); ++point)
        if (sides_[own].partner[at(point)] == nobody) serve(sides_[own], sides_[other], point);
  }

  /// After solve(): who serves each point, and the prices.
  [[nodiscard]] std::span<const std::int32_t> partner(Set set) const { return sides_[set].partner; }
  [[nodiscard]] std::span<const double> price(Set set) const { return sides_[set].price; }
  [[nodiscard]] std::span<const double> diagonal_price(Set set) const { return sides_[set].diagonal; }

 private:
  static constexpr std::int32_t nobody = -2;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

  struct Arc {
    std::int32_t target;
    double cost;
  };
  struct Side {
    std::vector<double> diagonal;
    std::vector<double> price;
    std::vector<std::int32_t> partner;
    std::vector<std::size_t> first_arc;
    std::vector<Arc> arcs;

    [[nodiscard]] std::span<const Arc> arcs_of(std::int32_t point) const {
      return std::span(arcs).subspan(first_arc[at(point)], first_arc[at(point) + 1] - first_arc[at(point)]);
    }
  };

  /// Sorts the edges by their ends: once for each set.
  void index_edges() {
    for (const Set set : {set_a, set_b}) {
      Side& side = sides_[set];
      const auto own = [set](const Edge& edge) { return at(set == set_a ? edge.a : edge.b); };
      side.first_arc.assign(side.diagonal.size() + 2, 0);
      for (const Edge& edge : edges_) ++side.first_arc[own(edge) + 2];
      for (std::size_t i = 2; i < side.first_arc.size(); ++i) side.first_arc[i] += side.first_arc[i - 1];
      side.arcs.resize(edges_.size());
      for (const Edge& edge : edges_)
        side.arcs[side.first_arc[own(edge) + 1]++] = {set == set_a ? edge.b : edge.a, edge.cost};
      side.first_arc.pop_back();
    }
  }

  /// Sets first prices: the cheapest offer for each point of a, then the highest price that these allow for
  /// each point of b. Edges that cost exactly these prices are taken, at most one a point; so is the diagonal.
  void first_prices() {
    auto& [a, b] = sides_;
    for (const Edge& edge : edges_) a.price[at(edge.a)] = std::min(a.price[at(edge.a)], edge.cost);
    for (const Edge& edge : edges_)
      b.price[at(edge.b)] = std::min(b.price[at(edge.b)], edge.cost - a.price[at(edge.a)]);
    for (const Edge& edge : edges_)
      if (a.partner[at(edge.a)] == nobody && b.partner[at(edge.b)] == nobody &&
          edge.cost - a.price[at(edge.a)] <= b.price[at(edge.b)]) {
        a.partner[at(edge.a)] = edge.b;
        b.partner[at(edge.b)] = edge.a;
      }
    for (auto& side : sides_)
      for (std::size_t i = 0; i < side.partner.size(); ++i)
        if (side.partner[i] == nobody && side.price[i] == side.diagonal[i]) side.partner[i] = diagonal;
  }

  /// Lowers the prices of a that new edges forbid. A point whose price falls is no longer served.
  void make_room(std::span<const Edge> new_edges) {
    auto& [a, b] = sides_;
    for (const Edge& edge : new_edges) {
      double& price = a.price[at(edge.a)];
      if (edge.cost - b.price[at(edge.b)] >= price) continue;
      price = edge.cost - b.price[at(edge.b)];
      const std::int32_t partner = std::exchange(a.partner[at(edge.a)], nobody);
      if (partner >= 0) b.partner[at(partner)] = nobody;
    }
  }

  /// Augmenting row reduction: a point of a that nobody serves takes the point of b that is cheapest for it,
  /// and lowers the price of that one until the second cheapest is as good. The point that it displaces does
  /// the same.
  void bid() {
    auto& [a, b] = sides_;
    for (std::int32_t first = 0; at(first) < a.partner.size(); ++first) {
      std::int32_t bidder = first;
      for (int turns = 0; turns < 8 && bidder >= 0 && a.partner[at(bidder)] == nobody; ++turns) {
        double least = a.diagonal[at(bidder)];
        double second = infinity;
        std::int32_t choice = diagonal;
        for (const Arc& arc : a.arcs_of(bidder)) {
          const double cost = arc.cost - b.price[at(arc.target)];
          if (cost < least) {
            second = std::exchange(least, cost);
            choice = arc.target;
          } else if (cost < second) {
            second = cost;
          }
        }
        if (choice == diagonal) {
          a.price[at(bidder)] = least;
          a.partner[at(bidder)] = diagonal;
          break;
        }
        a.price[at(bidder)] = second;
        b.price[at(choice)] -= second - least;
        a.partner[at(bidder)] = choice;
        bidder = std::exchange(b.partner[at(choice)], bidder);
        if (bidder >= 0) a.partner[at(bidder)] = nobody;
      }
    }
  }

  void serve(Side& own, Side& other, std::int32_t start) {
    ++searches_;
    best_ = infinity;
    settled_.clear();
    heap_.clear();
    scan(own, other, start, 0);
    while (!heap_.empty()) {
      std::ranges::pop_heap(heap_, std::greater<>{});
      const auto [distance, point] = heap_.back();
      heap_.pop_back();
      if (distance >= best_) break;
      if (distance > distance_[at(point)]) continue;  // a shorter path was found since
      settled_.push_back(point);
      scan(own, other, other.partner[at(point)], distance);
    }
    update_prices(own, other, start);
    flip(own, other, start);
  }

  /// Goes on from a point of the own side: to the diagonal, or along an edge. A path can end at a point of
  /// the other side that nobody serves, or the diagonal.
  void scan(const Side& own, const Side& other, std::int32_t point, double distance) {
    const double price = own.price[at(point)];
    if (const double end = distance + std::max(0.0, own.diagonal[at(point)] - price); end < best_) {
      best_ = end;
      leaving_ = point;
      last_ = diagonal;
    }
    for (const Arc& arc : own.arcs_of(point)) {
      const auto target = at(arc.target);
      const double there = distance + std::max(0.0, arc.cost - price - other.price[target]);
      if (there >= best_ || (reached_[target] == searches_ && there >= distance_[target])) continue;
      reached_[target] = searches_;
      distance_[target] = there;
      from_[target] = point;
      if (other.partner[target] >= 0) {
        heap_.emplace_back(there, arc.target);
        std::ranges::push_heap(heap_, std::greater<>{});
      } else {
        best_ = there;
        leaving_ = diagonal;
        last_ = arc.target;
      }
    }
  }

  void update_prices(Side& own, Side& other, std::int32_t start) {
    own.price[at(start)] += best_;
    for (const std::int32_t point : settled_) {
      const double change = best_ - distance_[at(point)];
      other.price[at(point)] -= change;
      own.price[at(other.partner[at(point)])] += change;
    }
  }

  void flip(Side& own, Side& other, std::int32_t start) {
    std::int32_t point = last_;
    if (leaving_ != diagonal) {
      own.price[at(leaving_)] = own.diagonal[at(leaving_)];
      point = std::exchange(own.partner[at(leaving_)], diagonal);
      if (leaving_ == start) return;
    }
    while (true) {
      const std::int32_t to = from_[at(point)];
      other.partner[at(point)] = to;
      point = std::exchange(own.partner[at(to)], point);
      if (to == start) return;
    }
  }

  std::array<Side, 2> sides_;
  std::vector<Edge> edges_;
  bool solved_before_ = false;

  // The search for a shortest path, from a point of one side over points of the other.
  double best_ = 0;                    ///< The length of the shortest path that ends somewhere.
  std::int32_t last_ = diagonal;       ///< The other side's point where it ends, or
  std::int32_t leaving_ = diagonal;    ///< the own side's point that goes to the diagonal there.
  std::vector<std::int32_t> settled_;  ///< Points of the other side, nearest first.
  std::vector<std::pair<double, std::int32_t>> heap_;
  std::vector<double> distance_;        ///< Of the other side's points, if reached in this search.
  std::vector<std::uint32_t> reached_;  ///< The last search that reached them.
  std::vector<std::int32_t> from_;      ///< The own side's point from where.
  std::uint32_t searches_ = 0;
};

}  // namespace perslay::diagram
