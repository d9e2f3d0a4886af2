#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/layer/channel.h>

namespace perslay::layer {

/// A packed batch of diagrams in precision T: no padding, empty diagrams welcome. Points should be in a
/// canonical order, as DiagramBatch keeps them; results are deterministic in the stored order.
template <class T>
struct Batch {
  std::span<const T> points;              ///< birth, death, birth, death, ...
  std::span<const std::int64_t> offsets;  ///< Diagram i has the points offsets[i] up to offsets[i + 1].
  std::span<const T> features = {};       ///< [point][feature], for PointTransform::Type::given only.
  std::span<const T> weights = {};        ///< [point], for Weight::Type::given only.

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
};

/// Receives gradients with respect to a batch; an empty span says that this one is not wanted. Overwritten.
template <class T>
struct BatchGradient {
  std::span<T> points = {};
  std::span<T> features = {};
  std::span<T> weights = {};
};

/// Equation (3) on a batch: out [diagram][feature][rank] = op({ w(p) phi(p) }).
///
/// Parallel over diagrams; the same bytes for any number of threads. T is float or double. `selection`, if
/// not null, receives what backward() needs to know besides: the points that the operation, or a pool, has
/// chosen. `stride` numbers lie between the rows of two diagrams in `out`; 0: as many as a row has.
///
/// Cost per diagram of n points and q features: O(n q), for the k largest O(n q log k); Gaussians on a p x p
/// grid with sum or mean take O(n p) exponentials and a matrix product; lines followed by equivariant layers
/// stay affine in p, so that a stack of them costs no more per point than lines alone.
template <class T>
void forward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
             Arrays<const T> parameters, std::span<T> out, std::vector<std::int32_t>* selection = nullptr,
             std::size_t stride = 0);

/// The gradients of a loss with respect to parameters and batch, from those with respect to `out`. Nothing
/// but `selection` is kept from forward(); the rest is computed again, which is cheaper than to store it. An
/// empty array among `parameter_gradients` is not wanted; the others are overwritten. `stride` as in
/// forward(), of `out_gradient`.
template <class T>
void backward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
              Arrays<const T> parameters, std::span<const std::int32_t> selection,
              std::span<const T> out_gradient, Arrays<T> parameter_gradients,
              const BatchGradient<T>& batch_gradient, std::size_t stride = 0);

}  // namespace perslay::layer
