#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/diagram/distance.h>

/// Diagrams to measure, and slow ways to measure them that share nothing with the library.
namespace perslay::test {

using diagram::GroundNorm;
using diagram::Metric;
using diagram::Point;
using Points = std::vector<Point>;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- diagrams

/// Points on both sides of the diagonal.
inline Points uniform_points(std::size_t size, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) p = {random.uniform(), random.uniform()};
  return points;
}

/// Points far above the diagonal: almost nobody goes there.
inline Points far_away(std::size_t size, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) p = {random.uniform(), 5 + random.uniform()};
  return points;
}

/// Small integers: ties, equal points, points of the diagonal.
inline Points integers(std::size_t size, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) p = {static_cast<double>(random.below(5)), static_cast<double>(random.below(5))};
  return points;
}

/// Births 0, as in the diagrams of connected components of point clouds.
inline Points on_a_line(std::size_t size, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) p = {0, std::abs(random.normal())};
  return points;
}

/// A tight group far from everything: all neighbours are about equally near.
inline Points cluster(std::size_t size, base::RandomStream& random) {
  const Point centre{random.uniform(), 8 + random.uniform()};
  Points points(size);
  for (Point& p : points)
    p = {centre.birth + 1e-3 * random.uniform(), centre.death + 1e-3 * random.uniform()};
  return points;
}

/// Many points of little persistence and a few of large persistence, of very different sizes.
inline Points long_tailed(std::size_t size, base::RandomStream& random) {
  Points points(size);
  for (Point& p : points) {
    p.birth = random.uniform();
    p.death = p.birth + std::pow(10.0, -6 * random.uniform());
  }
  return points;
}

struct Family {
  std::string name;
  Points (*make)(std::size_t, base::RandomStream&);
};

inline const std::vector<Family>& families() {
  static const std::vector<Family> all{{"uniform", uniform_points}, {"far_away", far_away},
                                       {"integers", integers},      {"on_a_line", on_a_line},
                                       {"cluster", cluster},        {"long_tailed", long_tailed}};
  return all;
}

// ---- definitions

inline double length(const Metric& metric, const Point& p, const Point& q) {
  const double x = p.birth - q.birth;
  const double y = p.death - q.death;
  return metric.norm == GroundNorm::euclidean ? std::hypot(x, y) : std::max(std::abs(x), std::abs(y));
}

inline double to_diagonal(const Metric& metric, const Point& p) {
  const double height = std::abs(p.death - p.birth);
  return metric.norm == GroundNorm::euclidean ? height / std::sqrt(2.0) : height / 2;
}

/// The cost of a whole, from the distances of its pairs.
inline double total(const Metric& metric, const std::vector<double>& distances) {
  double sum = 0;
  for (const double d : distances)
    sum = metric.type == Metric::Type::bottleneck ? std::max(sum, d) : sum + std::pow(d, metric.order);
  return metric.type == Metric::Type::bottleneck ? sum : std::pow(sum, 1 / metric.order);
}

/// The least cost of all matchings, each of them tried.
inline double by_all_matchings(const Points& a, const Points& b, const Metric& metric) {
  double least = infinity;
  std::vector<double> distances;
  std::vector<bool> used(b.size());
  const std::function<void(std::size_t)> choose = [&](std::size_t i) {
    if (i == a.size()) {
      auto all = distances;
      for (std::size_t j = 0; j < b.size(); ++j)
        if (!used[j]) all.push_back(to_diagonal(metric, b[j]));
      least = std::min(least, total(metric, all));
      return;
    }
    distances.push_back(to_diagonal(metric, a[i]));
    choose(i + 1);
    distances.pop_back();
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (used[j]) continue;
      used[j] = true;
      distances.push_back(length(metric, a[i], b[j]));
      choose(i + 1);
      distances.pop_back();
      used[j] = false;
    }
  };
  choose(0);
  return least;
}

/// The matrix of distances in which each diagram is extended by as much of the diagonal as the other one may
/// need.
inline std::vector<std::vector<double>> extended_matrix(const Points& a, const Points& b,
                                                        const Metric& metric) {
  const std::size_t n = a.size() + b.size();
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (i < a.size()) matrix[i][j] = j < b.size() ? length(metric, a[i], b[j]) : to_diagonal(metric, a[i]);
      if (i >= a.size() && j < b.size()) matrix[i][j] = to_diagonal(metric, b[j]);
    }
  return matrix;
}

/// The assignment problem by the Hungarian method with potentials, O(n^3), in long double.
inline double by_hungarian_method(const Points& a, const Points& b, const Metric& metric) {
  using Number = long double;
  const auto distances = extended_matrix(a, b, metric);
  const std::size_t n = distances.size();
  std::vector<Number> costs;
  for (const auto& row : distances)
    for (const double d : row)
      costs.push_back(std::pow(static_cast<Number>(d), static_cast<Number>(metric.order)));
  const auto cost = [&](std::size_t i, std::size_t j) { return costs[(i - 1) * n + j - 1]; };
  std::vector<Number> u(n + 1, 0), v(n + 1, 0);
  std::vector<std::size_t> row_of(n + 1, 0), before(n + 1, 0);
  for (std::size_t i = 1; i <= n; ++i) {
    row_of[0] = i;
    std::size_t column = 0;
    std::vector<Number> least(n + 1, std::numeric_limits<Number>::infinity());
    std::vector<bool> done(n + 1, false);
    do {
      done[column] = true;
      const std::size_t row = row_of[column];
      Number delta = std::numeric_limits<Number>::infinity();
      std::size_t next = 0;
      for (std::size_t j = 1; j <= n; ++j) {
        if (done[j]) continue;
        const Number reduced = cost(row, j) - u[row] - v[j];
        if (reduced < least[j]) {
          least[j] = reduced;
          before[j] = column;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (done[j]) {
          u[row_of[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    while (column != 0) {
      row_of[column] = row_of[before[column]];
      column = before[column];
    }
  }
  Number sum = 0;
  for (std::size_t j = 1; j <= n; ++j) sum += cost(row_of[j], j);
  return static_cast<double>(std::pow(sum, 1 / static_cast<Number>(metric.order)));
}

/// The bottleneck distance as the least entry of the matrix that allows a perfect matching.
inline double by_thresholds(const Points& a, const Points& b) {
  const auto distances = extended_matrix(a, b, Metric{});
  const std::size_t n = distances.size();
  const auto perfect = [&](double threshold) {
    std::vector<std::size_t> partner(n, n);
    std::vector<bool> seen;
    const std::function<bool(std::size_t)> augment = [&](std::size_t i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (seen[j] || distances[i][j] > threshold) continue;
        seen[j] = true;
        if (partner[j] != n && !augment(partner[j])) continue;
        partner[j] = i;
        return true;
      }
      return false;
    };
    for (std::size_t i = 0; i < n; ++i) {
      seen.assign(n, false);
      if (!augment(i)) return false;
    }
    return true;
  };
  std::vector<double> candidates{0};
  for (const auto& row : distances) candidates.insert(candidates.end(), row.begin(), row.end());
  std::sort(candidates.begin(), candidates.end());
  return *std::partition_point(candidates.begin(), candidates.end(),
                               [&](double candidate) { return !perfect(candidate); });
}

}  // namespace perslay::test
