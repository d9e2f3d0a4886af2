#pragma once

#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/base/random.h>
#include <perslay/network/rows.h>

namespace perslay::network {

/// How numbers go through a network.
struct Pass {
  base::Context context{};               ///< Its threads serve persistence and the layer's kernels.
  base::RandomStream* random = nullptr;  ///< For training: dropout draws from it. Null: evaluation.

  [[nodiscard]] bool training() const noexcept { return random != nullptr; }
};

/// The numbers of a network: those that are trained, and those that are fitted beside (running moments).
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
  std::vector<T>& memory;  ///< The block's own: what backward() wants to know besides `in` and `out`.
  const Pass& pass;
};

/// Derivatives of a loss.
template <class T>
struct Slopes {
  const Rows<T>& by_out;    ///< Given.
  std::span<T> by_trained;  ///< Those of the block's own numbers are overwritten, all others left alone.
  Rows<T>* by_in;           ///< Overwritten; null if nobody wants to know.
};

/// A part of a network, from one row of numbers per item to another. It knows its shape and where its numbers
/// lie, and holds nothing else: one block may serve several threads.
template <class T>
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  virtual void forward(const Step<T>& step) const = 0;

  /// After forward() of the same step; `step.memory` may be used up, but for what fit() reads.
  virtual void backward(const Step<T>& step, const Slopes<T>& slopes) const = 0;

  /// After forward() and backward() of a training step: takes what forward() saw of the batch into the fitted
  /// numbers.
  virtual void fit(const std::vector<T>& memory, std::span<T> fitted, std::size_t items) const;
};

template <class T>
inline void Block<T>::fit(const std::vector<T>& /*memory*/, std::span<T> /*fitted*/,
                          std::size_t /*items*/) const {}

}  // namespace perslay::network
