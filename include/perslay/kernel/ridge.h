#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/kernel/gram.h>

/// Ridge regression on a Gram matrix K of n items: coefficients a = (K + lambda I)^-1 y for each column y of
/// targets, and scores K a. Targets and all that is computed from them are [item][target].
namespace perslay::kernel {

/// The coefficients, by Cholesky's factorisation in n^3 / 3 operations. A matrix K + lambda I that is not positive
/// definite is the caller's error, here and below.
[[nodiscard]] std::vector<double> ridge_coefficients(Matrix gram, double lambda,
                                                     std::span<const double> targets);

/// The score that a regression on all other items would give each item: y_i - a_i / G_ii, where
/// G = (K + lambda I)^-1. The result is that of n regressions, for twice the operations of one.
[[nodiscard]] std::vector<double> left_out_scores(Matrix gram, double lambda,
                                                  std::span<const double> targets);

/// Makes a Gram matrix as if features had mean 0 and mean square 1, and a constant 1 among them: K is centred by
/// rows and columns, divided by its mean diagonal and increased by 1. The numbers are kept, so that other items
/// can be put beside these.
struct Centring {
  std::vector<double> means;  ///< The mean of each column of K.
  double mean = 0;            ///< The mean of K.
  double norm = 1;            ///< The mean diagonal, after centring.

  [[nodiscard]] static Centring fit(const Matrix& gram);

  /// The centred matrix.
  [[nodiscard]] Matrix operator()(Matrix gram) const;
};

/// Coefficients b and a constant c for kernel values as they are: a score is sum_j b_j k(x, j) + c.
/// without_centring() makes them from the coefficients for the centred matrix.
struct PlainScores {
  std::vector<double> coefficients;  ///< [item][target]
  std::vector<double> constants;     ///< [target]
};
[[nodiscard]] PlainScores without_centring(const Centring& centring, std::span<const double> coefficients);

}  // namespace perslay::kernel
