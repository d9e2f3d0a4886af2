#pragma once

#include <cmath>
#include <limits>
#include <span>

#include <perslay/data/point_cloud.h>

namespace perslay::persistence {

/// Geometric predicates of points in the plane, exact for all finite doubles. Each is computed in floating point
/// with a bound on the error (Shewchuk 1997, the first stage) and, if that does not decide, in integers of any
/// length.
class Predicates {
 public:
  using Point = data::PlanePoint;

  /// Adapts the bounds to the cloud. If products of coordinates might overflow, only integers are used.
  void prepare(std::span<const Point> cloud) {
    constexpr double smallest = 0x1p-450;
    constexpr double largest = 0x1p+240;
    bool within = true;
    for (const Point& p : cloud)
      for (const double size : {std::abs(p.x), std::abs(p.y)})
        within &= (size == 0) | ((size >= smallest) & (size <= largest));
    moderate_ = within;
    turn_error_ = within ? 0x1p-51 : std::numeric_limits<double>::infinity();
    circle_error_ = within ? 12 * 0x1p-53 : std::numeric_limits<double>::infinity();
  }

  /// Whether squares of coordinates and of their differences are normal numbers or 0.
  [[nodiscard]] bool moderate() const noexcept { return moderate_; }

  /// Whether a, b, c turn to the left (counter-clockwise).
  [[nodiscard]] bool left_turn(const Point& a, const Point& b, const Point& c) const {
    const double left = (a.x - c.x) * (b.y - c.y);
    const double right = (a.y - c.y) * (b.x - c.x);
    const double bound = turn_error_ * (std::abs(left) + std::abs(right)) + turn_underflow;
    const double determinant = left - right;
    if (std::abs(determinant) > bound) [[likely]]
      return determinant > 0;
    return left_turn_exactly(a, b, c);
  }

  /// Whether d lies strictly inside the circle through a, b, c, which turn to the left.
  [[nodiscard]] bool in_circle(const Point& a, const Point& b, const Point& c, const Point& d) const {
    const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
                 cy = c.y - d.y;
    const double bxcy = bx * cy, cxby = cx * by, cxay = cx * ay, axcy = ax * cy, axby = ax * by,
                 bxay = bx * ay;
    const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const double determinant = a2 * (bxcy - cxby) + b2 * (cxay - axcy) + c2 * (axby - bxay);
    const double size = a2 * (std::abs(bxcy) + std::abs(cxby)) + b2 * (std::abs(cxay) + std::abs(axcy)) +
                        c2 * (std::abs(axby) + std::abs(bxay));
    const double bound = circle_error_ * size + circle_underflow;
    if (std::abs(determinant) > bound) [[likely]]
      return determinant > 0;
    return in_circle_exactly(a, b, c, d);
  }

  /// Whether the angle at `corner` between a and b is less than a right one.
  [[nodiscard]] bool acute(const Point& corner, const Point& a, const Point& b) const {
    const double x = (a.x - corner.x) * (b.x - corner.x);
    const double y = (a.y - corner.y) * (b.y - corner.y);
    const double bound = turn_error_ * (std::abs(x) + std::abs(y)) + turn_underflow;
    if (std::abs(x + y) > bound) [[likely]]
      return x + y > 0;
    return acute_exactly(corner, a, b);
  }

 private:
  // Above these, what products lose by underflow is covered by the slack in the error factors: a lost 2^-1074
  // is multiplied by at most the square of a difference, 2^483.
  static constexpr double turn_underflow = 0x1p-960;
  static constexpr double circle_underflow = 0x1p-500;

  static bool left_turn_exactly(const Point& a, const Point& b, const Point& c);
  static bool in_circle_exactly(const Point& a, const Point& b, const Point& c, const Point& d);
  static bool acute_exactly(const Point& corner, const Point& a, const Point& b);

  bool moderate_ = true;
  double turn_error_ = 0;
  double circle_error_ = 0;
};

}  // namespace perslay::persistence
