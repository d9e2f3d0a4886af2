#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Sums of Gaussians between two diagrams, on vectors. Points are placed (see placed_points.h), arrays
/// padded. Gaussians below 2^-104 = 5e-32 may be left out, which the sorted order makes cheap: O(n m) for
/// wide Gaussians, O((n + m) k) if there are k points within ten widths.
namespace perslay::kernel {

struct PointArrays {
  std::size_t count = 0;
  std::size_t padded = 0;
  const double* u = nullptr;
  const double* v = nullptr;
  const double* weights = nullptr;  ///< What else a sum needs of every point; 0 on padding.
};

/// sum w_p w_q 2^-|p - q|^2.
[[nodiscard]] double weighted_sum(const PointArrays& f, const PointArrays& g);

/// sum w_p w_q (2^-|p - q|^2 - 2^-|p - q'|^2), q' the mirror image of q, where all v are at least 0. Without
/// cancellation: the difference of the exponents is 4 v_p v_q.
[[nodiscard]] double mirrored_sum(const PointArrays& f, const PointArrays& g);

/// For every point p of a diagram F, sums over the points q of another, G, whose weights a_q = 2^-v_q^2 stand
/// for their distance to the diagonal.
struct FieldSums {
  std::vector<double> direct;     ///< sum 2^-|p - q|^2: the field of G at p,
  std::vector<double> projected;  ///< sum 2^-(u_p - u_q)^2: that of the projected G at the projected p,
  std::vector<double> lowered;    ///< sum a_q 2^-(u_p - u_q)^2: that of G at the projected p.

  void reset(std::size_t padded) {
    for (auto* sums : {&direct, &projected, &lowered}) sums->assign(padded, 0);
  }
};

/// The direct field of G on F and that of F on G: each Gaussian serves both. Adds to what is there.
void direct_sums(const PointArrays& f, const PointArrays& g, double* on_f, double* on_g);

/// The other two at a single u.
struct LineSums {
  double projected = 0, lowered = 0;
};
[[nodiscard]] LineSums line_sums(double u, const PointArrays& g);

/// Taylor series of two functions on cells of a line: cell c, counted from `first`, is centred at c * width,
/// and its terms are a_0, b_0, a_1, b_1, ..., a_15, b_15.
struct SeriesTable {
  static constexpr std::size_t terms = 16;
  static constexpr double width = 0.5;

  std::int64_t first = 0;
  std::size_t cells = 0;
  const double* values = nullptr;
};

/// Both functions at every u; 0 outside the table.
void evaluate_series(const SeriesTable& table, const PointArrays& at, double* a, double* b);

/// sum (sqrt(x_i/|x|) - sqrt(y_i/|y|))^2, |x| = sum x_i: the squared distance of two unit vectors. All x_i
/// and y_i are at least 0.
[[nodiscard]] double root_distance(std::span<const double> x, std::span<const double> y);

/// sum u_i v_k field[i * stride + k] over i < rows, k < columns.
[[nodiscard]] double stencil_sum(const double* field, std::size_t stride, const double* u, std::size_t rows,
                                 const double* v, std::size_t columns);

/// sum x_i y_i.
[[nodiscard]] double dot(std::span<const double> x, std::span<const double> y);

}  // namespace perslay::kernel
