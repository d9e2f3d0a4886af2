#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/transforms.h>

namespace perslay::diagram {
namespace {

/// death - birth, and 0 also where both are the same infinity.
double persistence(Point p) { return p.birth == p.death ? 0 : p.death - p.birth; }

/// The batch with `change(point, vertices)` done to every point.
template <class Change>
DiagramBatch map_points(const DiagramBatch& batch, Change&& change) {
  std::vector<Point> points(batch.points().begin(), batch.points().end());
  std::vector<VertexPair> vertices(batch.vertices().begin(), batch.vertices().end());
  VertexPair none;
  for (std::size_t i = 0; i < points.size(); ++i) change(points[i], vertices.empty() ? none : vertices[i]);
  return {std::move(points), {batch.offsets().begin(), batch.offsets().end()}, std::move(vertices)};
}

template <class Function>
DiagramBatch map_coordinates(const DiagramBatch& batch, Function&& function) {
  return map_points(batch, [&](Point& p, const VertexPair&) { p = {function(p.birth), function(p.death)}; });
}

/// The places of a diagram's `count` most prominent points, ascending. Points are stored in the order that
/// decides ties.
void select_prominent(std::span<const Point> points, std::size_t count, std::vector<std::size_t>& places) {
  places.resize(points.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (count >= points.size()) return;
  std::ranges::nth_element(places, places.begin() + static_cast<std::ptrdiff_t>(count),
                           [&](std::size_t a, std::size_t b) {
                             const double pa = std::abs(persistence(points[a]));
                             const double pb = std::abs(persistence(points[b]));
                             return pa != pb ? pa > pb : a < b;
                           });
  places.resize(count);
  std::ranges::sort(places);
}

}  // namespace

DiagramBatch prominent(const DiagramBatch& batch, std::size_t count) {
  std::vector<Point> points;
  std::vector<VertexPair> vertices;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    select_prominent(batch[i], count, places);
    for (const std::size_t place : places) {
      points.push_back(batch[i][place]);
      if (!batch.vertices().empty()) vertices.push_back(batch.vertices(i)[place]);
    }
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets), std::move(vertices)};
}

UnitScale UnitScale::fit(const DiagramBatch& batch) {
  double low = infinity;
  double high = -infinity;
  for (const auto& [birth, death] : batch.points())
    for (const double x : {birth, death})
      if (std::isfinite(x)) {
        low = std::min(low, x);
        high = std::max(high, x);
      }
  return low <= high ? UnitScale{low, high} : UnitScale{};
}

double UnitScale::beyond_doubles(double x) const noexcept {
  if (std::isinf(x)) return x;
  if (min == max) return 0;
  return (x / 2 - min / 2) / (max / 2 - min / 2);  // numbers so large can be halved without loss
}

DiagramBatch UnitScale::operator()(const DiagramBatch& batch) const {
  return map_coordinates(batch, [this](double x) { return (*this)(x); });
}

void PlaneScale::operator()(std::span<const Point> points, float* out) const noexcept {
  if (births.is_plain() && deaths.is_plain()) {  // the same without a branch for each point
    const double b = births.min, d = deaths.min, b_range = births.max - b, d_range = deaths.max - d;
    for (const auto& [birth, death] : points) {
      *out++ = static_cast<float>((birth - b) / b_range);
      *out++ = static_cast<float>((death - d) / d_range);
    }
    return;
  }
  for (const auto& point : points) {
    const auto [birth, death] = (*this)(point);
    *out++ = static_cast<float>(birth);
    *out++ = static_cast<float>(death);
  }
}

DiagramBatch PlaneScale::operator()(const DiagramBatch& batch) const {
  return map_points(batch, [this](Point& p, const VertexPair&) { p = (*this)(p); });
}

DiagramBatch birth_persistence(const DiagramBatch& batch) {
  return map_points(batch, [](Point& p, const VertexPair&) { p.death = persistence(p); });
}

DiagramBatch square_root(const DiagramBatch& batch) {
  return map_coordinates(batch, [](double x) {
    if (x < 0) throw base::user_error(fmt::format("The square root of a coordinate {} does not exist.", x));
    return std::sqrt(x);
  });
}

DiagramBatch reorder(const DiagramBatch& batch) {
  return map_points(batch, [](Point& p, VertexPair& ids) {
    if (p.birth <= p.death) return;
    std::swap(p.birth, p.death);
    std::swap(ids.birth, ids.death);
  });
}

DiagramBatch clip(const DiagramBatch& batch, double low, double high) {
  if (!(low <= high))
    throw base::user_error(
        fmt::format("Diagrams cannot be clipped to the range from {} to {}, which is empty.", low, high));
  return map_coordinates(batch, [=](double x) { return std::clamp(x, low, high); });
}

// ---- names

namespace {

Transform prominent_by_name(base::Arguments& arguments) {
  const auto count = base::parse_size(arguments.first(), "prom needs a number of points, such as prom:500",
                                      std::numeric_limits<std::size_t>::max());
  return {.type = Transform::Type::prominent, .name = fmt::format("prom:{}", count), .count = count};
}

Transform clip_by_name(base::Arguments& arguments) {
  constexpr auto wanted = "clip needs two numbers, the lower first, such as clip:0:1";
  const auto text = arguments.text();
  const auto [first, second] = base::split_once(text, ":");
  const double low = second ? base::parse_number(first, wanted) : 0;
  const double high = second ? base::parse_number(*second, wanted) : 0;
  if (!second || low > high) throw base::user_error(fmt::format("{}, not '{}'.", wanted, text));
  return {
      .type = Transform::Type::clip, .name = fmt::format("clip:{}:{}", low, high), .low = low, .high = high};
}

base::Registry<Transform>::Make alone(Transform::Type type) {
  return [type](base::Arguments& arguments) {
    return Transform{.type = type, .name = std::string(arguments.head())};
  };
}

base::Registry<Transform> make_registry() {
  using Type = Transform::Type;
  base::Registry<Transform> registry("transform");
  registry
      .add("prom", {"prom:K", "Of each diagram the K points farthest from the diagonal."}, prominent_by_name)
      .add("scale", {"scale", "(x - min) / (max - min), fitted to all diagrams of one filtration and kind."},
           alone(Type::scale))
      .add("birth-persistence", {"birth-persistence", "(b, d) -> (b, d - b)."},
           alone(Type::birth_persistence))
      .add("sqrt", {"sqrt", "Square roots of births and deaths: alpha values become radii."},
           alone(Type::square_root))
      .add("reorder", {"reorder", "(b, d) -> (min, max)."}, alone(Type::reorder))
      .add("clip", {"clip:A:B", "Births and deaths below A become A, those above B become B."}, clip_by_name);
  return registry;
}

}  // namespace

const base::Registry<Transform>& transforms() {
  static const base::Registry<Transform> registry = make_registry();
  return registry;
}

Transform parse_transform(std::string_view name) { return transforms().make(name); }

DiagramBatch apply(const Transform& transform, const DiagramBatch& batch) {
  switch (transform.type) {
    case Transform::Type::prominent:
      return prominent(batch, transform.count);
    case Transform::Type::scale:
      if (!transform.fitted)
        throw base::user_error("The transform scale must be fitted before it can be applied.");
      return (*transform.fitted)(batch);
    case Transform::Type::birth_persistence:
      return birth_persistence(batch);
    case Transform::Type::square_root:
      return square_root(batch);
    case Transform::Type::reorder:
      return reorder(batch);
    case Transform::Type::clip:
      break;
  }
  return clip(batch, transform.low, transform.high);
}

DiagramBatch fit_and_apply(std::span<Transform> transforms, DiagramBatch batch) {
  for (Transform& transform : transforms) {
    if (transform.needs_fit()) transform.fitted = UnitScale::fit(batch);
    batch = apply(transform, batch);
  }
  return batch;
}

}  // namespace perslay::diagram
