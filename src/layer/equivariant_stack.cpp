#include "equivariant_stack.h"

#include "matrix_kernels.h"

#include <limits>
#include <utility>

namespace perslay::layer {
namespace {

/// pool(x) over the points of a diagram, feature by feature; `factors` is memory for a number per point.
template <class T>
void take_pool(const EquivariantLevel<T>& level, std::size_t count, const T* features, std::span<T> factors,
               PoolState<T>& state) {
  const std::size_t stride = level.input_stride;
  const auto values = state.values.take_zeros(stride);
  if (level.pool == Pool::sum || level.pool == Pool::mean) {
    std::ranges::fill(factors, level.pool == Pool::mean ? T{1} / static_cast<T>(count) : T{1});
    return reduce_kernels<T>().add_weighted(count, stride, features, factors.data(), values.data());
  }
  const T sign = level.pool == Pool::min ? T{-1} : T{1};
  std::ranges::fill(values, -std::numeric_limits<T>::infinity());
  const auto points = state.points.take(stride);
  std::ranges::fill(points, LaneIndex<T>{-1});
  std::ranges::fill(factors, sign);
  reduce_kernels<T>().keep_largest(count, 0, stride, features, factors.data(),
                                   {1, values.data(), points.data()});
  for (T& value : values) value *= sign;
}

/// Adds to the gradients of the features what follows from `by_pool`, the gradient of the pool.
template <class T>
void differentiate_pool(const EquivariantLevel<T>& level, std::size_t count, const T* by_pool,
                        const LaneIndex<T>* points, T* by_features) {
  for (std::size_t k = 0; k < level.input; ++k) {
    if (level.pool == Pool::max || level.pool == Pool::min) {
      if (points[k] >= 0)
        by_features[static_cast<std::size_t>(points[k]) * level.input_stride + k] += by_pool[k];
      continue;
    }
    const T each = level.pool == Pool::mean ? by_pool[k] / static_cast<T>(count) : by_pool[k];
    for (std::size_t p = 0; p < count; ++p) by_features[p * level.input_stride + k] += each;
  }
}

}  // namespace

template <class T>
EquivariantLevel<T>::EquivariantLevel(const Equivariant& layer, std::size_t input_size,
                                      Arrays<const T> arrays)
    : pool(layer.pool),
      input(input_size),
      output(layer.size),
      input_stride(padded<T>(input_size)),
      output_stride(padded<T>(layer.size)) {
  const std::size_t straight = input * output_stride, transposed = output * input_stride;
  T* next = memory.take_zeros(2 * (straight + transposed) + output_stride).data();
  const auto load = [&](std::span<const T> values) -> PaddedMatrix<T> {
    T* a = std::exchange(next, next + straight);
    T* b = std::exchange(next, next + transposed);
    for (std::size_t i = 0; i < input; ++i)
      for (std::size_t j = 0; j < output; ++j)
        a[i * output_stride + j] = b[j * input_stride + i] = values[i * output + j];
    return {a, b};
  };
  lambda = load(arrays[0]);
  if (pool != Pool::none) gamma = load(arrays[1]);
  std::ranges::copy(arrays.back(), next);
  bias = next;
}

template <class T>
void EquivariantLevel<T>::multiply(std::size_t rows, const T* x, const PaddedMatrix<T>& matrix, T* y) const {
  matrix_kernels<T>().multiply(
      {rows, input, output_stride, x, input_stride, 1, matrix.straight, output_stride, y, output_stride});
}

template <class T>
void EquivariantLevel<T>::differentiate_x(std::size_t rows, const T* by_y, const PaddedMatrix<T>& matrix,
                                          T* by_x) const {
  matrix_kernels<T>().multiply({rows, output, input_stride, by_y, output_stride, 1, matrix.transposed,
                                input_stride, by_x, input_stride});
}

template <class T>
void EquivariantLevel<T>::differentiate_matrix(std::size_t rows, const T* x, const T* by_y,
                                               T* by_matrix) const {
  matrix_kernels<T>().multiply(
      {input, rows, output_stride, x, 1, input_stride, by_y, output_stride, by_matrix, output_stride});
}

template <class T>
void EquivariantLevel<T>::collect(const T* gradient, Arrays<T> gradients) const {
  const auto matrix = [&](const T* from, std::span<T> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i / output * output_stride + i % output];
  };
  matrix(gradient, gradients[0]);
  if (pool != Pool::none) matrix(gradient + input * output_stride, gradients[1]);
  matrix(gradient + 2 * input * output_stride, gradients.back());
}

template <class T>
EquivariantStack<T>::EquivariantStack(const std::vector<Equivariant>& layers, std::size_t input,
                                      Arrays<const T> arrays) {
  for (const Equivariant& layer : layers) {
    const std::size_t count = layer.parameters(input).size();
    levels_.emplace_back(layer, input, arrays.first(count));
    arrays = arrays.subspan(count);
    input = layer.size;
  }
}

template <class T>
std::size_t EquivariantStack<T>::gradient_size() const noexcept {
  std::size_t size = 0;
  for (const auto& level : levels_) size += level.gradient_size();
  return size;
}

template <class T>
void EquivariantStack<T>::collect(std::span<const T> gradient, Arrays<T> gradients) const {
  for (const auto& level : levels_) {
    const std::size_t count = level.pool == Pool::none ? 2 : 3;
    level.collect(gradient.data(), gradients.first(count));
    gradient = gradient.subspan(level.gradient_size());
    gradients = gradients.subspan(count);
  }
}

template <class T>
T* EquivariantStack<T>::input(std::size_t count, StackBuffers<T>& buffers) const {
  buffers.features.resize(std::max(buffers.features.size(), levels_.size() + 1));
  return buffers.features[0].take(count * levels_[0].input_stride).data();
}

// x lambda - pool(x) gamma + bias: the part that does not depend on the point is one row for all.
template <class T>
const T* EquivariantStack<T>::forward(std::size_t count, StackBuffers<T>& buffers) const {
  buffers.pools.resize(std::max(buffers.pools.size(), levels_.size()));
  const auto factors = buffers.factors.take(count);
  const T* x = buffers.features[0].view().data();
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const auto& level = levels_[k];
    const auto row = buffers.row.take_zeros(level.output_stride);
    if (level.pool != Pool::none) {
      take_pool(level, count, x, factors, buffers.pools[k]);
      level.multiply(1, buffers.pools[k].values.view().data(), level.gamma, row.data());
    }
    for (std::size_t l = 0; l < level.output_stride; ++l) row[l] = level.bias[l] - row[l];
    T* y = buffers.features[k + 1].take(count * level.output_stride).data();
    for (std::size_t p = 0; p < count; ++p) std::ranges::copy(row, y + p * level.output_stride);
    level.multiply(count, x, level.lambda, y);
    x = y;
  }
  return x;
}

template <class T>
T* EquivariantStack<T>::output_gradient(std::size_t count, StackBuffers<T>& buffers) const {
  buffers.gradients.resize(std::max(buffers.gradients.size(), levels_.size() + 1));
  return buffers.gradients[levels_.size()].take_zeros(count * levels_.back().output_stride).data();
}

template <class T>
const T* EquivariantStack<T>::backward(std::size_t count, T* gradient, StackBuffers<T>& buffers) const {
  const T* by_y = buffers.gradients[levels_.size()].view().data();
  const auto ones = buffers.factors.take(count);
  std::ranges::fill(ones, T{1});
  gradient += gradient_size();
  for (std::size_t k = levels_.size(); k-- > 0;) {
    const auto& level = levels_[k];
    gradient -= level.gradient_size();
    const T* x = buffers.features[k].view().data();
    T* by_x = buffers.gradients[k].take_zeros(count * level.input_stride).data();
    level.differentiate_x(count, by_y, level.lambda, by_x);
    level.differentiate_matrix(count, x, by_y, gradient);
    const auto by_row = buffers.row.take_zeros(level.output_stride);
    reduce_kernels<T>().add_weighted(count, level.output_stride, by_y, ones.data(), by_row.data());
    for (std::size_t l = 0; l < level.output_stride; ++l) level.by_bias(gradient)[l] += by_row[l];
    if (level.pool != Pool::none) {
      for (T& value : by_row) value = -value;
      level.differentiate_matrix(1, buffers.pools[k].values.view().data(), by_row.data(),
                                 level.by_gamma(gradient));
      const auto by_pool = buffers.pooled.take_zeros(level.input_stride);
      level.differentiate_x(1, by_row.data(), level.gamma, by_pool.data());
      differentiate_pool(level, count, by_pool.data(), buffers.pools[k].points.view().data(), by_x);
    }
    by_y = by_x;
  }
  return by_y;
}

template struct EquivariantLevel<float>;
template struct EquivariantLevel<double>;
template class EquivariantStack<float>;
template class EquivariantStack<double>;

}  // namespace perslay::layer
