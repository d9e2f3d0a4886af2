#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/kernel/gram.h>

/// Ridge regression on a Gram matrix K of n items: coefficients a = (K + lambda I)^-1 y for each column y of
/// targets, and scores K a. Targets and all that is computed from them are [item][target].
namespace perslay::kernel {

/// Coefficients, by Cholesky's factorisation; n^3 / 3 operations. A matrix K + lambda I that is not positive
/// definite is the caller's error, here and below.
[[nodiscard]] std::vector<double> ridge_coefficients(Matrix gram, double lambda,
                                                     std::span<const double> targets);

/// What each item would be given by a regression on all others: y_i - a_i / G_ii, where G = (K + lambda
/// I)^-1. Equal to n regressions, for twice the operations of one.
[[nodiscard]] std::vector<double> left_out_scores(Matrix gram, double lambda,
                                                  std::span<const double> targets);

/// A Gram matrix as if features had mean 0 and mean square 1, and a constant 1 among them: K is centred by
/// rows and columns, divided by its mean diagonal and increased by 1. What that takes is kept, so that other
/// items can be put beside these.
struct Centring {
  std::vector<double> means;  ///< Of each column of K,
  double mean = 0;            ///< and of all of it.
  double norm = 1;            ///< The mean diagonal, after centring.

  [[nodiscard]] static Centring fit(const Matrix& gram);

  /// K as described.
  [[nodiscard]] Matrix operator()(Matrix gram) const;
};

/// Coefficients for the centred matrix become coefficients b and a constant c for kernel values as they are:
/// a score is sum_j b_j k(x, j) + c.
struct PlainScores {
  std::vector<double> coefficients;  ///< [item][target]
  std::vector<double> constants;     ///< [target]
};
[[nodiscard]] PlainScores without_centring(const Centring& centring, std::span<const double> coefficients);

}  // namespace perslay::kernel
