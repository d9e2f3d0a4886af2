#include "keyed_order.h"
#include "predicates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/persistence/delaunay.h>

namespace perslay::persistence {
namespace {

using data::PlanePoint;
using Vertex = Delaunay::Vertex;
using Edge = std::int32_t;

constexpr std::size_t most_points = std::size_t{1} << 28;  // three edges a point, two halves an edge: 31 bits

void check(std::span<const PlanePoint> points) {
  if (points.size() > most_points)
    throw base::user_error(fmt::format("A cloud of {} points is too large; at most {} can be triangulated.",
                                       points.size(), most_points));
  double sum = 0;  // stays 0 only if all are finite
  for (const auto& [x, y] : points) sum += (x - x) + (y - y);
  if (sum == 0) return;
  for (std::size_t row = 0; row < points.size(); ++row)
    if (!std::isfinite(points[row].x) || !std::isfinite(points[row].y))
      throw base::user_error(fmt::format("Row {} of the point cloud is ({}, {}); coordinates must be finite.",
                                         row, points[row].x, points[row].y));
}

/// A planar subdivision in which edges are made and deleted. Edge e and its reverse are 2k and 2k + 1; the
/// edges that leave a vertex form a ring.
class Subdivision {
 public:
  /// Empties it and reserves memory: a planar graph has less than 3 edges per vertex, and removed edges are
  /// reused.
  void reset(std::size_t vertices) {
    if (halves_.size() < 6 * vertices) halves_.resize(6 * vertices);
    limit_ = 0;
    unused_ = none;
  }

  [[nodiscard]] static Edge reverse(Edge e) { return e ^ 1; }
  [[nodiscard]] Vertex origin(Edge e) const { return half(e).origin; }
  [[nodiscard]] Vertex target(Edge e) const { return half(reverse(e)).origin; }
  /// The next edge from the same origin, counter-clockwise and clockwise.
  [[nodiscard]] Edge next(Edge e) const { return half(e).next; }
  [[nodiscard]] Edge previous(Edge e) const { return half(e).previous; }
  /// The edge that continues e along the face to its left, and to its right.
  [[nodiscard]] Edge along_left(Edge e) const { return previous(reverse(e)); }
  [[nodiscard]] Edge along_right(Edge e) const { return next(reverse(e)); }
  /// The edge that e continues along the face to its right.
  [[nodiscard]] Edge back_along_right(Edge e) const { return reverse(previous(e)); }

  Edge make(Vertex from, Vertex to) {
    Edge e = unused_;
    if (e == none)
      e = std::exchange(limit_, limit_ + 2);
    else
      unused_ = half(e).next;
    half(e) = {from, e, e, unknown};
    half(e + 1) = {to, e + 1, e + 1, unknown};
    return e;
  }

  /// Makes an edge that starts where `arriving` ends.
  Edge extend(Edge arriving, Vertex to) {
    const Edge e = make(target(arriving), to);
    insert_before(reverse(arriving), e);
    return e;
  }

  /// Makes an edge from the end of a to the start of b, where a and b have the same face on their left.
  Edge connect(Edge a, Edge b) {
    const Edge e = make(target(a), origin(b));
    insert_before(reverse(a), e);
    insert_before(next(b), reverse(e));
    return e;
  }

  void remove(Edge e) {
    detach(e);
    detach(reverse(e));
    e &= ~1;
    half(e) = {none, unused_, none, removed};
    half(e + 1) = {none, none, none, removed};
    unused_ = e;
  }

  /// Faces are numbered by the caller; `unknown` until then.
  static constexpr std::int32_t outside = -1, unknown = -2, removed = -3;
  [[nodiscard]] std::int32_t left_face(Edge e) const { return half(e).left_face; }
  void set_left_face(Edge e, std::int32_t face) { half(e).left_face = face; }
  /// Edges are 0 ... limit-1, removed ones among them.
  [[nodiscard]] Edge limit() const { return limit_; }

 private:
  struct Half {
    Vertex origin;
    Edge next, previous;
    std::int32_t left_face;
  };
  static constexpr Edge none = -1;

  [[nodiscard]] Half& half(Edge e) { return halves_[static_cast<std::size_t>(e)]; }
  [[nodiscard]] const Half& half(Edge e) const { return halves_[static_cast<std::size_t>(e)]; }

  void insert_before(Edge place, Edge e) {
    const Edge before = previous(place);
    half(before).next = half(place).previous = e;
    half(e).previous = before;
    half(e).next = place;
  }
  void detach(Edge e) {
    half(next(e)).previous = previous(e);
    half(previous(e)).next = next(e);
  }

  std::vector<Half> halves_;
  Edge limit_ = 0;
  Edge unused_ = none;
};

/// The two ends of a convex hull in the direction in which parts are merged: the hull's edge that leaves the
/// first vertex counter-clockwise, and the one that leaves the last vertex clockwise.
struct Ends {
  Edge first, last;
};

}  // namespace

struct Delaunay::Work {
  Predicates predicates;
  KeyedOrder order;
  std::vector<PlanePoint> points;  // of the vertices, as are rows and strips
  std::vector<std::int32_t> rows;
  std::vector<std::size_t> strip_begins;
  std::vector<PlanePoint> sorted_points;
  std::vector<std::int32_t> sorted_rows;
  std::vector<std::int32_t> first_equal;
  Subdivision mesh;
  std::vector<Triangle> triangles;
  std::vector<Vertex> chain;

  void compute(std::span<const PlanePoint> cloud) {
    check(cloud);
    predicates.prepare(cloud);
    triangles.clear();
    chain.clear();
    collect_vertices(cloud);
    if (points.size() < 2) {
      points = sorted_points;
      rows = sorted_rows;
      chain.assign(points.size(), 0);
      return;
    }
    arrange_in_strips();
    mesh.reset(points.size());
    const Ends hull = triangulate_strips(0, strip_begins.size() - 1);
    number_triangles(hull.first);
    if (triangles.empty()) follow_chain(hull.first);
  }

 private:
  /// The distinct points in the order of (x, y).
  void collect_vertices(std::span<const PlanePoint> cloud) {
    const auto at = [&](std::int32_t row) -> const PlanePoint& {
      return cloud[static_cast<std::size_t>(row)];
    };
    const auto by_x = order.sort(
        cloud.size(), [&](std::int32_t row) { return ordered_bits(at(row).x); },
        [&](std::int32_t a, std::int32_t b) {
          const PlanePoint &p = at(a), &q = at(b);
          if (p.x != q.x) return p.x < q.x;
          return p.y < q.y || (p.y == q.y && a < b);
        });
    sorted_points.clear();
    sorted_rows.clear();
    first_equal.resize(cloud.size());
    for (const std::int32_t row : by_x) {
      if (sorted_points.empty() || sorted_points.back() != at(row)) {
        sorted_points.push_back(at(row));
        sorted_rows.push_back(row);
      }
      first_equal[static_cast<std::size_t>(row)] = sorted_rows.back();
    }
    points.resize(sorted_points.size());
    rows.resize(sorted_points.size());
  }

  /// Cuts the points, in the order of (x, y), into strips and sorts each by (y, -x), which is that order turned
  /// by a right angle. Uniform points in a single strip took 1.9 (10^3 points) to 2.6 times (10^6) as long;
  /// sqrt(n/8) strips were best.
  void arrange_in_strips() {
    const std::size_t n = sorted_points.size();
    const auto strips =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(n) / 8)));
    strip_begins.resize(strips + 1);
    for (std::size_t s = 0; s <= strips; ++s) strip_begins[s] = s * n / strips;

    const auto strip_bits = std::bit_width(strips);
    std::size_t strip = 0;
    const auto at = [&](std::int32_t i) -> const PlanePoint& {
      return sorted_points[static_cast<std::size_t>(i)];
    };
    const auto key = [&](std::int32_t i) {
      if (static_cast<std::size_t>(i) == strip_begins[strip + 1]) ++strip;
      return (static_cast<std::uint64_t>(strip) << (64 - strip_bits)) | (ordered_bits(at(i).y) >> strip_bits);
    };
    const auto before = [&](std::int32_t a, std::int32_t b) {
      return at(a).y < at(b).y || (at(a).y == at(b).y && at(a).x > at(b).x);
    };
    std::size_t v = 0;
    for (const std::int32_t i : order.sort(n, key, before)) {
      points[v] = at(i);
      rows[v++] = sorted_rows[static_cast<std::size_t>(i)];
    }
  }

  Ends triangulate_strips(std::size_t begin, std::size_t end) {
    if (end - begin == 1) return turned_to_x(triangulate(strip_begins[begin], strip_begins[end]));
    const std::size_t middle = begin + (end - begin) / 2;
    const Ends left = triangulate_strips(begin, middle);
    return merge(left, triangulate_strips(middle, end));
  }

  /// The points of one strip, or a part of it.
  Ends triangulate(std::size_t begin, std::size_t end) {
    const auto v = static_cast<Vertex>(begin);
    if (end - begin == 2) {
      const Edge e = mesh.make(v, v + 1);
      return {e, Subdivision::reverse(e)};
    }
    if (end - begin == 3) {
      const Edge a = mesh.make(v, v + 1);
      const Edge b = mesh.extend(a, v + 2);
      if (left_of(a, target(b))) {
        mesh.connect(b, a);
      } else if (right_of(a, target(b))) {
        const Edge c = mesh.connect(b, a);
        return {Subdivision::reverse(c), c};
      }
      return {a, Subdivision::reverse(b)};
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const Ends lower = triangulate(begin, middle);
    return merge(lower, triangulate(middle, end));
  }

  Ends merge(Ends left, Ends right) {
    zip(lower_tangent(left, right));
    return {left.first, right.last};
  }

  /// Joins the two hulls by the edge, from right to left, that has all points on its right hand or on it. The
  /// ends follow if it starts there.
  Edge lower_tangent(Ends& left, Ends& right) {
    Edge l = left.last;
    Edge r = right.first;
    while (true) {
      if (left_of(l, origin(r)))
        l = mesh.along_left(l);
      else if (right_of(r, origin(l)))
        r = mesh.along_right(r);
      else
        break;
    }
    const Edge base = mesh.connect(Subdivision::reverse(r), l);
    if (mesh.origin(l) == mesh.origin(left.first)) left.first = Subdivision::reverse(base);
    if (mesh.origin(r) == mesh.origin(right.last)) right.last = base;
    return base;
  }

  /// Closes the gap between two triangulations from the lower tangent upwards: a circle through the ends of the
  /// base grows until it meets the next point, on either side; edges that it runs over are removed.
  void zip(Edge base) {
    while (true) {
      const PlanePoint &right = origin(base), &left = target(base);
      const auto above_base = [&](Edge e) { return predicates.left_turn(target(e), left, right); };

      const Edge base_reversed = Subdivision::reverse(base);
      Edge l = mesh.next(base_reversed);
      Edge r = mesh.previous(base);
      const bool l_above = above_base(l);
      const bool r_above = above_base(r);
      if (!l_above && !r_above) return;
      if (l_above) {
        Edge beyond = mesh.next(l);
        while (beyond != base_reversed && predicates.in_circle(left, right, target(l), target(beyond))) {
          mesh.remove(l);
          l = std::exchange(beyond, mesh.next(beyond));
        }
      }
      if (r_above) {
        Edge beyond = mesh.previous(r);
        while (beyond != base && predicates.in_circle(left, right, target(r), target(beyond))) {
          mesh.remove(r);
          r = std::exchange(beyond, mesh.previous(beyond));
        }
      }

      if (!l_above || (r_above && predicates.in_circle(target(l), left, right, target(r))))
        base = mesh.connect(r, base_reversed);
      else
        base = mesh.connect(base_reversed, Subdivision::reverse(l));
    }
  }

  /// The ends in the order of (x, y) of a hull whose ends in another direction are given.
  [[nodiscard]] Ends turned_to_x(Ends ends) const {
    const auto before = [](const PlanePoint& p, const PlanePoint& q) {
      return p.x < q.x || (p.x == q.x && p.y < q.y);
    };
    Edge first = ends.first;
    while (before(target(first), origin(first))) first = mesh.along_right(first);
    while (before(origin(mesh.back_along_right(first)), origin(first))) first = mesh.back_along_right(first);
    Edge last = first;
    while (before(origin(last), target(last))) last = mesh.along_right(last);
    return {first, mesh.previous(last)};
  }

  void number_triangles(Edge hull) {
    Edge e = hull;
    do {
      mesh.set_left_face(Subdivision::reverse(e), Subdivision::outside);
      e = mesh.along_right(e);
    } while (e != hull);

    const Edge limit = mesh.limit();
    triangles.resize(static_cast<std::size_t>(limit) / 3);
    std::int32_t count = 0;
    for (Edge a = 0; a < limit; ++a) {
      if (mesh.left_face(a) != Subdivision::unknown) continue;
      const Edge b = mesh.along_left(a);
      const Edge c = mesh.along_left(b);
      Triangle& triangle = triangles[static_cast<std::size_t>(count)];
      triangle.corner = {mesh.origin(a), mesh.origin(b), mesh.origin(c)};
      triangle.neighbour = {b, c, a};  // edges for now
      for (const Edge side : {a, b, c}) mesh.set_left_face(side, count);
      ++count;
    }
    triangles.resize(static_cast<std::size_t>(count));
    for (Triangle& triangle : triangles)
      for (std::int32_t& neighbour : triangle.neighbour)
        neighbour = mesh.left_face(Subdivision::reverse(neighbour));
  }

  void follow_chain(Edge hull) {
    chain.push_back(mesh.origin(hull));
    for (Edge e = hull; chain.size() < points.size(); e = mesh.along_right(e))
      chain.push_back(mesh.target(e));
  }

  [[nodiscard]] const PlanePoint& point(Vertex v) const { return points[static_cast<std::size_t>(v)]; }
  [[nodiscard]] const PlanePoint& origin(Edge e) const { return point(mesh.origin(e)); }
  [[nodiscard]] const PlanePoint& target(Edge e) const { return point(mesh.target(e)); }
  [[nodiscard]] bool left_of(Edge e, const PlanePoint& p) const {
    return predicates.left_turn(p, origin(e), target(e));
  }
  [[nodiscard]] bool right_of(Edge e, const PlanePoint& p) const {
    return predicates.left_turn(p, target(e), origin(e));
  }
};

Delaunay::Delaunay() : work_(base::make_hidden<Work>()) {}

void Delaunay::compute(std::span<const PlanePoint> points) { work_->compute(points); }
std::span<const std::int32_t> Delaunay::vertices() const noexcept { return work_->rows; }
std::span<const PlanePoint> Delaunay::coordinates() const noexcept { return work_->points; }
std::span<const std::int32_t> Delaunay::first_equal() const noexcept { return work_->first_equal; }
std::span<const Delaunay::Triangle> Delaunay::triangles() const noexcept { return work_->triangles; }
std::span<const Vertex> Delaunay::chain() const noexcept { return work_->chain; }

}  // namespace perslay::persistence
