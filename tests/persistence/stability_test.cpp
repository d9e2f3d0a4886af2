#include "oracle/bottleneck.h"
#include "persistence/cases.h"

#include <cmath>

#include <gtest/gtest.h>

#include <perslay/diagram/distance.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/persistence/extended_persistence.h>

// Theorems of stability, as properties: A.2 of the paper (Cohen-Steiner, Edelsbrunner and Harer 2007, 2009) and
// 2.3. Theorem 2.2 is in graph_stability_test.cpp; docs/theorems.md lists all of them.
namespace perslay::persistence {
namespace {

using data::Graph;
using data::Vertex;
using diagram::Diagram;
using diagram::Kind;
using diagram::Point;
using test::at;
using test::Values;

oracle::Points points_of(const Diagram& diagram) {
  oracle::Points points;
  for (const Point& p : diagram.points) points.emplace_back(p.birth, p.death);
  return points;
}

double distance(const Point& a, const Point& b) {
  return std::max(std::abs(a.birth - b.birth), std::abs(a.death - b.death));
}

/// Whether `size` sources can be matched with as many targets such that no pair is further apart than
/// `radius`.
template <class Distance>
class Matching {
 public:
  Matching(std::size_t size, const Distance& distance, double radius)
      : distance_(distance), radius_(radius), partner_(size, none) {}

  bool perfect() {
    for (std::size_t source = 0; source < partner_.size(); ++source) {
      seen_.assign(partner_.size(), false);
      if (!augment(source)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool augment(std::size_t source) {
    for (std::size_t target = 0; target < partner_.size(); ++target) {
      if (seen_[target] || distance_(source, target) > radius_) continue;
      seen_[target] = true;
      if (partner_[target] != none && !augment(partner_[target])) continue;
      partner_[target] = source;
      return true;
    }
    return false;
  }

  const Distance& distance_;
  double radius_;
  std::vector<std::size_t> partner_;
  std::vector<bool> seen_;
};

/// The least radius that allows a perfect matching.
template <class Distance>
double bottleneck(std::size_t size, const Distance& distance) {
  std::vector<double> radii{0};
  for (std::size_t source = 0; source < size; ++source)
    for (std::size_t target = 0; target < size; ++target) radii.push_back(distance(source, target));
  std::sort(radii.begin(), radii.end());
  return *std::partition_point(radii.begin(), radii.end(),
                               [&](double radius) { return !Matching(size, distance, radius).perfect(); });
}

/// No point may be matched with the diagonal; the diagrams are of one size.
double distance_without_diagonal(const Diagram& a, const Diagram& b) {
  return bottleneck(a.size(),
                    [&](std::size_t i, std::size_t j) { return distance(a.points[i], b.points[j]); });
}

/// The bottleneck distance: each diagram is extended by as much of the diagonal as the other one may need.
double bottleneck_distance(const Diagram& a, const Diagram& b) {
  const auto to_diagonal = [](const Point& p) { return std::abs(p.death - p.birth) / 2; };
  return bottleneck(a.size() + b.size(), [&](std::size_t i, std::size_t j) {
    if (i >= a.size()) return j >= b.size() ? 0.0 : to_diagonal(b.points[j]);
    return j >= b.size() ? to_diagonal(a.points[i]) : distance(a.points[i], b.points[j]);
  });
}

double largest_difference(std::span<const double> f, std::span<const double> g) {
  double largest = 0;
  for (std::size_t v = 0; v < f.size(); ++v) largest = std::max(largest, std::abs(f[v] - g[v]));
  return largest;
}

double mean_difference(std::span<const double> f, std::span<const double> g) {
  double sum = 0;
  for (std::size_t v = 0; v < f.size(); ++v) sum += std::abs(f[v] - g[v]);
  return sum / static_cast<double>(f.size());
}

/// The points of all four kinds together.
std::vector<Point> all_points(const ExtendedDiagrams& diagrams) {
  std::vector<Point> points;
  for (const Kind kind : diagram::extended_kinds)
    points.insert(points.end(), diagrams[kind].points.begin(), diagrams[kind].points.end());
  return points;
}

/// How often a kind was compared with points in it, how often the distance was positive, and how much of a bound
/// it took.
struct Count {
  int compared = 0;
  int positive = 0;
  double tightest = 0;

  void add(const Diagram& a, const Diagram& b, double distance, double bound) {
    compared += a.size() + b.size() > 0 ? 1 : 0;
    positive += distance > 0 ? 1 : 0;
    tightest = std::max(tightest, distance / bound);
  }
};

// Theorem A.2, for each kind and for the whole.
TEST(Stability, EachKindMovesNoFurtherThanTheFunction) {
  Count counts[diagram::extended_kinds.size()];
  double whole_tightest = 0;
  int further_than_the_mean = 0;
  int agreed_with_gudhi = 0;
  for (std::uint64_t item = 0; item < 1'500; ++item) {
    base::RandomStream random(71, item);
    const auto n = static_cast<Vertex>(2 + random.below(25));
    const Graph graph = data::random_graph(n, random.uniform(0.5, 4) / n, random);
    const std::vector<double> f =
        test::draw_values(n, item % 2 == 0 ? Values::distinct : Values::heavy_ties, random);
    std::vector<double> g = f;
    const double noise = std::pow(10, random.uniform(-6, 0));
    for (double& value : g) value += random.uniform(-noise, noise);

    const ExtendedDiagrams of_f = extended_persistence(graph, f);
    const ExtendedDiagrams of_g = extended_persistence(graph, g);
    const double change = largest_difference(f, g);
    const double whole = diagram::distance(all_points(of_f), all_points(of_g), {}).value;
    ASSERT_LE(whole, change * (1 + 1e-9)) << "item " << item;
    whole_tightest = std::max(whole_tightest, whole / change);
    further_than_the_mean += whole > mean_difference(f, g) ? 1 : 0;
    for (std::size_t k = 0; k < diagram::extended_kinds.size(); ++k) {
      const Diagram& a = of_f[diagram::extended_kinds[k]];
      const Diagram& b = of_g[diagram::extended_kinds[k]];
      const double moved = bottleneck_distance(a, b);
      ASSERT_LE(moved, change * (1 + 1e-9)) << "kind " << k << ", item " << item;
      ASSERT_EQ(diagram::distance(a.points, b.points, {}).value, moved) << "kind " << k << ", item " << item;
      counts[k].add(a, b, moved, change);
      // The distance is an independent one's, too, except where that one overlooks a matching.
      const double by_gudhi = oracle::bottleneck_distance(points_of(a), points_of(b));
      ASSERT_LE(moved, by_gudhi + 1e-12) << "kind " << k << ", item " << item;
      agreed_with_gudhi += by_gudhi <= moved + 1e-12 ? 1 : 0;
    }
  }
  for (const Count& count : counts) {
    EXPECT_GT(count.compared, 700);
    EXPECT_GT(count.positive, count.compared * 9 / 10);
    EXPECT_GT(count.tightest, 0.999);  // the constant 1 is the best
  }
  EXPECT_GT(whole_tightest, 0.999);
  EXPECT_GT(further_than_the_mean, 1'000);  // no theorem for another norm
  EXPECT_GT(agreed_with_gudhi, 5'800);
}

TEST(Stability, ComponentsAndLoopsNeedNoDiagonal) {
  Count counts[2];
  for (std::uint64_t item = 0; item < 1'500; ++item) {
    base::RandomStream random(72, item);
    const auto n = static_cast<Vertex>(2 + random.below(25));
    const Graph graph = data::random_graph(n, random.uniform(0.5, 5) / n, random);
    const std::vector<double> f = test::draw_values(
        n, static_cast<Values>(item % 4 == 3 ? static_cast<int>(Values::constant) : item % 4), random);
    std::vector<double> g = f;
    const double noise = std::pow(10, random.uniform(-6, 0));
    for (double& value : g) value += random.uniform(-noise, noise);

    const ExtendedDiagrams of_f = extended_persistence(graph, f);
    const ExtendedDiagrams of_g = extended_persistence(graph, g);
    for (std::size_t k = 0; k < 2; ++k) {
      const Diagram& a = k == 0 ? of_f.ext0 : of_f.ext1;
      const Diagram& b = k == 0 ? of_g.ext0 : of_g.ext1;
      ASSERT_EQ(a.size(), b.size());
      const double moved = distance_without_diagonal(a, b);
      ASSERT_LE(moved, largest_difference(f, g) * (1 + 1e-9)) << item;
      counts[k].add(a, b, moved, largest_difference(f, g));
    }
  }
  for (const Count& count : counts) {
    EXPECT_GT(count.compared, 700);
    EXPECT_GT(count.positive, count.compared * 9 / 10);
  }
}

// Theorem 2.3 says 2 |t - t'|. As normalized Laplacians have at most 1 on the diagonal, even |t - t'| holds;
// snapping may add a little at every vertex.
TEST(Stability, DiagramsOfTheHeatKernelMoveAtMostTwiceAsFastAsTime) {
  Count count;
  for (std::uint64_t item = 0; item < 400; ++item) {
    base::RandomStream random(73, item);
    const auto n = static_cast<Vertex>(3 + random.below(25));
    const Graph graph = data::random_graph(n, random.uniform(1, 5) / n, random);
    const double start = random.uniform(0, item % 2 == 0 ? 1 : 20);
    const std::vector<double> times{start, start + std::pow(10, random.uniform(-7, 0))};
    const std::vector<double> values = filtration::heat_kernel_signature(graph, times);
    const double snapping = 2e-11 * n, elapsed = times[1] - times[0];

    const ExtendedDiagrams before = extended_persistence(graph, std::span(values).first(at(n)));
    const ExtendedDiagrams after = extended_persistence(graph, std::span(values).last(at(n)));
    ASSERT_LE(diagram::distance(all_points(before), all_points(after), {}).value, elapsed + snapping) << item;
    for (const Kind kind : diagram::extended_kinds) {
      const double moved = bottleneck_distance(before[kind], after[kind]);
      ASSERT_LE(moved, 2 * elapsed + snapping) << item;
      ASSERT_LE(moved, elapsed + snapping) << item;
      if (kind == Kind::ext0) count.add(before[kind], after[kind], moved, 2 * elapsed);
    }
  }
  EXPECT_GT(count.positive, count.compared / 2);
  EXPECT_GT(count.tightest, 0.45);
}

// The component of a large star is (leaf, hub); leaves start at speed 1.
TEST(Stability, DiagramsOfTheHeatKernelCanMoveAsFastAsTime) {
  const Vertex leaves = 500;
  std::vector<data::Edge> edges;
  for (Vertex v = 1; v <= leaves; ++v) edges.push_back({0, v});
  const Graph star = Graph::from_edges(leaves + 1, edges);
  const std::vector<double> times{0.01, 0.01 + 1e-6};
  const std::vector<double> values = filtration::heat_kernel_signature(star, times, {.snap = false});
  const ExtendedDiagrams before = extended_persistence(star, std::span(values).first(at(leaves + 1)));
  const ExtendedDiagrams after = extended_persistence(star, std::span(values).last(at(leaves + 1)));
  const double speed = diagram::distance(before.ext0.points, after.ext0.points, {}).value / 1e-6;
  EXPECT_LE(speed, 1 + 1e-6);
  EXPECT_GT(speed, 0.98);
}

}  // namespace
}  // namespace perslay::persistence
