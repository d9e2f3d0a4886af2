#pragma once

#include "aligned.h"
#include "reduce_kernels.h"

#include <vector>

#include <perslay/layer/equivariant.h>

namespace perslay::layer {

/// A matrix of parameters [input][output_stride], also transposed, [output][input_stride]. Null without values.
template <class T>
struct PaddedMatrix {
  const T* straight = nullptr;
  const T* transposed = nullptr;
};

/// One equivariant layer with its parameters, padded.
template <class T>
struct EquivariantLevel {
  Pool pool = Pool::none;
  std::size_t input = 0, output = 0;
  std::size_t input_stride = 0, output_stride = 0;
  AlignedBuffer<T> memory;
  PaddedMatrix<T> lambda, gamma;  ///< No gamma without a pool.
  const T* bias = nullptr;        ///< [output_stride]

  EquivariantLevel(const Equivariant& layer, std::size_t input_size, Arrays<const T> arrays);

  /// y += x matrix, for x [rows][input_stride] and y [rows][output_stride].
  void multiply(std::size_t rows, const T* x, const PaddedMatrix<T>& matrix, T* y) const;
  /// The derivatives of that product: by_x += by_y matrix^T, and by_matrix [input][output_stride] += x^T by_y.
  void differentiate_x(std::size_t rows, const T* by_y, const PaddedMatrix<T>& matrix, T* by_x) const;
  void differentiate_matrix(std::size_t rows, const T* x, const T* by_y, T* by_matrix) const;

  /// Gradients by lambda and gamma [input][output_stride] and bias [output_stride], one after the other.
  [[nodiscard]] std::size_t gradient_size() const noexcept { return (2 * input + 1) * output_stride; }
  [[nodiscard]] T* by_gamma(T* gradient) const noexcept { return gradient + input * output_stride; }
  [[nodiscard]] T* by_bias(T* gradient) const noexcept { return gradient + 2 * input * output_stride; }
  void collect(const T* gradient, Arrays<T> gradients) const;
};

/// The pool of one level on one diagram.
template <class T>
struct PoolState {
  AlignedBuffer<T> values;             ///< [input_stride]
  AlignedBuffer<LaneIndex<T>> points;  ///< Where a maximum or minimum is attained, [input_stride].
};

template <class T>
struct StackBuffers {
  std::vector<AlignedBuffer<T>> features;  ///< Of each level, [point][stride]; the first is phi's.
  std::vector<AlignedBuffer<T>> gradients;
  std::vector<PoolState<T>> pools;
  AlignedBuffer<T> factors, row, pooled;
};

/// Layers on any features: the features of the whole diagram pass from level to level.
template <class T>
class EquivariantStack {
 public:
  EquivariantStack(const std::vector<Equivariant>& layers, std::size_t input, Arrays<const T> arrays);

  [[nodiscard]] std::span<const EquivariantLevel<T>> levels() const noexcept { return levels_; }
  [[nodiscard]] std::size_t gradient_size() const noexcept;

  /// Memory for phi's features of `count` points.
  T* input(std::size_t count, StackBuffers<T>& buffers) const;

  /// The features of the last level, [point][stride], from those in input().
  const T* forward(std::size_t count, StackBuffers<T>& buffers) const;

  /// Memory for the gradients with respect to the last level's features. backward() turns them into gradients
  /// with respect to those of φ.
  T* output_gradient(std::size_t count, StackBuffers<T>& buffers) const;
  const T* backward(std::size_t count, T* gradient, StackBuffers<T>& buffers) const;

  void collect(std::span<const T> gradient, Arrays<T> gradients) const;

 private:
  std::vector<EquivariantLevel<T>> levels_;
};

}  // namespace perslay::layer
