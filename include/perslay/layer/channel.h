#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/layer/equivariant.h>
#include <perslay/layer/operation.h>
#include <perslay/layer/point_transform.h>
#include <perslay/layer/weight.h>

namespace perslay::layer {

/// One PersLay: op({ w(p) phi(p) }), equation (3), where phi may be followed by permutation-equivariant
/// layers.
struct Channel {
  PointTransform phi;
  std::vector<Equivariant> equivariant;
  Weight weight;
  Operation op;

  /// Features per point that are weighted and reduced.
  [[nodiscard]] std::size_t features() const {
    return equivariant.empty() ? phi.size() : equivariant.back().size;
  }

  /// Numbers per diagram that come out, in the order [feature][rank].
  [[nodiscard]] std::size_t size() const { return features() * op.width(); }

  /// All trainable arrays: those of phi as `phi.centres`, ..., of the equivariant layers as
  /// `equivariant.0.lambda`, ..., of the weight as `weight.cells`, ...
  [[nodiscard]] std::vector<ParameterShape> parameters() const;

  [[nodiscard]] std::string name() const;

  friend bool operator==(const Channel&, const Channel&) = default;
};

/// The features of a point, or of a diagram, in the order in which a convolution sees them: a grid of Gaussians as it
/// is, other features as one row.
struct Image {
  std::size_t rows = 0;
  std::size_t columns = 0;
};
[[nodiscard]] Image image_of(const Channel& channel);

/// A convolution over such an image, without padding: `filters` kernels of `size` x `size`, or of 1 x `size` if the
/// image is a row. It gives [filter][place].
struct Convolution {
  std::size_t filters = 0;
  std::size_t size = 0;
  /// true: a part of phi, which sees the features of each point before weight and op, as the paper writes it.
  /// false: it follows op, as in the authors' program.
  bool of_points = false;

  /// "10x2"
  [[nodiscard]] std::string name() const;
  /// The places of a filter on an image.
  [[nodiscard]] std::size_t places(const Image& image) const;

  friend bool operator==(const Convolution&, const Convolution&) = default;
};

/// The convolution behind a name such as `10x2`: 10 filters of the size 2.
[[nodiscard]] Convolution parse_convolution(std::string_view name);

/// Throws the user's error if the filters are larger than the channel's image.
void require_room(const Convolution& convolution, const Channel& channel);

/// What a short form of the paper stands for.
struct PaperChannel {
  Channel channel;
  std::optional<Convolution> convolution;
};

/// `Im(20,(10,2),10,sum)`: Gaussians on a grid with 20 + 1 samples per side (as the authors have it), a
/// convolution with 10 filters of 2x2 or none `()`, weights on a 10x10 grid, and the operation, which may be
/// left out (sum). `Pm(25,25,10,top-5)`: 25 lines, an equivariant layer of dimension 25 with maximum, weights
/// on a 10x10 grid. A grid size of 0 or `none` stands for the weight `one`.
[[nodiscard]] PaperChannel parse_paper_channel(std::string_view text);

}  // namespace perslay::layer
