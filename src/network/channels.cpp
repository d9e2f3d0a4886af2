#include <algorithm>

#include <perslay/layer/perslay.h>
#include <perslay/network/channels.h>

namespace perslay::network {
namespace {

template <class T>
std::vector<std::span<T>> arrays_of(const std::vector<Slot>& slots, std::span<T> flat) {
  std::vector<std::span<T>> arrays;
  arrays.reserve(slots.size());
  for (const auto& slot : slots) arrays.push_back(slot.of(flat));
  return arrays;
}

/// Some columns of all rows, from their first number to their last.
template <class Number, class T>
std::span<Number> columns(std::span<Number> values, const Rows<T>& rows, std::size_t first,
                          std::size_t count) {
  if (rows.count == 0) return {};
  return values.subspan(first, (rows.count - 1) * rows.width + count);
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
    const auto arrays = arrays_of(parts_[c].arrays, trained);
    layer::forward<T>(pass.context, channel, {diagrams[c].points, diagrams[c].offsets}, arrays,
                      columns(std::span(out.values), out, column, channel.size()), &memory.selections[c],
                      width);
    column += channel.size();
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
    by_points[c].resize(wants_points[c] ? diagrams[c].points.size() : 0);
    const auto arrays = arrays_of(parts_[c].arrays, trained);
    const auto gradients = arrays_of(parts_[c].arrays, gradient);
    layer::backward<T>(pass.context, channel, {diagrams[c].points, diagrams[c].offsets}, arrays,
                       memory.selections[c],
                       columns(std::span(out_gradient.values), out_gradient, column, channel.size()),
                       gradients, {.points = by_points[c]}, out_gradient.width);
    column += channel.size();
  }
}

template class Channels<float>;
template class Channels<double>;

}  // namespace perslay::network
