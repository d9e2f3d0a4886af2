#pragma once

#include <cstddef>

#include <perslay/network/block.h>
#include <perslay/network/layout.h>

namespace perslay::network {

/// Batch norm (Ioffe and Szegedy 2015) of the first `columns` columns; further ones pass unchanged:
/// weight (x - mean) / sqrt(variance + 1e-5) + bias. In training, mean and variance (divided by the number
/// of items) are those of the batch, which needs at least two items, and fit() moves the running moments a
/// tenth of the way to them (the variance divided by the number less one). Evaluation uses the running
/// moments.
template <class T>
class BatchNorm : public Block<T> {
 public:
  static constexpr double epsilon = 1e-5;
  static constexpr double momentum = 0.1;

  /// `weight` and `bias` are places of trained numbers, `mean` and `variance` of fitted ones: [columns] each.
  BatchNorm(std::size_t columns, Slot weight, Slot bias, Slot mean, Slot variance)
      : columns_(columns), weight_(weight), bias_(bias), mean_(mean), variance_(variance) {}

  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;
  void fit(const std::vector<T>& memory, std::span<T> fitted, std::size_t items) const override;

 private:
  std::size_t columns_;
  Slot weight_, bias_, mean_, variance_;
};

extern template class BatchNorm<float>;
extern template class BatchNorm<double>;

}  // namespace perslay::network
