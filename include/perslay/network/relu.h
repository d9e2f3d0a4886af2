#pragma once

#include <perslay/network/block.h>

namespace perslay::network {

/// max(x, 0), number by number; its derivative at 0 is 0.
template <class T>
class Relu : public Block<T> {
 public:
  void forward(const Numbers<T>& numbers, const Rows<T>& in, Rows<T>& out, std::vector<T>& memory,
               const Pass& pass) const override;
  void backward(const Numbers<T>& numbers, const Rows<T>& in, const Rows<T>& out, std::vector<T>& memory,
                const Rows<T>& out_gradient, std::span<T> gradient, Rows<T>* in_gradient,
                const Pass& pass) const override;
};

extern template class Relu<float>;
extern template class Relu<double>;

}  // namespace perslay::network
