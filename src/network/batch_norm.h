#pragma once

#include <cstddef>

#include <perslay/network/block.h>
#include <perslay/network/layout.h>

namespace perslay::network {

/// Batch norm (Ioffe and Szegedy 2015) of the first `columns` columns; further ones pass unchanged:
/// weight (x - mean) / sqrt(variance + 1e-5) + bias. In training mean and variance (divided by the number of
/// items) are those of the batch, which needs two items at least, and fit() moves the running moments a tenth
/// of the way to them (the variance divided by the number less one). In evaluation the running ones are
/// taken.
template <class T>
class BatchNorm : public Block<T> {
 public:
  static constexpr double epsilon = 1e-5;
  static constexpr double momentum = 0.1;

  /// Of the trained numbers `weight` and `bias`, of the fitted ones `mean` and `variance`: [columns] each.
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
