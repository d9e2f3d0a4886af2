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

}  // namespace perslay::network
