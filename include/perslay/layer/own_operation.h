#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include <perslay/layer/perslay.h>

namespace perslay::layer {

/// An operation of the user, in the place of a channel's. It sees a whole batch: `features` are the weighted features
/// [point][width] of all points, and diagram i has the rows offsets[i] to offsets[i + 1] - 1. Whether it depends on
/// the order of the points of a diagram is up to the user; order_dependence() measures it.
template <class T>
struct OwnOperation {
  std::size_t size = 0;  ///< Numbers per diagram.

  /// Fills out [diagram][size], which comes as zeros.
  std::function<void(std::span<const T> features, std::size_t width, std::span<const std::int64_t> offsets,
                     std::span<T> out)>
      forward{};

  /// Fills features_gradient [point][width], which comes as zeros, from out_gradient [diagram][size]. Only backward()
  /// needs it.
  std::function<void(std::span<const T> features, std::size_t width, std::span<const std::int64_t> offsets,
                     std::span<const T> out_gradient, std::span<T> features_gradient)>
      backward{};
};

/// Equation (3) on a batch, with an operation of the user: out [diagram][size]. The operation of the channel is not
/// read. The user's function runs once, on the thread of the caller. T is float or double. The cost beside it is that
/// of weighted_features().
template <class T>
void forward(const base::Context& context, const Channel& channel, const OwnOperation<T>& operation,
             const Batch<T>& batch, Arrays<const T> parameters, std::span<T> out);

/// The gradients of a loss with respect to parameters and batch, as the other backward() gives them. It computes the
/// weighted features again.
template <class T>
void backward(const base::Context& context, const Channel& channel, const OwnOperation<T>& operation,
              const Batch<T>& batch, Arrays<const T> parameters, std::span<const T> out_gradient,
              Arrays<T> parameter_gradients, const BatchGradient<T>& batch_gradient);

/// How much what a layer gives for a batch changes, at most, when the points of each diagram come in another order.
/// For a permutation-invariant layer that is 0, or a rounding error. A number in the place of a NaN, or the reverse,
/// is an infinite change. There are `trials` random orders, which follow from `seed`.
template <class T>
[[nodiscard]] double order_dependence(
    const std::type_identity_t<std::function<std::vector<T>(const Batch<T>&)>>& layer, const Batch<T>& batch,
    int trials = 4, std::uint64_t seed = 0);

/// The same for anything that is computed from points. `result(order)` computes with point order[p] in the place of
/// point p.
[[nodiscard]] double order_dependence(
    std::span<const std::int64_t> offsets,
    const std::function<std::vector<double>(std::span<const std::int64_t> order)>& result, int trials,
    std::uint64_t seed);

}  // namespace perslay::layer
