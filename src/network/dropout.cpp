#include <cstdint>

#include <perslay/network/dropout.h>

namespace perslay::network {
namespace {

/// 0 or 1 / (1 - rate) for each number; two from each draw.
template <class T>
void draw_mask(std::vector<T>& mask, double rate, base::RandomStream& random) {
  const auto kept = static_cast<T>(1 / (1 - rate));
  const auto limit = static_cast<std::uint32_t>(rate * 0x1p32);
  for (std::size_t i = 0; i < mask.size(); i += 2) {
    const auto bits = random();
    mask[i] = static_cast<std::uint32_t>(bits) < limit ? T{0} : kept;
    if (i + 1 < mask.size()) mask[i + 1] = static_cast<std::uint32_t>(bits >> 32) < limit ? T{0} : kept;
  }
}

}  // namespace

template <class T>
void Dropout<T>::forward(const Numbers<T>& /*numbers*/, const Rows<T>& in, Rows<T>& out,
                         std::vector<T>& memory, const Pass& pass) const {
  out.resize(in.count, in.width);
  if (!pass.training()) {
    out.values = in.values;
    return;
  }
  memory.resize(in.values.size());
  draw_mask(memory, rate_, *pass.random);
  for (std::size_t i = 0; i < memory.size(); ++i) out.values[i] = in.values[i] * memory[i];
}

template <class T>
void Dropout<T>::backward(const Numbers<T>& /*numbers*/, const Rows<T>& in, const Rows<T>& /*out*/,
                          std::vector<T>& memory, const Rows<T>& out_gradient, std::span<T> /*gradient*/,
                          Rows<T>* in_gradient, const Pass& pass) const {
  if (in_gradient == nullptr) return;
  in_gradient->resize(in.count, in.width);
  for (std::size_t i = 0; i < in.values.size(); ++i)
    in_gradient->values[i] = pass.training() ? out_gradient.values[i] * memory[i] : out_gradient.values[i];
}

template class Dropout<float>;
template class Dropout<double>;

}  // namespace perslay::network
