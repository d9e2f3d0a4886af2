#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
#include <perslay/layer/parameters.h>

namespace perslay::layer {

/// A point transformation: phi of equation (3), from the plane to R^size.
struct PointTransform {
  /// Section 3.1 of the paper, and structure elements of Hofer et al., JMLR 2019. In the formulas (b, d) is a
  /// point, m = (b + d)/2 its midpoint, h = (d - b)/2 half its persistence, y = d - b its persistence.
  enum class Type {
    given,           ///< Features that the caller computes; no parameters.
    triangle,        ///< max(0, h - |t - m|), the tent of the bar at a sample t; top-k gives landscapes.
    betti,           ///< 1 if b <= t < d, else 0; gradient 0.
    flat,            ///< sigmoid(k (h - |t - m|)): the Betti curve with soft ends of steepness k.
    entropy,         ///< -(y/Y) log(y/Y) if b <= t < d, else 0; Y is the sum of all y > 0.
    flat_entropy,    ///< The same with the soft ends of `flat`.
    gaussian,        ///< exp(-s^2 |(b, y) - c|^2) at a centre c; s = 1/(sqrt(2) sigma) is its sharpness.
    gaussian_grid,   ///< The same with the centres on a product grid, which makes the sum over points cheap.
    hofer,           ///< `gaussian` at (b, y'), y' = nu log(y/nu) + nu where y < nu, else y; 0 where y <= 0.
    exponential,     ///< exp(-s1^2 (b - c1)^2 - s2^2 (y - c2)^2): a Gaussian with a sharpness per axis.
    rational,        ///< (1 + |s1| |b - c1| + |s2| |y - c2|)^-a
    rational_hat_1,  ///< 1/(1 + N) - 1/(1 + | |r| - N |), N = |(b, y) - c| in the 1-norm.
    rational_hat_2,  ///< The same in the 2-norm.
    line,            ///< e1 b + e2 d + bias
    mixture,         ///< A convex combination of transformations of the same size; weights by softmax.
  };

  Type type = Type::gaussian_grid;
  std::size_t count = 0;  ///< Samples, centres or lines; for the grid, its extent along births.
  std::size_t rows = 0;   ///< For the grid only: its extent along persistences.

  bool shared_width = true;  ///< `gaussian`, `hofer`: one sharpness for all centres, or one per centre.
  double nu = 0.1;           ///< `hofer`: where the logarithm begins; fixed.
  double sigma = 0;          ///< Initial width of Gaussians; 0 leaves it to the initialisation.
  bool reads_death =
      false;  ///< `gaussian`, also on a grid: at (b, d), as the paper writes it, instead of (b, y).
  std::vector<PointTransform> parts{};  ///< `mixture` only.

  /// The number of features. The grid's feature (i, j) has index i * rows + j, i along births.
  [[nodiscard]] std::size_t size() const;

  /// The trainable arrays. triangle, betti, entropy: `samples` [size]; flat ones: also `steepness` [1];
  /// gaussian, hofer: `centres` [size, 2], `sharpness` [1] or [size]; the grid: `births` [count],
  /// `persistences` [rows], `sharpness` [1]; exponential: `centres`, `sharpness` [size, 2]; rational: the
  /// same and `exponent` [size]; rational hats: `centres`, `radius` [size]; line: `directions` [size, 2],
  /// `bias` [size]; mixture: `logits` [parts], then those of the parts as `0.samples`, ...
  [[nodiscard]] std::vector<ParameterShape> parameters() const;

  /// The name that stands for this transformation, e.g. "gaussian:20x20".
  [[nodiscard]] std::string name() const;

  friend bool operator==(const PointTransform&, const PointTransform&) = default;
};

/// The transformation behind a name: `gaussian:20x20` (grid), `gaussian:50` (free centres), `triangle:50`,
/// `line:25`, `hofer:50:nu=0.05`, `mixture:triangle+gaussian+line:25`, ... Throws a sentence otherwise.
[[nodiscard]] PointTransform parse_point_transform(std::string_view name);

/// Usage and one line for each name, for help texts.
[[nodiscard]] std::span<const base::NameHelp> point_transform_help();

}  // namespace perslay::layer
