#pragma once

#include <perslay/network/block.h>

namespace perslay::network {

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
