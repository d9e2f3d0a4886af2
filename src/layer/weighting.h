#pragma once

#include "element_part.h"

#include <optional>

#include <perslay/layer/weight.h>

namespace perslay::layer {

template <class T>
struct WeightingBuffers {
  AlignedBuffer<T> coordinates, gradients, tile, amplitudes;
  AlignedBuffer<std::int32_t> cells;
};

/// w with its parameters. Immutable and shared by threads.
template <class T>
class Weighting {
 public:
  Weighting(const Weight& weight, Arrays<const T> arrays);

  /// weights[p] = w(p) for the points of one diagram; `given` are the diagram's weights if they are given.
  void evaluate(std::span<const T> points, const T* given, T* weights, WeightingBuffers<T>& buffers) const;

  /// `upstream` is dL/dw(p). Adds to the gradient of the parameters (gradient_size() numbers), and to those of the
  /// points (by birth, by death, ...) and of given weights unless they are null.
  void differentiate(std::span<const T> points, const T* upstream, T* gradient, T* points_gradient,
                     T* given_gradient, WeightingBuffers<T>& buffers) const;

  [[nodiscard]] std::size_t gradient_size() const noexcept;
  void collect(std::span<const T> gradient, Arrays<T> gradients) const;

 private:
  /// The cells of the grid in which the points lie.
  std::span<const std::int32_t> cells(std::span<const T> points, WeightingBuffers<T>& buffers) const;

  Weight weight_;
  Arrays<const T> arrays_;
  std::optional<ElementPart<T>> bells_;  // of a mixture of Gaussians
};

}  // namespace perslay::layer
