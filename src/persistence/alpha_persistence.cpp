#include "keyed_order.h"
#include "predicates.h"
#include "union_find.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/persistence/alpha_persistence.h>
#include <perslay/persistence/delaunay.h>

namespace perslay::persistence {
namespace {

using data::PlanePoint;
using Vertex = Delaunay::Vertex;
using Face = std::int32_t;  // a triangle, or after the last one the outer face

/// An edge of the triangulation whose diametral circle holds no vertex, not even on its boundary, with the
/// faces beside it. All other edges appear together with the triangle that has an obtuse or right angle
/// opposite to them.
struct GabrielEdge {
  Vertex a, b;
  Face left, right;
};

/// The corner of a triangle whose angle is right or obtuse, and the face across the opposite edge; -1 if
/// there is none.
struct Opening {
  int corner;
  Face face;
};
constexpr Face none = -1;

static_assert(std::numeric_limits<long double>::max_exponent >= 4 * std::numeric_limits<double>::max_exponent,
              "Squares of doubles and their products must fit into a long double.");

/// Squared lengths in numbers of type Real: long double where squares of coordinates leave the range of
/// double.
template <class Real>
struct Measure {
  static Real squared_distance(const PlanePoint& p, const PlanePoint& q) {
    const Real x = static_cast<Real>(p.x) - static_cast<Real>(q.x);
    const Real y = static_cast<Real>(p.y) - static_cast<Real>(q.y);
    return x * x + y * y;
  }

  /// Of a triangle without an obtuse angle: c^2 / (4 sin^2 C) at a corner C whose angle is not so small that
  /// its sine suffers from cancellation; only one of the three can be. Never less than the value of an edge.
  static Real squared_circumradius(const PlanePoint& p, const PlanePoint& q, const PlanePoint& corner) {
    const Real c = squared_distance(p, q), a = squared_distance(q, corner), b = squared_distance(p, corner);
    const auto x = static_cast<Real>(corner.x);
    const auto y = static_cast<Real>(corner.y);
    const Real area = (static_cast<Real>(p.x) - x) * (static_cast<Real>(q.y) - y) -
                      (static_cast<Real>(p.y) - y) * (static_cast<Real>(q.x) - x);
    const Real inverse_squared_sine = (a / area) * (b / area);
    if (!(inverse_squared_sine < 64)) [[unlikely]]
      return squared_circumradius(q, corner, p);
    return std::max({a, b, c, c * inverse_squared_sine}) / 4;
  }
};

template <class Real>
double reported(Real squared_radius, bool radii) {
  return static_cast<double>(radii ? std::sqrt(squared_radius) : squared_radius);
}

}  // namespace

struct AlphaPersistence::Work {
  Delaunay delaunay;
  std::span<const PlanePoint> points;  // what the triangulation consists of
  std::span<const std::int32_t> rows;
  std::span<const Delaunay::Triangle> triangles;
  Predicates predicates;
  KeyedOrder order;
  AlphaDiagrams result;

  std::vector<Opening> openings;   // of a face
  std::vector<double> face_value;  // where it is the root of its set
  UnionFind faces;                 // sets of them
  std::vector<GabrielEdge> edges;
  std::vector<double> edge_value;
  std::vector<char> in_tree;  // of an edge, whether the spanning tree has it
  UnionFind components;       // sets of vertices

  const AlphaDiagrams& compute(std::span<const PlanePoint> cloud, const AlphaOptions& options) {
    if (options.essential_death && !(*options.essential_death > 0))
      throw base::user_error(
          fmt::format("The class that never dies can be let die at a positive value, not at {}.",
                      *options.essential_death));
    delaunay.compute(cloud);
    points = delaunay.coordinates();
    rows = delaunay.vertices();
    triangles = delaunay.triangles();
    predicates.prepare(points);
    for (diagram::Diagram* diagram : {&result.h0, &result.h1}) diagram->points.clear();
    for (auto* simplices : {&result.h0_birth, &result.h0_death, &result.h1_birth, &result.h1_death})
      simplices->clear();
    result.duplicates_merged = static_cast<std::int64_t>(cloud.size() - rows.size());

    find_openings();
    merge_through_openings();
    if (predicates.moderate())
      measure<double>(options.radii);
    else
      measure<long double>(options.radii);
    check_values(options.radii);

    const auto value = [&](std::int32_t e) { return edge_value[static_cast<std::size_t>(e)]; };
    const auto ascending = order.sort(
        edges.size(), [&](std::int32_t e) { return ordered_bits(value(e)); },
        [&](std::int32_t e, std::int32_t f) {
          return value(e) < value(f) || (value(e) == value(f) && e < f);
        });
    join_components(ascending);
    join_faces(ascending);
    if (options.essential_death && !cloud.empty()) add_essential_class(*options.essential_death);
    return result;
  }

 private:
  /// A triangle with a right or obtuse angle has its circumcentre on or beyond the longest edge: that edge has
  /// the triangle's value, both appear together, and the triangle opens into the face across.
  void find_openings() {
    openings.resize(triangles.size() + 1);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const int corner = wide_corner(triangles[t]);
      const Face across = corner < 0 ? none : triangles[t].neighbour[static_cast<std::size_t>(corner)];
      openings[t] = {corner, corner >= 0 && across < 0 ? outer_face() : across};
    }
    openings.back() = {-1, none};
  }

  [[nodiscard]] int wide_corner(const Delaunay::Triangle& triangle) const {
    const auto [a, b, c] = triangle.corner;
    const PlanePoint &p = point(a), &q = point(b), &r = point(c);
    // At most one of the three is wide.
    return -1 + (predicates.acute(p, q, r) ? 0 : 1) + (predicates.acute(q, r, p) ? 0 : 2) +
           (predicates.acute(r, p, q) ? 0 : 3);
  }

  /// Triangles that open are one with the face they open into. Circles grow on the way, so it ends. Only two
  /// right triangles could open into each other, across their common longest edge; then the first one stays.
  void merge_through_openings() {
    faces.reset(openings.size());
    for (Face face = 0; face < outer_face(); ++face) {
      const Face across = openings[static_cast<std::size_t>(face)].face;
      const bool stays =
          across == none || (face < across && openings[static_cast<std::size_t>(across)].face == face);
      if (!stays) faces.merge(across, face);
    }
  }

  template <class Real>
  void measure(bool radii) {
    measure_edges<Real>(radii);
    measure_faces<Real>(radii);
  }

  /// Lists the edges with their values. Only these matter: the others appear together with a triangle, and none
  /// of them is in the spanning tree.
  template <class Real>
  void measure_edges(bool radii) {
    const auto chain = delaunay.chain();
    edges.resize(points.size() + triangles.size());  // Euler: one more than there are edges
    edge_value.resize(edges.size());
    std::size_t count = 0;
    const auto add_if = [&](bool wanted, const GabrielEdge& edge) {
      edges[count] = edge;
      edge_value[count] = reported(Measure<Real>::squared_distance(point(edge.a), point(edge.b)) / 4, radii);
      count += wanted ? 1 : 0;  // a branch, hard to predict, made orbits of 1000 points 4 % slower
    };
    for (std::size_t i = 1; i < chain.size(); ++i)
      add_if(true, {chain[i - 1], chain[i], outer_face(), outer_face()});

    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const auto face = static_cast<Face>(t);
      for (std::size_t i = 0; i < 3; ++i) {
        const Face across = triangles[t].neighbour[i] < 0 ? outer_face() : triangles[t].neighbour[i];
        const bool opening = openings[t].corner == static_cast<int>(i) ||
                             openings[static_cast<std::size_t>(across)].face == face;
        add_if((across > face) & !opening,
               {triangles[t].corner[(i + 1) % 3], triangles[t].corner[(i + 2) % 3], face, across});
      }
    }
    edges.resize(count);
    edge_value.resize(count);
  }

  template <class Real>
  void measure_faces(bool radii) {
    face_value.resize(triangles.size() + 1);
    face_value.back() = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      if (!faces.is_root(static_cast<Face>(t))) continue;
      const auto [a, b, c] = triangles[t].corner;
      face_value[t] = reported(Measure<Real>::squared_circumradius(point(a), point(b), point(c)), radii);
    }
  }

  /// No edge has the length 0, so a value of 0, or one with fewer digits than others, has lost what it was.
  void check_values(bool radii) const {
    if (predicates.moderate()) return;
    constexpr double largest = std::numeric_limits<double>::max(),
                     smallest = std::numeric_limits<double>::min();
    bool overflow = false, underflow = false;
    const auto check = [&](double value) {
      overflow = overflow || !(value <= largest);
      underflow = underflow || value < smallest;
    };
    std::ranges::for_each(edge_value, check);
    for (std::size_t t = 0; t < triangles.size(); ++t)
      if (faces.is_root(static_cast<Face>(t))) check(face_value[t]);
    const auto* const what = radii ? "Radii" : "Squared radii";
    const auto* const remedy = radii ? "" : "take radii (alpha:radii) or ";
    if (overflow)
      throw base::user_error(fmt::format(
          "{} of the point cloud exceed {}, the largest number; {}scale it down.", what, largest, remedy));
    if (underflow)
      throw base::user_error(fmt::format(
          "{} of the point cloud fall below {}, where numbers lose their digits; {}scale it up, by a smaller "
          "unit of length.",
          what, smallest, remedy));
  }

  /// H0 by Kruskal's algorithm; of two components the one of the later row dies.
  void join_components(std::span<const std::int32_t> ascending) {
    components.reset(rows.size());
    in_tree.assign(edges.size(), 0);
    std::size_t count = rows.size();
    for (const std::int32_t e : ascending) {
      if (count == 1) break;
      const GabrielEdge& edge = edges[static_cast<std::size_t>(e)];
      Vertex elder = components.find(edge.a);
      Vertex younger = components.find(edge.b);
      if (elder == younger) continue;
      if (row(elder) > row(younger)) std::swap(elder, younger);
      components.merge(elder, younger);
      in_tree[static_cast<std::size_t>(e)] = 1;
      --count;
      const double death = edge_value[static_cast<std::size_t>(e)];
      if (death == 0) continue;
      result.h0.points.push_back({0, death});
      result.h0_birth.push_back({row(younger), -1, -1});
      result.h0_death.push_back(simplex(edge));
    }
  }

  /// H1 by duality: seen from large radii to small ones, faces are components that an edge joins when it
  /// disappears, and of two the smaller dies. Edges of the spanning tree join nothing, all others do.
  void join_faces(std::span<const std::int32_t> ascending) {
    const auto value = [&](Face f) { return face_value[static_cast<std::size_t>(f)]; };
    for (std::size_t i = ascending.size(); i-- > 0;) {
      const std::int32_t e = ascending[i];
      if (in_tree[static_cast<std::size_t>(e)] != 0) continue;
      const GabrielEdge& edge = edges[static_cast<std::size_t>(e)];
      Face elder = faces.find(edge.left);
      Face younger = faces.find(edge.right);
      if (value(elder) < value(younger) || (value(elder) == value(younger) && elder < younger))
        std::swap(elder, younger);
      faces.merge(elder, younger);
      const double birth = edge_value[static_cast<std::size_t>(e)];
      if (birth >= value(younger)) continue;
      result.h1.points.push_back({birth, value(younger)});
      result.h1_birth.push_back(simplex(edge));
      result.h1_death.push_back(simplex(triangles[static_cast<std::size_t>(younger)]));
    }
  }

  /// The component of the first row outlives all others.
  void add_essential_class(double death) {
    result.h0.points.push_back({0, death});
    result.h0_birth.push_back({0, -1, -1});
    result.h0_death.push_back({-1, -1, -1});
  }

  [[nodiscard]] const PlanePoint& point(Vertex v) const { return points[static_cast<std::size_t>(v)]; }
  [[nodiscard]] std::int32_t row(Vertex v) const { return rows[static_cast<std::size_t>(v)]; }
  [[nodiscard]] Face outer_face() const { return static_cast<Face>(triangles.size()); }

  [[nodiscard]] CloudSimplex simplex(const GabrielEdge& edge) const {
    const std::int32_t a = row(edge.a), b = row(edge.b);
    return {std::min(a, b), std::max(a, b), -1};
  }

  [[nodiscard]] CloudSimplex simplex(const Delaunay::Triangle& triangle) const {
    const std::int32_t a = row(triangle.corner[0]), b = row(triangle.corner[1]), c = row(triangle.corner[2]);
    const std::int32_t low = std::min(a, b), high = std::max(a, b);
    return {std::min(low, c), std::max(low, std::min(high, c)), std::max(high, c)};
  }
};

AlphaPersistence::AlphaPersistence() : work_(base::make_hidden<Work>()) {}

const AlphaDiagrams& AlphaPersistence::compute(std::span<const PlanePoint> points,
                                               const AlphaOptions& options) {
  return work_->compute(points, options);
}

AlphaDiagrams alpha_persistence(std::span<const PlanePoint> points, const AlphaOptions& options) {
  return AlphaPersistence().compute(points, options);
}

}  // namespace perslay::persistence
