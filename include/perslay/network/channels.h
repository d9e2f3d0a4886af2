#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <perslay/layer/channel.h>
#include <perslay/network/batch.h>
#include <perslay/network/block.h>
#include <perslay/network/layout.h>
#include <perslay/network/point_convolution.h>

namespace perslay::network {

/// Independent PersLays, equation (3), each on one group of diagrams, side by side with the features: the first row of
/// numbers per item. Computed by the kernels of `layer`, on the threads of the pass.
template <class T>
class Channels {
 public:
  /// A channel, the group that it reads, and its arrays, in the order of channel.parameters().
  struct Part {
    layer::Channel channel{};
    std::size_t group = 0;
    std::vector<Slot> arrays{};
    std::optional<PointConvolution<T>> convolution{};  ///< If a convolution is a part of phi, ...
    Slot filters{}, bias{};                            ///< ... and its arrays.

    /// Numbers per diagram that come out.
    [[nodiscard]] std::size_t size() const { return convolution ? convolution->size() : channel.size(); }
  };
  Channels(std::vector<Part> parts, std::size_t features) : parts_(std::move(parts)), features_(features) {}

  /// What backward() needs from forward(), and its own.
  struct Memory {
    std::vector<std::vector<std::int32_t>> selections{};  ///< The chosen points of each channel.
    std::vector<T> by_points{};                           ///< Derivatives of one channel.
  };

  void forward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
               const Rows<T>& features, Rows<T>& out, Memory& memory, const Pass& pass) const;

  /// Computes derivatives by the channels' parameters and, into `by_points`, by the points of the groups that
  /// `wants_points` marks, for each group.
  void backward(std::span<const T> trained, const std::vector<PackedDiagrams<T>>& diagrams,
                const Rows<T>& out_gradient, Memory& memory, std::span<T> gradient,
                const std::vector<bool>& wants_points, std::vector<std::vector<T>>& by_points,
                const Pass& pass) const;

  [[nodiscard]] std::size_t size() const noexcept { return parts_.size(); }

 private:
  using Diagrams = layer::Batch<T>;
  void forward(const Part& part, std::span<const T> trained, const Diagrams& diagrams, std::span<T> out,
               std::size_t stride, std::vector<std::int32_t>& selection, const base::Context& context) const;
  void backward(const Part& part, std::span<const T> trained, const Diagrams& diagrams,
                std::span<const T> out_gradient, std::size_t stride, std::span<const std::int32_t> selection,
                std::span<T> gradient, std::span<T> by_points, const base::Context& context) const;

  std::vector<Part> parts_;
  std::size_t features_;
};

extern template class Channels<float>;
extern template class Channels<double>;

}  // namespace perslay::network
