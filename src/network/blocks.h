#pragma once

#include <cstddef>

#include <perslay/network/block.h>
#include <perslay/network/layout.h>

namespace perslay::network {

/// out = in weight^T + bias: `weight` [outputs, inputs], `bias` [outputs]. O(items inputs outputs), by BLAS
/// on the calling thread.
template <class T>
class Dense : public Block<T> {
 public:
  Dense(std::size_t inputs, std::size_t outputs, Slot weight, Slot bias)
      : inputs_(inputs), outputs_(outputs), weight_(weight), bias_(bias) {}

  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;

 private:
  std::size_t inputs_;
  std::size_t outputs_;
  Slot weight_;
  Slot bias_;
};

extern template class Dense<float>;
extern template class Dense<double>;

/// out = in weight^T + bias, on arrays that lie anywhere.
template <class T>
void dense_forward(const Rows<T>& in, const T* weight, const T* bias, std::size_t outputs, Rows<T>& out);
/// The derivatives of dense_forward(); `in_gradient` may be null.
template <class T>
void dense_backward(const Rows<T>& in, const T* weight, const Rows<T>& out_gradient, T* weight_gradient,
                    T* bias_gradient, Rows<T>* in_gradient);

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

/// max(x, 0), number by number; its derivative at 0 is 0.
template <class T>
class Relu : public Block<T> {
 public:
  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;
};

extern template class Relu<float>;
extern template class Relu<double>;

/// In training each number is 0 with probability `rate`, independently, and is divided by 1 - rate otherwise
/// (Srivastava et al. 2014); the pass's random stream decides. In evaluation nothing changes.
template <class T>
class Dropout : public Block<T> {
 public:
  /// 0 <= rate < 1.
  explicit Dropout(double rate) : rate_(rate) {}

  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;

 private:
  double rate_;
};

extern template class Dropout<float>;
extern template class Dropout<double>;

}  // namespace perslay::network
