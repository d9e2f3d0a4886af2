#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <perslay/kernel/gram.h>

namespace perslay::kernel {

/// A classifier by support vectors, one machine for each pair of classes (Boser, Guyon, Vapnik 1992; Cortes,
/// Vapnik 1995). Items are known by their kernel values alone.
struct SupportVectors {
  std::vector<int> classes;          ///< Those that the training items have, in the order of the machines.
  std::vector<std::size_t> counts;   ///< Support vectors of each class.
  std::vector<std::size_t> support;  ///< Places among the training items, class by class.
  /// [classes - 1][support]: a vector of class i has in row j - 1 its coefficient against class j > i, in row
  /// j that against class j < i.
  std::vector<double> coefficients;
  std::vector<double> offsets;  ///< Of the machines (0, 1), (0, 2), ..., (1, 2), ...

  friend bool operator==(const SupportVectors&, const SupportVectors&) = default;
};

/// A Gram matrix in the form that training reads, made once for many trainings: on parts of the items, with
/// several costs. 16 bytes per entry.
class TrainingGram {
 public:
  explicit TrainingGram(const Matrix& gram);
  ~TrainingGram();
  TrainingGram(const TrainingGram&) = delete;
  TrainingGram& operator=(const TrainingGram&) = delete;

  /// Learns from the items `rows` of the matrix; labels are of all its items. `cost` is the price of an item
  /// on the wrong side, C. Costs O(rows^2) to O(rows^3). Deterministic; by libsvm (Chang, Lin 2011).
  ///
  /// `support` counts in `rows`.
  [[nodiscard]] SupportVectors train(std::span<const std::size_t> rows, std::span<const int> labels,
                                     double cost) const;

 private:
  struct Nodes;
  std::unique_ptr<Nodes> nodes_;
};

/// What the machines say about an item with these kernel values to the support vectors, in the order of
/// `support`: above 0 for the first class of a pair.
[[nodiscard]] std::vector<double> decisions(const SupportVectors& machines, std::span<const double> kernel);

/// One number per class, 0 ... class_count - 1, that add up to 1: of each pair of classes the logistic
/// function of twice the decision, averaged over pairs. Not calibrated; classes without training items have
/// 0.
[[nodiscard]] std::vector<double> class_shares(const SupportVectors& machines,
                                               std::span<const double> decided, std::size_t class_count);

}  // namespace perslay::kernel
