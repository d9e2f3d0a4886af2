#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <perslay/layer/perslay.h>
#include <perslay/network/convolution.h>

namespace perslay::network {

/// Numbers that a PointConvolution keeps of maps, or of images if these are larger, at a time.
inline constexpr std::size_t numbers_at_once = 10'000'000;
/// Rows whose gradients it adds up on one thread, in one array.
inline constexpr std::size_t rows_of_sum = 16;

/// A PersLay whose phi ends with a convolution K with bias b, as the paper writes `Im`:
///
///   op({ w(p) (K * phi(p) + b) : p in the diagram }), per diagram [filter][place][rank].
///
/// Sums and means go through the convolution: it is applied once per diagram, to op({ w(p) phi(p) }), and b is
/// multiplied with op({ w(p) }). Other operations need image and maps of every point, so they cost a convolution per
/// point and memory for numbers_at_once of each, or for those of one diagram if they are more.
template <class T>
class PointConvolution {
 public:
  /// `convolution` is over layer::image_of(channel), of one plane.
  PointConvolution(const layer::Channel& channel, const Convolution& convolution);

  /// The channel's arrays, and those of the convolution.
  struct Numbers {
    layer::Arrays<const T> channel;
    std::span<const T> filters, bias;
  };
  struct Gradients {
    layer::Arrays<T> channel;
    std::span<T> filters, bias;
  };

  /// Numbers per diagram that come out.
  [[nodiscard]] std::size_t size() const noexcept { return convolution_.maps_size() * channel_.op.width(); }

  /// The rows of two diagrams begin `stride` numbers apart in `out`. `selection` receives the chosen points, which
  /// backward() needs; sums and means choose none.
  void forward(const base::Context& context, const layer::Batch<T>& batch, const Numbers& numbers,
               std::span<T> out, std::size_t stride, std::vector<std::int32_t>& selection) const;

  /// Overwrites the gradients by the numbers and, unless it is empty, `by_points`. Computes rows of maps again.
  void backward(const base::Context& context, const layer::Batch<T>& batch, const Numbers& numbers,
                std::span<const T> out_gradient, std::size_t stride, std::span<const std::int32_t> selection,
                const Gradients& gradients, std::span<T> by_points) const;

 private:
  /// Some rows: diagrams, of sums and means, or points, and what the convolution makes of them.
  struct Rows {
    std::vector<T> images, weights;
    std::vector<std::int32_t> selection{};  ///< That layer::backward() needs, of sums and means.
    std::vector<T> by_maps{};
  };

  [[nodiscard]] Rows rows_of(const base::Context& context, const layer::Batch<T>& batch,
                             const Numbers& numbers) const;
  void maps(const base::Context& context, const Rows& rows, const Numbers& numbers, std::span<T> out,
            std::size_t stride) const;
  void backward_rows(const base::Context& context, const layer::Batch<T>& batch, const Numbers& numbers,
                     Rows& rows, const Gradients& gradients, std::span<T> by_points) const;

  layer::Channel channel_;
  layer::Channel weights_;  ///< The feature 1 of every point, with the channel's weight and operation.
  layer::Channel choice_;   ///< The channel's operation upon maps.
  Convolution convolution_;
};

extern template class PointConvolution<float>;
extern template class PointConvolution<double>;

}  // namespace perslay::network
