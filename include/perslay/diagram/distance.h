#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/diagram.h>
#include <perslay/diagram/diagram_batch.h>

/// Distances of persistence diagrams: the least cost of matching the points of one with those of the other,
/// where every point may be matched with the diagonal instead.
///
/// Points may lie on either side of the diagonal (rel1 and ext1 are stored below it) and are compared where
/// they lie. The diagonal is |death - birth| / 2 away in the norm inf, |death - birth| / sqrt 2 in the
/// norm 2. An infinite point is matched with one that has the same infinite coordinate; the finite ones are
/// compared. If one diagram has more such points than the other, the distance is infinite. A point lies on
/// the diagonal if both coordinates are the same infinity.
namespace perslay::diagram {

/// The norm of the plane in which points are compared.
enum class GroundNorm { infinity, euclidean };

/// A distance chosen by name.
struct Metric {
  enum class Type {
    bottleneck,   ///< The largest distance of a matched pair, in the norm inf.
    wasserstein,  ///< d_s: the s-th root of the sum of s-th powers.
  };

  Type type = Type::bottleneck;
  std::string name = "bottleneck";  ///< As users write it: "wasserstein:2", "wasserstein:1:2~0.01".
  double order = 1;                 ///< wasserstein: s >= 1.
  GroundNorm norm = GroundNorm::infinity;
  double tolerance = 0;  ///< The relative error allowed; 0 asks for the exact distance.
};

/// The names of all metrics, with their help.
[[nodiscard]] const base::Registry<Metric>& metrics();

/// The metric that a name stands for: one of metrics(), perhaps with "~E" behind it, the relative error
/// allowed.
[[nodiscard]] Metric parse_metric(std::string_view name);

/// One pair of a matching, as indices into the two diagrams.
struct MatchedPair {
  static constexpr std::int32_t diagonal = -1;

  std::int32_t a = diagonal;
  std::int32_t b = diagonal;
  double distance = 0;  ///< Of the two points, or of the one from the diagonal.

  friend bool operator==(const MatchedPair&, const MatchedPair&) = default;
};

struct Distance {
  double value = 0;

  /// value / (1 + relative_error) <= the distance <= value. A dual solution proves it, and it is at most the
  /// error that the metric allows. 0 if the value is exact; a sum of powers is rounded, and counts as exact
  /// if the proof leaves less than 1e-9.
  double relative_error = 0;

  /// A matching of this cost, if asked for. It has every point once, in the order of a, then the remaining
  /// points of b. It is empty if the distance is infinite because one diagram has more infinite points than
  /// the other.
  std::vector<MatchedPair> matching;

  [[nodiscard]] bool exact() const noexcept { return relative_error == 0; }
};

struct DistanceOptions {
  bool matching = false;  ///< Whether the matching is wanted.
};

/// The distance of two diagrams; no coordinate is NaN.
///
/// Bottleneck: always exact, one of the distances between points or to the diagonal, to the last bit.
/// Augmenting paths over a k-d tree (Efrat, Itai and Katz 2001), from a lower bound upwards, only for points
/// that are too far from the diagonal. Wasserstein: exact up to rounding for any number of points, by
/// shortest augmenting paths on a sparse graph of near pairs, to which pairs are added until the dual
/// solution proves that none is missing. With a tolerance it stops as soon as the dual solution proves
/// enough.
///
/// Memory grows like n. Measured time grows like n^1.5 (bottleneck) and n^1.5 to n^2 (Wasserstein) from 10^3
/// to 10^4 points; the worst case, many points about equally far from many others, is worse. The same
/// diagrams give the same bytes.
[[nodiscard]] Distance distance(std::span<const Point> a, std::span<const Point> b, const Metric& metric,
                                const DistanceOptions& options = {});

/// Distances of all pairs, row by row.
struct DistanceMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;
  double relative_error = 0;  ///< The largest of all pairs.
};

/// Every diagram of `a` with every one of `b`, in parallel.
[[nodiscard]] DistanceMatrix distance_matrix(const DiagramBatch& a, const DiagramBatch& b,
                                             const Metric& metric, const base::Context& context);

/// Every diagram of a batch with every other one; each pair is computed once.
[[nodiscard]] DistanceMatrix distance_matrix(const DiagramBatch& batch, const Metric& metric,
                                             const base::Context& context);

}  // namespace perslay::diagram
