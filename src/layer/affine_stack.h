#pragma once

#include "element_kernels.h"
#include "equivariant_stack.h"

namespace perslay::layer {

template <class T>
struct AffineBuffers {
  AlignedBuffer<T> coordinates, theta, theta_gradient, by_constant, by_pool, by_input;
  std::vector<PoolState<T>> pools;
  std::vector<AlignedBuffer<T>> constants;
};

/// Equivariant layers upon lines, as in the paper's Pm. On one diagram every level is affine in the point,
///
///   y(p) = p M + c,   M the same for all diagrams, c that of the diagram,
///
/// so all that is asked of the points is the pools of linear forms, and the last level is again a set of
/// lines.
template <class T>
class AffineStack {
 public:
  /// `lines` are the directions and biases of the lines below the layers.
  AffineStack(std::span<const T> directions, std::span<const T> bias, const EquivariantStack<T>& stack);

  /// The last level on one diagram as lines; `u`, `v` are births and deaths. `chosen`, unless it is null,
  /// receives the points at which maxima and minima are attained, chosen_size() of them.
  ElementInput<T> forward(std::span<const T> u, std::span<const T> v, std::int32_t* chosen,
                          AffineBuffers<T>& buffers) const;

  /// The same where these points are known.
  ElementInput<T> forward_again(std::span<const T> u, std::span<const T> v, const std::int32_t* chosen,
                                AffineBuffers<T>& buffers) const;

  [[nodiscard]] std::size_t chosen_size() const noexcept;

  /// From the gradient by the theta of that last level, [3][stride], after forward() on the same diagram:
  /// adds to `gradient` (gradient_size() numbers), and to `points_gradient` (by birth, by death, ...) unless
  /// it is null.
  void backward(std::span<const T> u, std::span<const T> v, const T* theta_gradient, T* gradient,
                T* points_gradient, AffineBuffers<T>& buffers) const;

  /// Those of the stack, then for every level, from the lines up, two rows for M, then one row for the bias
  /// of the lines.
  [[nodiscard]] std::size_t gradient_size() const noexcept;

  /// Overwrites `gradient` on the way.
  void collect(std::span<T> gradient, Arrays<T> line_gradients, Arrays<T> stack_gradients) const;

  [[nodiscard]] std::size_t stride() const noexcept { return strides_.back(); }

 private:
  /// Both: level k's pool of p M is in buffers.pools[k] after pool(k).
  template <class TakePool>
  ElementInput<T> climb(std::span<const T> u, std::span<const T> v, const TakePool& take_pool,
                        AffineBuffers<T>& buffers) const;
  void sum_pool(std::size_t level, std::span<const T> u, std::span<const T> v,
                AffineBuffers<T>& buffers) const;
  void extreme_pool(std::size_t level, std::span<const T> u, std::span<const T> v,
                    AffineBuffers<T>& buffers) const;
  void known_pool(std::size_t level, std::span<const T> u, std::span<const T> v, const std::int32_t* chosen,
                  AffineBuffers<T>& buffers) const;
  void differentiate_pool(std::size_t level, std::span<const T> u, std::span<const T> v, const T* by_pool,
                          T* by_m, T* points_gradient, const AffineBuffers<T>& buffers) const;
  [[nodiscard]] const T* m(std::size_t level) const noexcept { return forms_.data() + form_offsets_[level]; }

  const EquivariantStack<T>& stack_;
  std::size_t lines_ = 0;
  std::vector<std::size_t> strides_;       // of the levels, the lines first
  std::vector<std::size_t> form_offsets_;  // of M of each level within forms_
  AlignedBuffer<T> memory_;
  std::span<const T> forms_;  // M of each level, [2][stride]
  std::vector<T> bias_;
  // The lines' bias is the same for all diagrams, and so is what the first level makes of it: bias lambda +
  // its own bias. Gradients by it are summed over diagrams before they are multiplied, in collect().
  AlignedBuffer<T> first_memory_;
  std::span<const T> first_constant_;
};

extern template class AffineStack<float>;
extern template class AffineStack<double>;

}  // namespace perslay::layer
