#pragma once

#include "element_kernels.h"
#include "equivariant_stack.h"

namespace perslay::layer {

template <class T>
struct AffineBuffers {
  AlignedBuffer<T> coordinates, theta, theta_gradient, by_constant, by_pool, by_input;
  std::span<const T> u, v;  ///< Births and deaths of the diagram, among the coordinates.
  std::vector<PoolState<T>> pools;
  std::vector<AlignedBuffer<T>> constants;
};

/// Equivariant layers upon lines, as in the paper's Pm. On one diagram every level is affine in the point,
///
///   y(p) = p M + c,   M the same for all diagrams, c that of the diagram,
///
/// so only the pools of linear forms look at the points, and the last level is again a set of lines.
template <class T>
class AffineStack {
 public:
  /// `directions` and `bias` are those of the lines below the layers.
  AffineStack(std::span<const T> directions, std::span<const T> bias, const EquivariantStack<T>& stack);

  /// The last level on one diagram (birth, death, birth, ...) as lines. `chosen`, unless it is null, receives the
  /// points at which maxima and minima are attained, chosen_size() of them.
  ElementInput<T> forward(std::span<const T> points, std::int32_t* chosen, AffineBuffers<T>& buffers) const;

  /// The same for known points `chosen`.
  ElementInput<T> forward_again(std::span<const T> points, const std::int32_t* chosen,
                                AffineBuffers<T>& buffers) const;

  [[nodiscard]] std::size_t chosen_size() const noexcept;

  /// Call it after forward_again() on the same diagram. Takes the gradient with respect to the theta of the last
  /// level, [3][stride]. Adds to `gradient` (gradient_size() numbers) and, unless it is null, to
  /// `points_gradient` (by birth, by death, ...).
  void backward(const T* theta_gradient, T* gradient, T* points_gradient, AffineBuffers<T>& buffers) const;

  /// The numbers of the stack; then two rows for the M of every level, from the lines up; then one row for the
  /// bias of the lines.
  [[nodiscard]] std::size_t gradient_size() const noexcept;

  /// Overwrites `gradient` on the way.
  void collect(std::span<T> gradient, Arrays<T> line_gradients, Arrays<T> stack_gradients) const;

  [[nodiscard]] std::size_t stride() const noexcept { return strides_.back(); }

 private:
  /// What both directions share: choose(k) leaves level k's maxima or minima of p M in buffers.pools[k].
  template <class Choose>
  ElementInput<T> climb(std::span<const T> points, const Choose& choose, AffineBuffers<T>& buffers) const;
  void sum_pool(std::size_t level, AffineBuffers<T>& buffers) const;
  void differentiate_pool(std::size_t level, const T* by_pool, T* by_m, T* points_gradient,
                          const AffineBuffers<T>& buffers) const;
  [[nodiscard]] const T* m(std::size_t level) const noexcept { return forms_.data() + form_offsets_[level]; }

  const EquivariantStack<T>& stack_;
  std::vector<std::size_t> strides_;       // of the levels, the lines first
  std::vector<std::size_t> form_offsets_;  // of M of each level within forms_
  AlignedBuffer<T> memory_;
  std::span<const T> forms_;  // M of each level, [2][stride]
  std::vector<T> bias_;
  // The bias of the lines is the same for all diagrams, and so is what the first level makes of it: bias
  // lambda + its own bias. collect() multiplies its gradients after they are summed over diagrams.
  AlignedBuffer<T> first_memory_;
  std::span<const T> first_constant_;
};

}  // namespace perslay::layer
