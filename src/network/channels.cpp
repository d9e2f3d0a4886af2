#include <algorithm>

#include <perslay/layer/perslay.h>
#include <perslay/network/channels.h>

namespace perslay::network {
namespace {

template <class T>
std::vector<std::span<T>> arrays_of(const std::vector<Slot>& slots, std::span<T> flat) {
  std::vector<std::span<T>> arrays;
  for (const auto& slot : slots) arrays.push_back(slot.of(flat));
  return arrays;
}

}  // namespace

template <class T>
void Channels<T>::forward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
                          const Rows<T>& features, Rows<T>& out, Memory& memory, const Pass& pass) const {
  std::size_t width = features_;
  for (const auto& part : parts_) width += part.channel.size();
  out.resize(features.count, width);
  memory.selections.resize(parts_.size());
  std::size_t column = 0;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const auto& channel = parts_[c].channel;
    const std::size_t size = channel.size();
    memory.numbers.resize(out.count * size);
    const auto arrays = arrays_of(parts_[c].arrays, trained);
    layer::forward<T>(pass.context, channel, {diagrams[c].points, diagrams[c].offsets}, arrays,
                      memory.numbers, &memory.selections[c]);
    for (std::size_t i = 0; i < out.count; ++i)
      std::copy_n(memory.numbers.data() + i * size, size, out.row(i).data() + column);
    column += size;
  }
  for (std::size_t i = 0; i < out.count; ++i)
    std::ranges::copy(features.row(i), out.row(i).begin() + static_cast<std::ptrdiff_t>(column));
}

template <class T>
void Channels<T>::backward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
                           const Rows<T>& out_gradient, Memory& memory, std::span<T> gradient,
                           const std::vector<bool>& wants_points, std::vector<std::vector<T>>& by_points,
                           const Pass& pass) const {
  by_points.resize(parts_.size());
  std::size_t column = 0;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const auto& channel = parts_[c].channel;
    const std::size_t size = channel.size();
    memory.numbers.resize(out_gradient.count * size);
    for (std::size_t i = 0; i < out_gradient.count; ++i)
      std::copy_n(out_gradient.row(i).data() + column, size, memory.numbers.data() + i * size);
    by_points[c].resize(wants_points[c] ? diagrams[c].points.size() : 0);
    const auto arrays = arrays_of(parts_[c].arrays, trained);
    const auto gradients = arrays_of(parts_[c].arrays, gradient);
    layer::backward<T>(pass.context, channel, {diagrams[c].points, diagrams[c].offsets}, arrays,
                       memory.selections[c], memory.numbers, gradients, {.points = by_points[c]});
    column += size;
  }
}

template class Channels<float>;
template class Channels<double>;

}  // namespace perslay::network
