#include "dropout.h"

#include <cstdint>

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
void Dropout<T>::forward(const Step<T>& step) const {
  step.out.resize(step.in.count, step.in.width);
  if (!step.pass.training()) {
    step.out.values = step.in.values;
    return;
  }
  step.memory.resize(step.in.values.size());
  draw_mask(step.memory, rate_, *step.pass.random);
  for (std::size_t i = 0; i < step.memory.size(); ++i)
    step.out.values[i] = step.in.values[i] * step.memory[i];
}

template <class T>
void Dropout<T>::backward(const Step<T>& step, const Slopes<T>& slopes) const {
  if (slopes.by_in == nullptr) return;
  slopes.by_in->resize(step.in.count, step.in.width);
  for (std::size_t i = 0; i < step.in.values.size(); ++i)
    slopes.by_in->values[i] =
        step.pass.training() ? slopes.by_out.values[i] * step.memory[i] : slopes.by_out.values[i];
}

template class Dropout<float>;
template class Dropout<double>;

}  // namespace perslay::network
