#include "infinite_points.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace perslay::diagram {
namespace {

double infinite_part(double x) { return std::isinf(x) ? x : 0; }

Point infinite_part(const Point& p) { return {infinite_part(p.birth), infinite_part(p.death)}; }

/// |x - y|, and 0 for twice the same infinity.
double difference(double x, double y) { return x == y ? 0 : std::abs(x - y); }

std::vector<std::int32_t> in_order(std::span<const Point> points, std::span<const std::int32_t> ids) {
  std::vector<std::int32_t> order(ids.begin(), ids.end());
  std::ranges::sort(order, {}, [&](std::int32_t id) {
    const Point& p = points[static_cast<std::size_t>(id)];
    return std::tuple(infinite_part(p), p, id);
  });
  return order;
}

}  // namespace

PointKinds sort_by_kind(std::span<const Point> points) {
  PointKinds kinds;
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(points.size()); ++id) {
    const Point& p = points[static_cast<std::size_t>(id)];
    if (std::isfinite(p.birth) && std::isfinite(p.death)) {
      kinds.finite.push_back(p);
      kinds.finite_ids.push_back(id);
    } else {
      (p.birth == p.death ? kinds.on_diagonal : kinds.infinite_ids).push_back(id);
    }
  }
  return kinds;
}

std::optional<std::vector<MatchedPair>> match_infinite(std::span<const Point> a,
                                                       std::span<const std::int32_t> ids_a,
                                                       std::span<const Point> b,
                                                       std::span<const std::int32_t> ids_b) {
  if (ids_a.size() != ids_b.size()) return std::nullopt;
  const auto order_a = in_order(a, ids_a);
  const auto order_b = in_order(b, ids_b);
  std::vector<MatchedPair> pairs;
  for (std::size_t i = 0; i < order_a.size(); ++i) {
    const Point& p = a[static_cast<std::size_t>(order_a[i])];
    const Point& q = b[static_cast<std::size_t>(order_b[i])];
    if (infinite_part(p) != infinite_part(q)) return std::nullopt;
    const double apart = std::max(difference(p.birth, q.birth), difference(p.death, q.death));
    pairs.push_back({order_a[i], order_b[i], apart});
  }
  return pairs;
}

}  // namespace perslay::diagram
