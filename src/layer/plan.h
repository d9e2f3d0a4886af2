#pragma once

#include "affine_stack.h"
#include "equivariant_stack.h"
#include "reducer.h"
#include "separable_grid.h"
#include "transform.h"
#include "weighting.h"

#include <optional>

#include <perslay/layer/channel.h>

namespace perslay::layer {

/// One diagram of a batch.
template <class T>
struct DiagramInput {
  std::span<const T> points;
  const T* features = nullptr;
  const T* weights = nullptr;

  [[nodiscard]] std::size_t count() const noexcept { return points.size() / 2; }
};

/// Where the gradients of one diagram are added; null for those that the caller does not want.
template <class T>
struct DiagramGradient {
  T* points = nullptr;
  T* features = nullptr;
  T* weights = nullptr;
};

/// The way back through one diagram: from `upstream`, the gradient of what came out, to `gradient`,
/// Plan::gradient_size() numbers that collect() understands, and to that of the diagram. Both are added to.
template <class T>
struct DiagramBackward {
  DiagramInput<T> diagram;
  const std::int32_t* selection = nullptr;  ///< Of forward().
  const T* upstream = nullptr;
  T* gradient = nullptr;
  DiagramGradient<T> by;
};

/// A thread's working memory, reused from diagram to diagram.
template <class T>
struct Workspace {
  TransformBuffers<T> transform;
  WeightingBuffers<T> weighting;
  GridBuffers<T> grid;
  ReducerBuffers<T> reducer;
  StackBuffers<T> stack;
  AffineBuffers<T> affine;
  AlignedBuffer<T> weights, weights_gradient;  ///< Of the diagram at hand.
  AlignedBuffer<T> tile, upstream, scale, dot;
};

/// A channel with its parameters, ready to run on one diagram after the other in the cheapest way. Immutable and
/// shared by threads.
template <class T>
class Plan {
 public:
  /// With `every_point` the operation plays no part. A row for each point comes out, [point][feature] = w(p) phi(p),
  /// in the place of one row for the diagram, and `upstream` is the gradient of these.
  Plan(const Channel& channel, Arrays<const T> parameters, bool every_point = false);

  /// Its parts refer to each other, so it can be neither copied nor moved.
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// `selection`, unless it is null, receives selection_size() indices of points, for backward().
  void forward(const DiagramInput<T>& diagram, T* out, std::int32_t* selection, Workspace<T>& work) const;

  void backward(const DiagramBackward<T>& task, Workspace<T>& work) const;

  /// Per diagram: the points that the operation selected, then those at which pools were attained.
  [[nodiscard]] std::size_t selection_size() const;

  [[nodiscard]] std::size_t gradient_size() const noexcept {
    return weight_offset_ + weighting_.gradient_size();
  }

  /// Turns the sum of gradients into those of the parameters. Skips empty ones. Overwrites `gradient`.
  void collect(std::span<T> gradient, Arrays<T> gradients) const;

 private:
  /// Reduces a whole diagram block by block; `evaluate(first, count, tile)` gives the features of a block.
  template <class Evaluate>
  void reduce(std::size_t count, const T* weights, const Evaluate& evaluate, T* out, std::int32_t* selection,
              Workspace<T>& work) const;

  /// out [point][feature] = weights[point] tile[point][feature]; the tile is padded.
  void weigh(std::size_t count, const T* tile, const T* weights, T* out) const;

  /// The three ways back to the gradients of phi, of the layers upon it, and of the weights.
  void backward_elements(const DiagramBackward<T>& task, Workspace<T>& work) const;
  void backward_affine(const DiagramBackward<T>& task, Workspace<T>& work) const;
  void backward_stack(const DiagramBackward<T>& task, Workspace<T>& work) const;

  [[nodiscard]] std::size_t selected() const { return channel_.op.selects() ? channel_.size() : 0; }

  /// What the operation multiplies sums with.
  [[nodiscard]] T factor(std::size_t count) const {
    return channel_.op.type == Operation::Type::mean ? T{1} / static_cast<T>(count) : T{1};
  }

  /// The rows of upstream gradients, padded. All points of a diagram share one row under sum and mean, so the rows of
  /// two points are row_distance() numbers apart.
  const T* upstream_rows(const T* upstream, std::size_t count, Workspace<T>& work) const;
  [[nodiscard]] std::size_t row_distance() const noexcept { return every_point_ ? stride_ : 0; }

  const Channel& channel_;
  bool every_point_;
  std::size_t features_;
  std::size_t stride_;
  std::size_t phi_arrays_ = 0;
  std::size_t stack_arrays_ = 0;
  std::optional<SeparableGrid<T>> grid_;  // instead of transform_
  std::optional<Transform<T>> transform_;
  std::optional<EquivariantStack<T>> stack_;
  std::optional<AffineStack<T>> affine_;  // instead of transform_, upon stack_
  Weighting<T> weighting_;
  std::size_t stack_offset_ = 0;
  std::size_t weight_offset_ = 0;
};

}  // namespace perslay::layer
