#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
#include <perslay/diagram/diagram_batch.h>
#include <perslay/layer/channel.h>

namespace perslay::layer {

struct Range {
  double low = 0;
  double high = 1;

  [[nodiscard]] double length() const noexcept { return high - low; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Where diagrams lie, and therefore where samples and centres are placed.
struct Frame {
  Range values;        ///< Of births and deaths together: the axis of curves.
  Range births;        ///< The axes of images.
  Range persistences;  ///< Begins at 0, where the diagonal is.

  /// The smallest frame around all points of a batch with birth <= death, all finite. Without points, that of
  /// the unit square.
  [[nodiscard]] static Frame fit(const diagram::DiagramBatch& batch);

  /// The frame of diagrams whose births and deaths lie in `values`.
  [[nodiscard]] static Frame over(Range values);

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// A channel and the arrays of its parameters.
struct FixedChannel {
  Channel channel;
  std::vector<std::vector<double>> parameters;
};

/// A classical vectorization, which is PersLay with parameters that are chosen rather than learned (section
/// 3.1 of the paper). For points (b, d) with b <= d and y = d - b, the tent of a point is
/// L(t) = max(0, y/2 - |t - (b + d)/2|). Samples t_0 ... t_N-1 lie evenly over Frame::values, both ends
/// included.
///
///  - landscape (Bubenik 2015): for each sample the K largest of L(t);
///  - silhouette (Chazal et al. 2014): sum y^power L(t). As in the paper it is the weighted sum; the original
///    divides it by the sum of the weights;
///  - image (Adams et al. 2017): sum y^power exp(-|(b, y) - c|^2/(2 sigma^2)), the persistence surface at the
///    centres c of a grid over Frame::births x Frame::persistences (the original integrates it over pixels and
///    divides it by 2 pi sigma^2). sigma is one spacing of the grid, the wider of its two axes, unless given;
///  - hofer (Hofer et al. 2017): sum exp(-|(b, y') - c|^2/(2 sigma^2)), y' = nu log(y/nu) + nu where y < nu,
///    else y, at N centres spread evenly (a low-discrepancy sequence) over the frame. nu is a tenth of the
///    largest persistence and sigma the longer side of the frame divided by sqrt(N), unless given;
///  - projections (Carriere et al. 2017): the K largest of b cos a + d sin a for the L angles
///    a = -pi/2 + i pi/L; sliced Wasserstein distances compare them;
///  - betti: the number of points with b <= t < d;
///  - entropy (Atienza et al. 2020): sum of -(y/Y) log(y/Y) over points with b <= t < d, Y the sum of all y.
struct Vectorization {
  enum class Type { landscape, silhouette, image, hofer, projections, betti, entropy };

  Type type = Type::landscape;
  std::size_t count = 0;  ///< Samples, centres or lines; image: extent along births.
  std::size_t rows = 0;   ///< image: extent along persistences.
  std::size_t ranks = 1;  ///< landscape, projections: K.
  double power = 1;       ///< silhouette, image: at least 0.
  double sigma = 0;       ///< image, hofer; 0 stands for what the frame suggests.
  double nu = 0;          ///< hofer; likewise.

  /// Numbers per diagram.
  [[nodiscard]] std::size_t size() const noexcept { return count * (type == Type::image ? rows : ranks); }

  [[nodiscard]] std::string name() const;

  /// The layer that computes it for diagrams in `frame`.
  [[nodiscard]] FixedChannel in(const Frame& frame) const;

  friend bool operator==(const Vectorization&, const Vectorization&) = default;
};

/// The vectorization behind `landscape:KxN`, `silhouette:N[:power=S]`, `image:NxM[:sigma=S][:power=P]`
/// (`image:N` is `image:NxN`), `hofer:N[:nu=V][:sigma=S]`, `projections:LxK`, `betti:N`, `entropy:N`.
[[nodiscard]] Vectorization parse_vectorization(std::string_view name);

[[nodiscard]] std::span<const base::NameHelp> vectorization_help();

/// A name for each number that comes out, in their order: `t3=0.15` for a sample, `b3=0.15/p0=0` for a centre
/// at that birth and persistence, `line3`, and `f3` for features without a place of their own; ranks follow
/// as `/k1`, `/k2`, ... No two are the same.
[[nodiscard]] std::vector<std::string> output_names(const FixedChannel& fixed);

}  // namespace perslay::layer
