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

/// The convolution that the paper lets follow an image: `filters` kernels of `size` x `size`, no padding.
struct Convolution {
  std::size_t filters = 0;
  std::size_t size = 0;

  friend bool operator==(const Convolution&, const Convolution&) = default;
};

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
