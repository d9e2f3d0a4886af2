#pragma once

#include <cstddef>
#include <span>

#include <perslay/network/rows.h>

namespace perslay::network {

/// What a network is trained to make small. It knows the truth about all items of the training part.
template <class T>
class Loss {
 public:
  Loss() = default;
  Loss(const Loss&) = delete;
  Loss& operator=(const Loss&) = delete;
  virtual ~Loss() = default;

  /// Of a batch; sums, so that an epoch's can be added up.
  struct Value {
    double loss = 0;  ///< The sum over the items.
    double hits = 0;  ///< So many outputs are right.
  };

  /// `outputs` are those of the items with these places; `gradient` receives the derivatives of the *mean*
  /// over the batch.
  virtual Value operator()(const Rows<T>& outputs, std::span<const std::size_t> places,
                           Rows<T>& gradient) const = 0;
};

/// The cross-entropy of softmax(outputs) and the labels, each label smoothed: (1 - smoothing) of it is the
/// item's class, the rest is spread evenly over all classes (Szegedy et al. 2016). The largest output should
/// be that of the label; the first of equal ones counts.
template <class T>
class CrossEntropy : public Loss<T> {
 public:
  /// `labels` outlives it.
  explicit CrossEntropy(std::span<const int> labels, double smoothing = 0)
      : labels_(labels), smoothing_(smoothing) {}

  typename Loss<T>::Value operator()(const Rows<T>& outputs, std::span<const std::size_t> places,
                                     Rows<T>& gradient) const override;

 private:
  std::span<const int> labels_;
  double smoothing_;
};

extern template class CrossEntropy<float>;
extern template class CrossEntropy<double>;

/// The row's numbers as probabilities: exp(x) / sum of all exp(x), in place.
template <class T>
void softmax(std::span<T> row);

}  // namespace perslay::network
