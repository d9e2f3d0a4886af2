#include "relu.h"

namespace perslay::network {

template <class T>
void Relu<T>::forward(const Step<T>& step) const {
  step.out.resize(step.in.count, step.in.width);
  // NaN stays NaN, so that it shows in the output.
  for (std::size_t i = 0; i < step.in.values.size(); ++i)
    step.out.values[i] = step.in.values[i] < 0 ? T{0} : step.in.values[i];
}

template <class T>
void Relu<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  if (slopes.by_in == nullptr) return;
  slopes.by_in->resize(step.in.count, step.in.width);
  for (std::size_t i = 0; i < step.in.values.size(); ++i)
    slopes.by_in->values[i] = step.in.values[i] > 0 ? slopes.by_out.values[i] : T{0};
}

template class Relu<float>;
template class Relu<double>;

}  // namespace perslay::network
