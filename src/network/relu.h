#pragma once

#include <perslay/network/block.h>

namespace perslay::network {

/// max(x, 0), number by number; its derivative at 0 is 0.
template <class T>
class Relu : public Block<T> {
 public:
  void forward(const Step<T>& step) const override;
  void backward(const Step<T>& step, const Slopes<T>& slopes) const override;
};

extern template class Relu<float>;
extern template class Relu<double>;

}  // namespace perslay::network
