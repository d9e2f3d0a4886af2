#include "dense.h"

#include "product.h"

#include <algorithm>

namespace perslay::network {

template <class T>
void dense_forward(const Rows<T>& in, const T* weight, const T* bias, std::size_t outputs, Rows<T>& out) {
  out.resize(in.count, outputs);
  for (std::size_t i = 0; i < out.count; ++i) std::copy_n(bias, outputs, out.row(i).data());
  if (out.values.empty()) return;
  Product{CblasNoTrans, CblasTrans, in.count, outputs, in.width, in.width, in.width, outputs}(
      in.values.data(), weight, T{1}, out.values.data());
}

template <class T>
void dense_backward(const Rows<T>& in, const T* weight, const Rows<T>& out_gradient, T* weight_gradient,
                    T* bias_gradient, Rows<T>* in_gradient) {
  const std::size_t outputs = out_gradient.width;
  Product{CblasTrans, CblasNoTrans, outputs, in.width, in.count, outputs, in.width, in.width}(
      out_gradient.values.data(), in.values.data(), T{0}, weight_gradient);
  std::fill_n(bias_gradient, outputs, T{0});
  for (std::size_t i = 0; i < out_gradient.count; ++i)
    for (std::size_t j = 0; j < outputs; ++j) bias_gradient[j] += out_gradient.values[i * outputs + j];
  if (in_gradient == nullptr) return;
  in_gradient->resize(in.count, in.width);
  Product{CblasNoTrans, CblasNoTrans, in.count, in.width, outputs, outputs, in.width, in.width}(
      out_gradient.values.data(), weight, T{0}, in_gradient->values.data());
}

template <class T>
void Dense<T>::forward(const Step<T>& step) const {
  dense_forward(step.in, weight_.of(step.numbers.trained).data(), bias_.of(step.numbers.trained).data(),
                outputs_, step.out);
}

template <class T>
void Dense<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  dense_backward(step.in, weight_.of(step.numbers.trained).data(), slopes.by_out,
                 weight_.of(slopes.by_trained).data(), bias_.of(slopes.by_trained).data(), slopes.by_in);
}

template class Dense<float>;
template class Dense<double>;
template void dense_forward(const Rows<float>&, const float*, const float*, std::size_t, Rows<float>&);
template void dense_forward(const Rows<double>&, const double*, const double*, std::size_t, Rows<double>&);
template void dense_backward(const Rows<float>&, const float*, const Rows<float>&, float*, float*,
                             Rows<float>*);
template void dense_backward(const Rows<double>&, const double*, const Rows<double>&, double*, double*,
                             Rows<double>*);

}  // namespace perslay::network
