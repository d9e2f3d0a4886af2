#pragma once

#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/random.h>
#include <perslay/network/rows.h>

namespace perslay::network {

/// How a batch passes through a network.
struct Pass {
  base::Context context{};               ///< Its threads serve persistence and the layer's kernels.
  base::RandomStream* random = nullptr;  ///< For training: dropout draws from it. Null: evaluation.

  [[nodiscard]] bool training() const noexcept { return random != nullptr; }
};

/// The numbers of a network: trained ones, and fitted ones (running moments).
template <class T>
struct Numbers {
  std::span<const T> trained;
  std::span<const T> fitted;
};

/// A batch on its way through a block.
template <class T>
struct Step {
  const Numbers<T>& numbers;
  const Rows<T>& in;
  Rows<T>& out;
  std::vector<T>& memory;  ///< The block's own: what backward() needs besides `in` and `out`.
  const Pass& pass;
};

/// Derivatives of a loss.
template <class T>
struct Slopes {
  const Rows<T>& by_out;    ///< Given.
  std::span<T> by_trained;  ///< Overwritten for the block's own numbers; the others stay.
  Rows<T>* by_in;           ///< Overwritten; null if not needed.
};

/// A part of a network, from one row of numbers per item to another. It holds its shape and the places of its
/// numbers, nothing else, so one block may serve several threads.
template <class T>
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  virtual void forward(const Step<T>& step) const = 0;

  /// Call it after forward() of the same step. It may use up `step.memory`, except what fit() reads.
  virtual void backward(const Step<T>& step, const Slopes<T>& slopes) const = 0;

  /// Call it after forward() and backward() of a training step. It updates the fitted numbers by what forward()
  /// saw of the batch.
  virtual void fit(const std::vector<T>& /*memory*/, std::span<T> /*fitted*/, std::size_t /*items*/) const {}
};

}  // namespace perslay::network
