#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/kernel/gram.h>

/// Ridge regression on a Gram matrix K of n items: coefficients a = (K + lambda I)^-1 y for each column y of
/// targets, and scores K a. Targets and all that is computed from them are [item][target].
namespace perslay::kernel {

/// The inverse of a symmetric positive definite matrix K + lambda I, by Cholesky's factorisation; O(n^3),
/// about n^3 operations. A matrix that is not positive definite is the caller's error.
[[nodiscard]] Matrix ridge_inverse(Matrix gram, double lambda);

/// The coefficients alone, for a third of the operations.
[[nodiscard]] std::vector<double> ridge_coefficients(Matrix gram, double lambda,
                                                     std::span<const double> targets);

/// What each item would be given by a regression on all others, from the inverse of all: y_i - a_i / G_ii.
/// O(n^2) for each target. With the inverse of n items and any K, equal to n regressions.
[[nodiscard]] std::vector<double> left_out_scores(const Matrix& inverse, std::span<const double> targets);

/// The same for the items of a fold, which are left out together: -(G_SS)^-1 G_ST y_T, S the fold and T the
/// others. O(|S|^3 + |S| n) for each target.
[[nodiscard]] std::vector<double> fold_scores(const Matrix& inverse, std::span<const double> targets,
                                              std::span<const std::size_t> fold);

/// The inverse for the items outside a fold, in the order of `rest`: G_TT - G_TS (G_SS)^-1 G_ST. O(|S| n^2).
[[nodiscard]] Matrix inverse_without(const Matrix& inverse, std::span<const std::size_t> fold,
                                     std::span<const std::size_t> rest);

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
