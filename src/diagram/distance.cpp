#include "finite_distance.h"
#include "ground_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include <perslay/diagram/distance.h>

namespace perslay::diagram {
namespace {

constexpr std::int32_t diagonal = MatchedPair::diagonal;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// The points of a diagram, sorted by what can happen to them. Indices refer to the diagram.
struct PointKinds {
  std::vector<Point> finite;
  std::vector<std::int32_t> finite_ids;
  std::vector<std::int32_t> infinite_ids;  ///< With an infinite coordinate, away from the diagonal.
  std::vector<std::int32_t> on_diagonal;   ///< With twice the same infinity.
};

PointKinds sort_by_kind(std::span<const Point> points) {
  PointKinds kinds;
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(points.size()); ++id) {
    const Point& p = points[at(id)];
    if (std::isfinite(p.birth) && std::isfinite(p.death)) {
      kinds.finite.push_back(p);
      kinds.finite_ids.push_back(id);
    } else {
      (p.birth == p.death ? kinds.on_diagonal : kinds.infinite_ids).push_back(id);
    }
  }
  return kinds;
}

double infinite_part(double x) { return std::isinf(x) ? x : 0; }

Point infinite_part(const Point& p) { return {infinite_part(p.birth), infinite_part(p.death)}; }

/// |x - y|, and 0 for twice the same infinity.
double difference(double x, double y) { return x == y ? 0 : std::abs(x - y); }

std::vector<std::int32_t> in_order(std::span<const Point> points, std::span<const std::int32_t> ids) {
  std::vector<std::int32_t> order(ids.begin(), ids.end());
  std::ranges::sort(order, {}, [&](std::int32_t id) {
    const Point& p = points[at(id)];
    return std::tuple(infinite_part(p), p, id);
  });
  return order;
}

/// The best matching of the infinite points of two diagrams, the same one for all orders: those with the same
/// infinite coordinates in the order of the finite one. Nothing if there are not as many in both.
std::optional<std::vector<MatchedPair>> match_infinite(std::span<const Point> a,
                                                       std::span<const std::int32_t> ids_a,
                                                       std::span<const Point> b,
                                                       std::span<const std::int32_t> ids_b) {
  if (ids_a.size() != ids_b.size()) return std::nullopt;
  const auto order_a = in_order(a, ids_a);
  const auto order_b = in_order(b, ids_b);
  std::vector<MatchedPair> pairs;
  for (std::size_t i = 0; i < order_a.size(); ++i) {
    const Point& p = a[at(order_a[i])];
    const Point& q = b[at(order_b[i])];
    if (infinite_part(p) != infinite_part(q)) return std::nullopt;
    const double apart = std::max(difference(p.birth, q.birth), difference(p.death, q.death));
    pairs.push_back({order_a[i], order_b[i], apart});
  }
  return pairs;
}

FiniteDistance finite_distance(std::span<const Point> a, std::span<const Point> b, const Metric& metric) {
  if (metric.type == Metric::Type::bottleneck) return bottleneck<InfinityNorm>(a, b);
  return metric.norm == GroundNorm::infinity
             ? wasserstein<InfinityNorm>(a, b, metric.order, metric.tolerance)
             : wasserstein<EuclideanNorm>(a, b, metric.order, metric.tolerance);
}

/// The distance of a whole of which `value` is one part and these pairs are the others: the maximum, or
/// (sum of s-th powers)^(1/s), in units of the largest so that powers stay within range.
double combine(double value, std::span<const MatchedPair> pairs, const Metric& metric) {
  if (pairs.empty()) return value;
  double largest = value;
  for (const auto& pair : pairs) largest = std::max(largest, pair.distance);
  if (metric.type == Metric::Type::bottleneck || largest == 0 || std::isinf(largest)) return largest;
  double sum = std::pow(value / largest, metric.order);
  for (const auto& pair : pairs) sum += std::pow(pair.distance / largest, metric.order);
  return largest * std::pow(sum, 1 / metric.order);
}

template <class Norm>
void add_finite_pairs(const PointKinds& a, const PointKinds& b, std::span<const std::int32_t> partner,
                      std::vector<MatchedPair>& pairs) {
  std::vector<char> served(b.finite.size(), 0);
  for (std::size_t i = 0; i < a.finite.size(); ++i) {
    if (partner[i] == diagonal) {
      pairs.push_back({a.finite_ids[i], diagonal, to_diagonal<Norm>(a.finite[i])});
      continue;
    }
    const auto j = at(partner[i]);
    served[j] = 1;
    pairs.push_back({a.finite_ids[i], b.finite_ids[j], length<Norm>(a.finite[i], b.finite[j])});
  }
  for (std::size_t j = 0; j < b.finite.size(); ++j)
    if (served[j] == 0) pairs.push_back({diagonal, b.finite_ids[j], to_diagonal<Norm>(b.finite[j])});
}

std::vector<MatchedPair> whole_matching(const PointKinds& a, const PointKinds& b,
                                        std::span<const std::int32_t> partner, GroundNorm norm,
                                        std::vector<MatchedPair> pairs) {
  if (norm == GroundNorm::infinity)
    add_finite_pairs<InfinityNorm>(a, b, partner, pairs);
  else
    add_finite_pairs<EuclideanNorm>(a, b, partner, pairs);
  for (const std::int32_t id : a.on_diagonal) pairs.push_back({id, diagonal, 0});
  for (const std::int32_t id : b.on_diagonal) pairs.push_back({diagonal, id, 0});
  std::ranges::sort(pairs, {},
                    [](const MatchedPair& pair) { return std::tuple(pair.a == diagonal, pair.a, pair.b); });
  return pairs;
}

}  // namespace

Distance distance(std::span<const Point> a, std::span<const Point> b, const Metric& metric,
                  const DistanceOptions& options) {
  const PointKinds kinds_a = sort_by_kind(a);
  const PointKinds kinds_b = sort_by_kind(b);
  auto infinite = match_infinite(a, kinds_a.infinite_ids, b, kinds_b.infinite_ids);
  if (!infinite) return {std::numeric_limits<double>::infinity(), 0, {}};

  const auto [value, relative_error, partner] = finite_distance(kinds_a.finite, kinds_b.finite, metric);
  Distance result{combine(value, *infinite, metric), relative_error, {}};
  if (options.matching)
    result.matching = whole_matching(kinds_a, kinds_b, partner, metric.norm, std::move(*infinite));
  return result;
}

}  // namespace perslay::diagram
