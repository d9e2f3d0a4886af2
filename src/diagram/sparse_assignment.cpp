#include "sparse_assignment.h"

#include <algorithm>
#include <limits>

namespace perslay::diagram {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

constexpr auto later = std::greater<>{};

}  // namespace

SparseAssignment::SparseAssignment(std::vector<double> diagonal_a, std::vector<double> diagonal_b) {
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

void SparseAssignment::solve(std::span<const Edge> new_edges) {
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

/// Sorts the edges by their ends: once for each set.
void SparseAssignment::index_edges() {
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

/// The lowest price of every point of a, then the highest of every point of b; who is served at these prices
/// by somebody alone is served so.
void SparseAssignment::first_prices() {
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

/// Lowers the prices that new edges forbid. Who pays less is not served any more.
void SparseAssignment::make_room(std::span<const Edge> new_edges) {
  auto& [a, b] = sides_;
  for (const Edge& edge : new_edges) {
    double& price = a.price[at(edge.a)];
    if (edge.cost - b.price[at(edge.b)] >= price) continue;
    price = edge.cost - b.price[at(edge.b)];
    const std::int32_t partner = std::exchange(a.partner[at(edge.a)], nobody);
    if (partner >= 0) b.partner[at(partner)] = nobody;
  }
}

/// Augmenting row reduction: a point of a that is not served takes the point of b which is cheapest for it,
/// and lowers that one's price until the second cheapest is as good; whom it displaces does the same.
void SparseAssignment::bid() {
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

void SparseAssignment::serve(Side& own, Side& other, std::int32_t start) {
  ++searches_;
  search_.best = infinity;
  search_.settled.clear();
  search_.heap.clear();
  scan(own, other, start, 0);
  while (!search_.heap.empty()) {
    std::ranges::pop_heap(search_.heap, later);
    const auto [distance, point] = search_.heap.back();
    search_.heap.pop_back();
    if (distance >= search_.best) break;
    if (distance > distance_[at(point)]) continue;  // reached on a shorter way since
    search_.settled.push_back(point);
    scan(own, other, other.partner[at(point)], distance);
  }
  update_prices(own, other, start);
  flip(own, other, start);
}

/// Ways on from a point of the own side: to the diagonal, or along an edge. A path can end there if the
/// point at the other end is served by nobody or by the diagonal.
void SparseAssignment::scan(const Side& own, const Side& other, std::int32_t point, double distance) {
  const double price = own.price[at(point)];
  if (const double end = distance + std::max(0.0, own.diagonal[at(point)] - price); end < search_.best) {
    search_.best = end;
    search_.leaving = point;
    search_.last = diagonal;
  }
  for (const Arc& arc : own.arcs_of(point)) {
    const auto target = at(arc.target);
    const double there = distance + std::max(0.0, arc.cost - price - other.price[target]);
    if (there >= search_.best || (reached_[target] == searches_ && there >= distance_[target])) continue;
    reached_[target] = searches_;
    distance_[target] = there;
    from_[target] = point;
    if (other.partner[target] >= 0) {
      search_.heap.emplace_back(there, arc.target);
      std::ranges::push_heap(search_.heap, later);
    } else {
      search_.best = there;
      search_.leaving = diagonal;
      search_.last = arc.target;
    }
  }
}

void SparseAssignment::update_prices(Side& own, Side& other, std::int32_t start) {
  own.price[at(start)] += search_.best;
  for (const std::int32_t point : search_.settled) {
    const double change = search_.best - distance_[at(point)];
    other.price[at(point)] -= change;
    own.price[at(other.partner[at(point)])] += change;
  }
}

void SparseAssignment::flip(Side& own, Side& other, std::int32_t start) {
  std::int32_t point = search_.last;
  if (search_.leaving != diagonal) {
    own.price[at(search_.leaving)] = own.diagonal[at(search_.leaving)];
    point = std::exchange(own.partner[at(search_.leaving)], diagonal);
    if (search_.leaving == start) return;
  }
  while (true) {
    const std::int32_t to = from_[at(point)];
    other.partner[at(point)] = to;
    point = std::exchange(own.partner[at(to)], point);
    if (to == start) return;
  }
}

}  // namespace perslay::diagram
