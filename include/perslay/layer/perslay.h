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

/// Receives gradients with respect to a batch, which are overwritten. Leave the spans empty that you do not want.
template <class T>
struct BatchGradient {
  std::span<T> points = {};
  std::span<T> features = {};
  std::span<T> weights = {};
};

/// Equation (3) on a batch: out [diagram][feature][rank] = op({ w(p) phi(p) }).
///
/// Runs in parallel over diagrams and gives the same bytes for any number of threads. T is float or double.
/// `selection`, if not null, receives what backward() needs besides the arguments: the points that the operation,
/// or a pool, has chosen. The rows of two diagrams begin `stride` numbers apart in `out`; 0 stands for the length
/// of a row.
///
/// Cost per diagram of n points and q features: O(n q), for the k largest O(n q log k); Gaussians on a p x p
/// grid with sum or mean take O(n p) exponentials and a matrix product; lines followed by equivariant layers
/// stay affine in p, so that a stack of them costs no more per point than lines alone.
template <class T>
void forward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
             Arrays<const T> parameters, std::span<T> out, std::vector<std::int32_t>* selection = nullptr,
             std::size_t stride = 0);

/// The gradients of a loss with respect to parameters and batch, from those with respect to `out`. It needs
/// nothing from forward() but `selection`; to compute the rest again is cheaper than to store it. Overwrites
/// `parameter_gradients`, and skips empty arrays among them. `stride` is that of `out_gradient`.
template <class T>
void backward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
              Arrays<const T> parameters, std::span<const std::int32_t> selection,
              std::span<const T> out_gradient, Arrays<T> parameter_gradients,
              const BatchGradient<T>& batch_gradient, std::size_t stride = 0);

/// What the operation would reduce: out [point][feature] = w(p) phi(p) for the points of all diagrams, where phi and
/// the equivariant layers see the whole diagram. The operation of the channel is not read. It needs memory for all
/// points at once, and no shortcut for grids or lines applies. Otherwise like forward().
template <class T>
void weighted_features(const base::Context& context, const Channel& channel, const Batch<T>& batch,
                       Arrays<const T> parameters, std::span<T> out);

/// The gradients of a loss with respect to parameters and batch, from those with respect to that `out`. Like
/// backward().
template <class T>
void weighted_features_backward(const base::Context& context, const Channel& channel, const Batch<T>& batch,
                                Arrays<const T> parameters, std::span<const T> out_gradient,
                                Arrays<T> parameter_gradients, const BatchGradient<T>& batch_gradient);

}  // namespace perslay::layer
