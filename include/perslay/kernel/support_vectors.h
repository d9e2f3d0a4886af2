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
  std::vector<int> classes;          ///< The classes of the training items, in the order of the machines.
  std::vector<std::size_t> counts;   ///< The number of support vectors of each class.
  std::vector<std::size_t> support;  ///< Their places among the training items, class by class.
  /// [classes - 1][support]: a vector of class i has in row j - 1 its coefficient against class j > i, in row
  /// j that against class j < i.
  std::vector<double> coefficients;
  std::vector<double> offsets;  ///< The offsets of the machines (0, 1), (0, 2), ..., (1, 2), ...

  friend bool operator==(const SupportVectors&, const SupportVectors&) = default;
};

/// A Gram matrix in the form that training reads. It takes 16 bytes per entry and serves many trainings: on parts
/// of the items, with several costs.
class TrainingGram {
 public:
  explicit TrainingGram(const Matrix& gram);
  ~TrainingGram();
  TrainingGram(const TrainingGram&) = delete;
  TrainingGram& operator=(const TrainingGram&) = delete;

  /// Learns from the items `rows` of the matrix, by libsvm (Chang, Lin 2011); `labels` holds one for each item of
  /// the matrix. `cost` is C, the price of an item on the wrong side. `support` of the result counts in `rows`.
  /// Training is deterministic and takes O(rows^2) to O(rows^3).
  [[nodiscard]] SupportVectors train(std::span<const std::size_t> rows, std::span<const int> labels,
                                     double cost) const;

 private:
  struct Nodes;
  std::unique_ptr<Nodes> nodes_;
};

/// The decisions of the machines about an item; `kernel` holds its kernel values with the support vectors, in the
/// order of `support`. A decision above 0 is for the first class of a pair.
[[nodiscard]] std::vector<double> decisions(const SupportVectors& machines, std::span<const double> kernel);

/// One number per class, 0 ... class_count - 1; the numbers add up to 1. Each pair of classes shares by the
/// logistic function of twice the decision, and the result is the mean over pairs. The numbers are not
/// calibrated; classes without training items have 0.
[[nodiscard]] std::vector<double> class_shares(const SupportVectors& machines,
                                               std::span<const double> decided, std::size_t class_count);

}  // namespace perslay::kernel
