#pragma once

#include <cstddef>
#include <span>

#include <perslay/network/rows.h>

namespace perslay::network {

/// The loss of a batch: sums, so that those of an epoch can be added up.
struct LossValue {
  double loss = 0;  ///< The sum over the items.
  double hits = 0;  ///< The number of outputs that are right.
};

/// The cross-entropy of softmax(outputs) and the labels, each label smoothed: (1 - smoothing) of it is the
/// item's class, the rest is spread evenly over all classes (Szegedy et al. 2016). An output is right if
/// its largest number is that of the label; of equal numbers the first counts.
template <class T>
class CrossEntropy {
 public:
  /// `labels` are those of all items of the training part, and outlive the loss.
  explicit CrossEntropy(std::span<const int> labels, double smoothing = 0)
      : labels_(labels), smoothing_(smoothing) {}

  /// `outputs` are those of the items at these places. `gradient` receives the derivatives of the *mean* over
  /// the batch.
  LossValue operator()(const Rows<T>& outputs, std::span<const std::size_t> places, Rows<T>& gradient) const;

 private:
  std::span<const int> labels_;
  double smoothing_;
};

extern template class CrossEntropy<float>;
extern template class CrossEntropy<double>;

/// Turns the row's numbers into probabilities, in place: exp(x) / sum of all exp(x).
template <class T>
void softmax(std::span<T> row);

}  // namespace perslay::network
