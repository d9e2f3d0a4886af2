#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
#include <perslay/layer/parameters.h>

namespace perslay::layer {

/// The weight function w of equation (3).
///
/// Continuity (Divol and Lacombe, Prop. 5.1): Dg -> sum w(p) phi(p) is continuous for the distance d_s if w
/// is `power:s` with s >= 1 and phi is continuous and bounded (triangle, flat, Gaussians, rational ones on
/// bounded diagrams). It is not for `one`, `grid` and `gmix`, which do not vanish on the diagonal.
struct Weight {
  enum class Type {
    given,  ///< Weights that the caller computes; no parameters.
    one,    ///< 1, without parameters.
    grid,   ///< A value per cell of a grid over (birth, death). Not continuous across cell borders.
    power,  ///< c (|d - b|/sqrt(2))^s, the distance to the diagonal to a fixed power s >= 0; c is trainable.
    gmix,   ///< sum_k a_k exp(-s_k1^2 (b - c_k1)^2 - s_k2^2 (d - c_k2)^2)
  };

  Type type = Type::one;
  std::size_t births = 0;  ///< `grid`: number of cells along births; `gmix`: number of Gaussians.
  std::size_t deaths = 0;  ///< `grid`: number of cells along deaths.
  double low = -0.001;     ///< `grid`: bounds of both axes. Cells are half-open; points outside belong
  double high = 1.001;     ///< to the border cell.
  double exponent = 1;     ///< `power`.

  /// grid: `cells` [births, deaths]; power: `constant` [1]; gmix: `centres` [k, 2], `sharpness` [k, 2],
  /// `amplitudes` [k].
  [[nodiscard]] std::vector<ParameterShape> parameters() const;

  [[nodiscard]] std::string name() const;

  friend bool operator==(const Weight&, const Weight&) = default;
};

/// The weight behind `one`, `constant` (a trainable one), `grid:10x10[:low=A:high=B]`, `power:1`, `gmix:3`.
[[nodiscard]] Weight parse_weight(std::string_view name);

[[nodiscard]] std::span<const base::NameHelp> weight_help();

}  // namespace perslay::layer
