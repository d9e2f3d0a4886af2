#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Sums of Gaussians between two diagrams, on vectors. The points are placed (see placed_points.h) and the
/// arrays padded. Gaussians below 2^-104 = 5e-32 may be left out, which the sorted order makes cheap. The sums
/// cost O(n m) for wide Gaussians and O((n + m) k) if there are k points within ten widths.
namespace perslay::kernel {

struct PointArrays {
  std::size_t count = 0;
  std::size_t padded = 0;
  const double* u = nullptr;
  const double* v = nullptr;
  const double* weights = nullptr;  ///< One more number per point, as the sum needs it; 0 on padding.
};

/// The sum of w_p w_q 2^-|p - q|^2.
[[nodiscard]] double weighted_sum(const PointArrays& f, const PointArrays& g);

/// The sum of w_p w_q (2^-|p - q|^2 - 2^-|p - q'|^2), where q' is the mirror image of q and all v are at least
/// 0. Nothing cancels, because the difference of the exponents is 4 v_p v_q.
[[nodiscard]] double mirrored_sum(const PointArrays& f, const PointArrays& g);

/// Sums over the points q of a diagram G for every point p of a diagram F. The weights a_q = 2^-v_q^2 stand for
/// the distance of q to the diagonal.
struct FieldSums {
  std::vector<double> direct;     ///< sum 2^-|p - q|^2, the field of G at p.
  std::vector<double> projected;  ///< sum 2^-(u_p - u_q)^2, the field of the projected G at the projected p.
  std::vector<double> lowered;    ///< sum a_q 2^-(u_p - u_q)^2, the field of G at the projected p.

  void reset(std::size_t padded) {
    for (auto* sums : {&direct, &projected, &lowered}) sums->assign(padded, 0);
  }
};

/// Adds the direct field of G to `on_f` and that of F to `on_g`. Each Gaussian serves both.
void direct_sums(const PointArrays& f, const PointArrays& g, double* on_f, double* on_g);

/// The sums `projected` and `lowered` of FieldSums at a single u.
struct LineSums {
  double projected = 0, lowered = 0;
};
[[nodiscard]] LineSums line_sums(double u, const PointArrays& g);

/// Taylor series of two functions on cells of a line. Cell c, counted from `first`, has its centre at c * width
/// and the terms a_0, b_0, a_1, b_1, ..., a_15, b_15.
struct SeriesTable {
  static constexpr std::size_t terms = 16;
  static constexpr double width = 0.5;

  std::int64_t first = 0;
  std::size_t cells = 0;
  const double* values = nullptr;
};

/// Writes both functions at every u; they are 0 outside the table.
void evaluate_series(const SeriesTable& table, const PointArrays& at, double* a, double* b);

/// The sum of (sqrt(x_i/|x|) - sqrt(y_i/|y|))^2, where |x| = sum x_i: the squared distance of two unit vectors.
/// All x_i and y_i are at least 0.
[[nodiscard]] double root_distance(std::span<const double> x, std::span<const double> y);

/// The sum of u_i v_k field[i * stride + k] over i < rows and k < columns.
[[nodiscard]] double stencil_sum(const double* field, std::size_t stride, const double* u, std::size_t rows,
                                 const double* v, std::size_t columns);

/// The sum of x_i y_i.
[[nodiscard]] double dot(std::span<const double> x, std::span<const double> y);

}  // namespace perslay::kernel
