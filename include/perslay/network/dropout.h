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

  void forward(const Numbers<T>& numbers, const Rows<T>& in, Rows<T>& out, std::vector<T>& memory,
               const Pass& pass) const override;
  void backward(const Numbers<T>& numbers, const Rows<T>& in, const Rows<T>& out, std::vector<T>& memory,
                const Rows<T>& out_gradient, std::span<T> gradient, Rows<T>* in_gradient,
                const Pass& pass) const override;

 private:
  double rate_;
};

extern template class Dropout<float>;
extern template class Dropout<double>;

}  // namespace perslay::network
