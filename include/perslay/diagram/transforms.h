#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
#include <perslay/diagram/diagram_batch.h>

/// Functions from diagrams to diagrams, on whole batches. Each returns a new batch, sorted as batches are;
/// vertices go with their points. Empty diagrams stay empty. Cost: linear in the points, plus sorting.
namespace perslay::diagram {

/// Of each diagram the `count` points farthest from the diagonal, i.e. with the largest |death - birth|; all
/// if there are not more. Ties go to the lower (birth, death), then to the lower vertices, so the order in
/// which points came does not matter. Points with an infinite coordinate are the farthest.
[[nodiscard]] DiagramBatch prominent(const DiagramBatch& batch, std::size_t count);

/// x -> (x - min) / (max - min) on births and deaths alike: the batch it was fitted on fills the unit square,
/// and the diagonal stays the diagonal. Infinite coordinates stay infinite. If min == max every finite
/// coordinate becomes 0.
struct UnitScale {
  double min = 0;
  double max = 0;

  /// The smallest and the largest of all finite births and deaths; 0 and 0 if there are none.
  [[nodiscard]] static UnitScale fit(const DiagramBatch& batch);

  [[nodiscard]] double operator()(double x) const noexcept {
    const double range = max - min, place = x - min;
    if (range > 0 && range < infinity && std::abs(place) < infinity) return place / range;
    return beyond_doubles(x);
  }
  [[nodiscard]] DiagramBatch operator()(const DiagramBatch& batch) const;

  /// Whether the function is just (x - min) / (max - min), for x that are not far outside.
  [[nodiscard]] bool is_plain() const noexcept { return max - min > 0 && max - min < infinity; }

  friend bool operator==(const UnitScale&, const UnitScale&) = default;

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  /// The same for an empty range, an infinite x, and numbers whose difference no double holds.
  [[nodiscard]] double beyond_doubles(double x) const noexcept;
};

/// A scale for births and one for deaths. Unless they are the same, the diagonal is not kept.
struct PlaneScale {
  UnitScale births;
  UnitScale deaths;

  [[nodiscard]] Point operator()(const Point& point) const noexcept {
    return {births(point.birth), deaths(point.death)};
  }
  /// The same for many points in single precision: birth, death, birth, death, ... into `out`.
  void operator()(std::span<const Point> points, float* out) const noexcept;
  [[nodiscard]] DiagramBatch operator()(const DiagramBatch& batch) const;

  friend bool operator==(const PlaneScale&, const PlaneScale&) = default;
};

/// (b, d) -> (b, d - b).
[[nodiscard]] DiagramBatch birth_persistence(const DiagramBatch& batch);

/// (b, d) -> (sqrt b, sqrt d): alpha values, which are squared radii, become radii. A negative coordinate is
/// an error.
[[nodiscard]] DiagramBatch square_root(const DiagramBatch& batch);

/// (b, d) -> (min(b, d), max(b, d)); the vertices change places with their coordinates.
[[nodiscard]] DiagramBatch reorder(const DiagramBatch& batch);

/// x -> min(max(x, low), high) on births and deaths; low <= high.
[[nodiscard]] DiagramBatch clip(const DiagramBatch& batch, double low, double high);

/// A transform chosen by name.
struct Transform {
  enum class Type { prominent, scale, birth_persistence, square_root, reorder, clip };

  Type type = Type::reorder;
  std::string name{};                 ///< As users write it: "prom:500", "scale", "clip:0:1".
  std::size_t count = 0;              ///< prominent: how many points to keep.
  double low = 0, high = 0;           ///< clip: the bounds.
  std::optional<UnitScale> fitted{};  ///< scale: what it was fitted to, if it was.

  [[nodiscard]] bool needs_fit() const noexcept { return type == Type::scale && !fitted; }
};

/// The names of all transforms, with their help.
[[nodiscard]] const base::Registry<Transform>& transforms();

/// transforms().make(name).
[[nodiscard]] Transform parse_transform(std::string_view name);

/// Applies a transform; one that needs to be fitted first is an error.
[[nodiscard]] DiagramBatch apply(const Transform& transform, const DiagramBatch& batch);

/// Applies transforms in their order, after fitting each one that needs it to what reaches it.
[[nodiscard]] DiagramBatch fit_and_apply(std::span<Transform> transforms, DiagramBatch batch);

}  // namespace perslay::diagram
