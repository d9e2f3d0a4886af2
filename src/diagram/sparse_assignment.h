#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perslay::diagram {

/// The cheapest way to serve all points of two sets, each by the diagonal at a price of its own or together
/// with a point of the other set along an edge.
///
/// Shortest augmenting paths with dual prices (Jonker and Volgenant 1987), symmetric in the two sets. Edges
/// may be added after a solution has been found; the next one starts from it. Prices keep
/// u_a + v_b <= cost of the edge (a, b), and u_a, v_b <= the price of the diagonal, so that their sum is
/// never more than the cost; in a solution it is the cost.
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
  SparseAssignment(std::vector<double> diagonal_a, std::vector<double> diagonal_b);

  /// Adds edges and solves. Points whose prices a new edge forbids are served anew.
  void solve(std::span<const Edge> new_edges);

  /// After solve(): who serves each point, and the prices.
  [[nodiscard]] std::span<const std::int32_t> partner(Set set) const { return sides_[set].partner; }
  [[nodiscard]] std::span<const double> price(Set set) const { return sides_[set].price; }
  [[nodiscard]] std::span<const double> diagonal_price(Set set) const { return sides_[set].diagonal; }

 private:
  static constexpr std::int32_t nobody = -2;

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
      const auto i = static_cast<std::size_t>(point);
      return std::span(arcs).subspan(first_arc[i], first_arc[i + 1] - first_arc[i]);
    }
  };

  /// The search for a shortest path, from a point of one side over points of the other.
  struct Search {
    double best = 0;                    ///< The length of the shortest path that ends somewhere.
    std::int32_t last = diagonal;       ///< The other side's point where it ends, or
    std::int32_t leaving = diagonal;    ///< the own side's point that goes to the diagonal there.
    std::vector<std::int32_t> settled;  ///< Points of the other side, nearest first.
    std::vector<std::pair<double, std::int32_t>> heap;
  };

  void index_edges();
  void make_room(std::span<const Edge> new_edges);
  void first_prices();
  void bid();
  void serve(Side& own, Side& other, std::int32_t start);
  void scan(const Side& own, const Side& other, std::int32_t point, double distance);
  void update_prices(Side& own, Side& other, std::int32_t start);
  void flip(Side& own, Side& other, std::int32_t start);

  std::array<Side, 2> sides_;
  std::vector<Edge> edges_;
  bool solved_before_ = false;

  Search search_;
  std::vector<double> distance_;        ///< Of the other side's points, if reached in this search.
  std::vector<std::uint32_t> reached_;  ///< The last search that reached them.
  std::vector<std::int32_t> from_;      ///< The own side's point from where.
  std::uint32_t searches_ = 0;
};

}  // namespace perslay::diagram
