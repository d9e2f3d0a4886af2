#include "finite_distance.h"

#include <limits>
#include <optional>
#include <tuple>

#include <perslay/diagram/distance.h>

namespace perslay::diagram {
namespace {

constexpr std::int32_t diagonal = MatchedPair::diagonal;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

double infinite_part(double x) { return std::isinf(x) ? x : 0; }

Point infinite_part(const Point& p) { return {infinite_part(p.birth), infinite_part(p.death)}; }

/// The points of a diagram by kind. An id is a point's index in the diagram.
struct PointKinds {
  std::vector<Point> finite;
  std::vector<std::int32_t> finite_ids;
  std::vector<std::int32_t> infinite_ids;  ///< Away from the diagonal, sorted for matching.
  std::vector<std::int32_t> on_diagonal;   ///< Both coordinates are the same infinity.
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
  std::ranges::sort(kinds.infinite_ids, {}, [&](std::int32_t id) {
    return std::tuple(infinite_part(points[at(id)]), points[at(id)], id);
  });
  return kinds;
}

/// |x - y|, and 0 if both are the same infinity.
double difference(double x, double y) { return x == y ? 0 : std::abs(x - y); }

/// The best matching of the infinite points of two diagrams, which is the same for all orders: points with
/// the same infinite coordinate are matched in the order of the finite one. Nothing if one diagram has more
/// of them than the other.
std::optional<std::vector<MatchedPair>> match_infinite(std::span<const Point> a,
                                                       std::span<const std::int32_t> ids_a,
                                                       std::span<const Point> b,
                                                       std::span<const std::int32_t> ids_b) {
  if (ids_a.size() != ids_b.size()) return std::nullopt;
  std::vector<MatchedPair> pairs;
  for (std::size_t i = 0; i < ids_a.size(); ++i) {
    const Point &p = a[at(ids_a[i])], &q = b[at(ids_b[i])];
    if (infinite_part(p) != infinite_part(q)) return std::nullopt;
    const double apart = std::max(difference(p.birth, q.birth), difference(p.death, q.death));
    pairs.push_back({ids_a[i], ids_b[i], apart});
  }
  return pairs;
}

FiniteDistance finite_distance(std::span<const Point> a, std::span<const Point> b, const Metric& metric) {
  if (metric.type == Metric::Type::bottleneck) return bottleneck<InfinityNorm>(a, b);
  return metric.norm == GroundNorm::infinity
             ? wasserstein<InfinityNorm>(a, b, metric.order, metric.tolerance)
             : wasserstein<EuclideanNorm>(a, b, metric.order, metric.tolerance);
}

/// The distance of two diagrams, from that of their finite points (`value`) and the pairs of infinite ones:
/// the maximum, or (sum of s-th powers)^(1/s). It is computed in units of the largest, so that powers stay
/// within range.
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
