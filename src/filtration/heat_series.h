#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace perslay::filtration {

/// The Chebyshev expansion of the heat kernel: exp(-t (I - B)) = sum_k c_k(t) T_k(B) for a symmetric B with
/// spectrum in [-1, 1], where c_k(t) = (2 - [k = 0]) e^-t I_k(t) with the modified Bessel functions I_k. All c_k are
/// positive and add up to 1, and |T_k| <= 1, so cutting the series off costs at most the sum of the dropped
/// coefficients.
///
/// Holds the coefficients of the last request: asking again for the same is free.
class HeatSeries {
 public:
  /// The times it serves: up to here the rounding errors of the recursion for T_k(B), which grow with t, stay
  /// below 1e-13 (4e-14 measured at t = 1000 on random graphs, weighted ones among them).
  static constexpr double largest_time = 1000;

  /// Computes the coefficients for every time, up to the smallest even degree at which the dropped ones sum to
  /// at most `tolerance`; also those of the derivatives in t, if wanted.
  void prepare(std::span<const double> times, double tolerance, bool derivatives) {
    if (std::ranges::equal(times, times_) && tolerance == tolerance_ && derivatives == derivatives_) return;
    std::vector<std::vector<double>> rows;
    for (const double t : times) rows.push_back(heat_coefficients(t));
    for (std::size_t i = 0; derivatives && i < times.size(); ++i)
      rows.push_back(derivative_coefficients(rows[i]));

    degree_ = 2;
    for (const auto& row : rows) degree_ = std::max(degree_, sufficient_degree(row, tolerance));
    degree_ += degree_ % 2;
    coefficients_.clear();
    for (auto& row : rows) {
      row.resize(degree_ + 1, 0.0);
      coefficients_.insert(coefficients_.end(), row.begin(), row.end());
    }
    rows_ = rows.size();
    times_.assign(times.begin(), times.end());
    tolerance_ = tolerance;
    derivatives_ = derivatives;
  }

  /// The degree of the last request: even, at least 2.
  [[nodiscard]] std::size_t degree() const noexcept { return degree_; }

  /// Rows of degree() + 1 coefficients: one per time, then, if asked for, one per time for the derivative in
  /// t.
  [[nodiscard]] std::size_t row_count() const noexcept { return rows_; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return std::span(coefficients_).subspan(i * (degree_ + 1), degree_ + 1);
  }

 private:
  /// c_0(t), c_1(t), ... until they are negligible beside any tolerance.
  ///
  /// c_k / 2 = e^-t I_k(t) is the probability that two Poisson variables of mean t/2 differ by k, so by
  /// Bernstein's inequality what lies beyond k is below 2 exp(-k^2 / (2t + 2k/3)): below 1e-34 at the length
  /// taken. The ratios r_k = I_k / I_(k-1) = t / (2k + t r_(k+1)) are computed backwards, which is stable and
  /// cannot overflow; the identity I_0 + 2 I_1 + 2 I_2 + ... = e^t then gives the scale.
  static std::vector<double> heat_coefficients(double t) {
    constexpr double log_negligible = 80;
    const double third = log_negligible / 3;
    const auto length =
        static_cast<std::size_t>(third + std::sqrt(third * third + 2 * log_negligible * t)) + 2;
    std::vector<double> ratio(length + 1, 0.0);
    for (std::size_t k = length; k-- > 1;) ratio[k] = t / (2 * static_cast<double>(k) + t * ratio[k + 1]);
    std::vector<double> c(length, 1.0);
    double total = 1;
    for (std::size_t k = 1; k < length; ++k) {
      c[k] = (k == 1 ? 2 : 1) * c[k - 1] * ratio[k];
      total += c[k];
    }
    for (double& x : c) x /= total;
    return c;
  }

  /// d/dt (e^-t I_k) = e^-t ((I_(k-1) + I_(k+1)) / 2 - I_k), in terms of c_0 = e^-t I_0 and c_k = 2 e^-t I_k.
  static std::vector<double> derivative_coefficients(const std::vector<double>& c) {
    std::vector<double> slope(c.size());
    for (std::size_t k = 0; k < c.size(); ++k) {
      const double above = k + 1 < c.size() ? c[k + 1] : 0;
      const double below = k == 0 ? 0 : k == 1 ? 2 * c[0] : c[k - 1];
      slope[k] = (above + below) / 2 - c[k];
    }
    return slope;
  }

  /// The smallest degree at which the absolute values of the dropped coefficients add up to at most
  /// `tolerance`.
  static std::size_t sufficient_degree(const std::vector<double>& coefficients, double tolerance) {
    double dropped = 0;
    for (std::size_t k = coefficients.size(); k-- > 1;) {
      dropped += std::abs(coefficients[k]);
      if (dropped > tolerance) return k;
    }
    return 0;
  }

  std::vector<double> times_;
  double tolerance_ = -1;
  bool derivatives_ = false;
  std::size_t degree_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> coefficients_;
};

}  // namespace perslay::filtration
