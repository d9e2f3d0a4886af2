#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perslay::learn {

/// For each row of probabilities [row][class] the most probable class; the first of equals.
[[nodiscard]] std::vector<int> most_probable(std::span<const float> probabilities, std::size_t classes);

/// The fraction of predictions that are right; there is at least one.
[[nodiscard]] double accuracy(std::span<const int> truth, std::span<const int> predicted);

/// How often items of class t were taken for class p, [t][p].
[[nodiscard]] std::vector<std::size_t> confusion_matrix(std::span<const int> truth,
                                                        std::span<const int> predicted, std::size_t classes);

/// Accuracies of an evaluation in three numbers, all about the means of its repeats.
struct Summary {
  double mean = 0;
  std::optional<double> deviation;  ///< Sample standard deviation; none for one repeat.
  double max = 0;                   ///< The best repeat.

  friend bool operator==(const Summary&, const Summary&) = default;
};

/// `runs[repeat][fold]`, at least one of each.
[[nodiscard]] Summary summarize(std::span<const std::vector<double>> runs);

}  // namespace perslay::learn
