#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <perslay/layer/channel.h>
#include <perslay/network/batch.h>
#include <perslay/network/block.h>
#include <perslay/network/layout.h>

namespace perslay::network {

/// An independent PersLay for each group of diagrams, equation (3), side by side with the features: the first
/// row of numbers per item. Computed by the kernels of `layer`, on the threads of the pass.
template <class T>
class Channels {
 public:
  /// A channel and its arrays, in the order of channel.parameters().
  struct Part {
    layer::Channel channel{};
    std::vector<Slot> arrays{};
  };
  Channels(std::vector<Part> parts, std::size_t features) : parts_(std::move(parts)), features_(features) {}

  /// What backward() needs from forward().
  struct Memory {
    std::vector<std::vector<std::int32_t>> selections{};  ///< The chosen points of each channel.
  };

  void forward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
               const Rows<T>& features, Rows<T>& out, Memory& memory, const Pass& pass) const;

  /// Computes derivatives by the channels' parameters and, into `by_points`, by the points of the groups that
  /// `wants_points` marks.
  void backward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
                const Rows<T>& out_gradient, Memory& memory, std::span<T> gradient,
                const std::vector<bool>& wants_points, std::vector<std::vector<T>>& by_points,
                const Pass& pass) const;

  [[nodiscard]] std::size_t size() const noexcept { return parts_.size(); }

 private:
  std::vector<Part> parts_;
  std::size_t features_;
};

extern template class Channels<float>;
extern template class Channels<double>;

}  // namespace perslay::network
