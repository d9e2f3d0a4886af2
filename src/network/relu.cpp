#include <perslay/network/relu.h>

namespace perslay::network {

template <class T>
void Relu<T>::forward(const Numbers<T>& /*numbers*/, const Rows<T>& in, Rows<T>& out,
                      std::vector<T>& /*memory*/, const Pass& /*pass*/) const {
  out.resize(in.count, in.width);
  // A number that is none stays: whoever looks at the output is to see it.
  for (std::size_t i = 0; i < in.values.size(); ++i) out.values[i] = in.values[i] < 0 ? T{0} : in.values[i];
}

template <class T>
void Relu<T>::backward(const Numbers<T>& /*numbers*/, const Rows<T>& in, const Rows<T>& /*out*/,
                       std::vector<T>& /*memory*/, const Rows<T>& out_gradient, std::span<T> /*gradient*/,
                       Rows<T>* in_gradient, const Pass& /*pass*/) const {
  if (in_gradient == nullptr) return;
  in_gradient->resize(in.count, in.width);
  for (std::size_t i = 0; i < in.values.size(); ++i)
    in_gradient->values[i] = in.values[i] > 0 ? out_gradient.values[i] : T{0};
}

template class Relu<float>;
template class Relu<double>;

}  // namespace perslay::network
