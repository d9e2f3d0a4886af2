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

/// A step of a network from one row of numbers per item to another. It knows its shape and where its numbers
/// lie, and holds nothing else: one block may serve several threads.
template <class T>
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  virtual ~Block() = default;

  /// `memory` keeps what backward() wants to know besides `in` and `out`.
  virtual void forward(const Numbers<T>& numbers, const Rows<T>& in, Rows<T>& out, std::vector<T>& memory,
                       const Pass& pass) const = 0;

  /// From the derivatives of a loss by `out` to those by the trained numbers of this block, which are
  /// overwritten in `gradient` (all other entries are left alone), and by `in`, unless `in_gradient` is null.
  /// The rest is as forward() left it; `memory` may be used up.
  virtual void backward(const Numbers<T>& numbers, const Rows<T>& in, const Rows<T>& out,
                        std::vector<T>& memory, const Rows<T>& out_gradient, std::span<T> gradient,
                        Rows<T>* in_gradient, const Pass& pass) const = 0;

  /// After a step of training: takes what forward() saw of the batch into the fitted numbers.
  virtual void fit(const std::vector<T>& memory, std::span<T> fitted, std::size_t items) const;
};

template <class T>
inline void Block<T>::fit(const std::vector<T>& /*memory*/, std::span<T> /*fitted*/,
                          std::size_t /*items*/) const {}

}  // namespace perslay::network
