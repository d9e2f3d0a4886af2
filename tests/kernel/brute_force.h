#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/diagram/diagram_batch.h>

/// The kernels' definitions, term by term, in the coordinates of the papers.
namespace perslay::test {

using Points = std::vector<diagram::Point>;

inline double squared(const diagram::Point& p, const diagram::Point& q) {
  const double x = p.birth - q.birth, y = p.death - q.death;
  return x * x + y * y;
}

inline diagram::Point mirrored(const diagram::Point& p) { return {p.death, p.birth}; }
inline diagram::Point projected(const diagram::Point& p) {
  const double middle = (p.birth + p.death) / 2;
  return {middle, middle};
}

inline Points with_projections_of(Points a, const Points& b) {
  for (const auto& p : b) a.push_back(projected(p));
  return a;
}

inline double scale_space(const Points& f, const Points& g, double sigma) {
  double sum = 0;
  for (const auto& p : f)
    for (const auto& q : g)
      sum += std::exp(-squared(p, q) / (8 * sigma)) - std::exp(-squared(p, mirrored(q)) / (8 * sigma));
  return sum / (8 * std::numbers::pi * sigma);
}

inline double weighted_linear(const Points& f, const Points& g, double sigma, double c, double power) {
  const auto weight = [&](const diagram::Point& p) {
    return std::atan(c * std::pow(std::abs(p.death - p.birth), power));
  };
  double sum = 0;
  for (const auto& p : f)
    for (const auto& q : g) sum += weight(p) * weight(q) * std::exp(-squared(p, q) / (2 * sigma * sigma));
  return sum;
}

inline double squared_distance(const Points& f, const Points& g, double sigma, double c, double power) {
  return weighted_linear(f, f, sigma, c, power) + weighted_linear(g, g, sigma, c, power) -
         2 * weighted_linear(f, g, sigma, c, power);
}

inline double sliced_wasserstein(const Points& f, const Points& g, std::size_t directions) {
  double sum = 0;
  for (std::size_t i = 0; i < directions; ++i) {
    const double angle =
        -std::numbers::pi / 2 + std::numbers::pi * static_cast<double>(i) / static_cast<double>(directions);
    const auto sorted = [&](const Points& points) {
      std::vector<double> values;
      for (const auto& p : points) values.push_back(p.birth * std::cos(angle) + p.death * std::sin(angle));
      std::ranges::sort(values);
      return values;
    };
    const auto x = sorted(with_projections_of(f, g)), y = sorted(with_projections_of(g, f));
    for (std::size_t k = 0; k < x.size(); ++k) sum += std::abs(x[k] - y[k]);
  }
  return sum / static_cast<double>(directions);
}

/// The inner product of the square roots of the two densities: the cosine of the distance.
inline double fisher_cosine(const Points& f, const Points& g, double sigma) {
  Points everywhere = with_projections_of(f, f);
  everywhere.insert(everywhere.end(), g.begin(), g.end());
  everywhere = with_projections_of(everywhere, g);
  const auto density = [&](const Points& sources) {
    std::vector<double> values;
    double total = 0;
    for (const auto& x : everywhere) {
      double value = 0;
      for (const auto& s : sources) value += std::exp(-squared(x, s) / (2 * sigma * sigma));
      values.push_back(value);
      total += value;
    }
    for (double& value : values) value /= total;
    return values;
  };
  const auto a = density(with_projections_of(f, g)), b = density(with_projections_of(g, f));
  double cosine = 0;
  for (std::size_t i = 0; i < a.size(); ++i) cosine += std::sqrt(a[i] * b[i]);
  return cosine;
}

/// Points around the diagonal, on both sides of it if wanted.
inline Points random_points(std::size_t count, base::RandomStream& random, bool both_sides = false) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    const double birth = random.uniform(), length = -0.2 * std::log1p(-random.uniform());
    points.push_back({birth, both_sides && random.below(2) == 0 ? birth - length : birth + length});
  }
  return points;
}

inline diagram::DiagramBatch batch_of(std::span<const Points> diagrams) {
  std::vector<diagram::Diagram> list;
  for (const auto& points : diagrams) list.push_back({points, {}});
  return diagram::DiagramBatch(list);
}

/// Diagrams of many sizes, the empty one and two equal ones among them.
inline std::vector<Points> random_diagrams(std::size_t count, std::uint64_t seed, bool both_sides = false,
                                           std::size_t most = 40) {
  std::vector<Points> diagrams;
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    diagrams.push_back(random_points(i == 1 ? 0 : 1 + random.below(most), random, both_sides));
  }
  if (count > 4) diagrams[4] = diagrams[2];
  return diagrams;
}

}  // namespace perslay::test
