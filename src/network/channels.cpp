#include <algorithm>
#include <functional>

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
void Channels<T>::forward(const Part& part, std::span<const T> trained, const Diagrams& diagrams,
                          std::span<T> out, std::size_t stride, std::vector<std::int32_t>& selection,
                          const base::Context& context) const {
  const auto arrays = arrays_of(part.arrays, trained);
  if (part.convolution)
    part.convolution->forward(context, diagrams, {arrays, part.filters.of(trained), part.bias.of(trained)},
                              out, stride, selection);
  else
    layer::forward<T>(context, part.channel, diagrams, arrays, out, &selection, stride);
}

template <class T>
void Channels<T>::backward(const Part& part, std::span<const T> trained, const Diagrams& diagrams,
                           std::span<const T> out_gradient, std::size_t stride,
                           std::span<const std::int32_t> selection, std::span<T> gradient,
                           std::span<T> by_points, const base::Context& context) const {
  const auto arrays = arrays_of(part.arrays, trained);
  const auto gradients = arrays_of(part.arrays, gradient);
  if (part.convolution)
    part.convolution->backward(context, diagrams, {arrays, part.filters.of(trained), part.bias.of(trained)},
                               out_gradient, stride, selection,
                               {gradients, part.filters.of(gradient), part.bias.of(gradient)}, by_points);
  else
    layer::backward<T>(context, part.channel, diagrams, arrays, selection, out_gradient, gradients,
                       {.points = by_points}, stride);
}

template <class T>
void Channels<T>::forward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
                          const Rows<T>& features, Rows<T>& out, Memory& memory, const Pass& pass) const {
  std::size_t width = features_;
  for (const auto& part : parts_) width += part.size();
  out.resize(features.count, width);
  memory.selections.resize(parts_.size());
  std::size_t column = 0;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const auto& part = parts_[c];
    const auto& read = diagrams[part.group];
    forward(part, trained, {read.points, read.offsets},
            columns(std::span(out.values), out, column, part.size()), width, memory.selections[c],
            pass.context);
    column += part.size();
  }
  for (std::size_t i = 0; i < out.count; ++i)
    std::ranges::copy(features.row(i), out.row(i).begin() + static_cast<std::ptrdiff_t>(column));
}

template <class T>
void Channels<T>::backward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
                           const Rows<T>& out_gradient, Memory& memory, std::span<T> gradient,
                           const std::vector<bool>& wants_points, std::vector<std::vector<T>>& by_points,
                           const Pass& pass) const {
  by_points.resize(diagrams.size());
  for (std::size_t g = 0; g < diagrams.size(); ++g)
    by_points[g].assign(g < wants_points.size() && wants_points[g] ? diagrams[g].points.size() : 0, T{0});
  std::size_t column = 0;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const auto& part = parts_[c];
    const auto& read = diagrams[part.group];
    auto& sum = by_points[part.group];
    memory.by_points.resize(sum.size());
    backward(part, trained, {read.points, read.offsets},
             columns(std::span(out_gradient.values), out_gradient, column, part.size()), out_gradient.width,
             memory.selections[c], gradient, memory.by_points, pass.context);
    std::ranges::transform(sum, memory.by_points, sum.begin(), std::plus{});
    column += part.size();
  }
}

template class Channels<float>;
template class Channels<double>;

}  // namespace perslay::network
