#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <perslay/base/registry.h>

namespace perslay::kernel {

/// A kernel on persistence diagrams. For diagrams F and G, points p = (b, d), p' = (d, b) its mirror image
/// and p0 = ((b + d)/2, (b + d)/2) its projection to the diagonal:
///
///  - scale_space, `pss` (Reininghaus, Huber, Bauer, Kwitt 2015): the inner product of two solutions of the
///    heat equation that vanish on the diagonal,
///      k(F, G) = 1/(8 pi sigma) sum_{p in F, q in G} exp(-|p - q|^2/(8 sigma)) - exp(-|p - q'|^2/(8 sigma));
///  - weighted_linear, `pwg-linear` (Kusano, Fukumizu, Hiraoka 2016): the inner product of two weighted
///    kernel mean embeddings,
///      <F, G> = sum_{p, q} w(p) w(q) exp(-|p - q|^2/(2 sigma^2)), w(p) = arctan(C |d - b|^power);
///  - weighted_gaussian, `pwg` (the same): exp(-|F - G|^2/(2 tau^2)), |F - G| the distance that this inner
///    product makes;
///  - sliced_wasserstein, `sw` (Carriere, Cuturi, Oudot 2017): exp(-SW(F, G)/(2 sigma^2)), SW the mean over N
///    directions (cos a, sin a), a = -pi/2 + i pi/N, of the 1-Wasserstein distance on the line between the
///    projections of F with the p0 of G and of G with the p0 of F. N = 10 unless given; the paper's integral
///    over the half circle, divided by pi, is its limit;
///  - fisher, `pf` (Le, Yamada 2018): exp(-t d(F, G)), where d is the Fisher information metric between two
///    densities on the finite set X = F + F0 + G + G0 (with multiplicity): that of F + G0 and of G + F0, each
///    smoothed by a Gaussian of width sigma and divided by its sum over X; d = arccos sum_X sqrt(f g).
///
/// Each splits into a *base*, which is expensive and does not depend on the outer bandwidth, and a cheap
/// outer map. The base of `sw` is SW, of `pf` d, of `pwg` |F - G|^2, and k = exp(-rate base). `pss` and
/// `pwg-linear` are their own bases. Over several groups of diagrams (kinds, filtrations) bases add up: the
/// product of the groups' kernels in the first case, their sum in the second; both are kernels again.
///
/// Positive definite: pss and pwg as inner products and the Gaussian of one; sw since SW is the L1 distance
/// between functions of one diagram each. For pf the authors argue with densities on one common set; d as
/// they compute it adds the projections of the other diagram, so that a matrix may have eigenvalues slightly
/// below 0.
///
/// Points below the diagonal (rel1, ext1) are taken as they are: mirroring all diagrams changes none of these
/// (`sw` with an odd number of directions apart). Coordinates must be finite and at most 1e150 in magnitude.
/// Diagrams may be empty.
struct Kernel {
  enum class Type { scale_space, weighted_linear, weighted_gaussian, sliced_wasserstein, fisher };

  Type type = Type::sliced_wasserstein;
  /// The width inside the base: scale_space, weighted_*, fisher. 0 stands for the median heuristic, see
  /// bandwidth.h.
  double sigma = 0;
  double scale = 0;             ///< weighted_*: C; 0 stands for the median heuristic.
  double power = 5;             ///< weighted_*: at least 0.
  std::size_t directions = 10;  ///< sliced_wasserstein.
  /// The outer bandwidth as the papers write it: sliced_wasserstein: sigma; weighted_gaussian: tau; fisher:
  /// t. 0 stands for the median heuristic.
  double outer = 0;
  /// The error of a single Gaussian, where sums of Gaussians are computed on a grid; 0 for exact sums. Not for
  /// sliced_wasserstein, which has no Gaussians.
  double tolerance = 0;

  /// Whether points have weights, with the parameters `scale` and `power`.
  [[nodiscard]] bool is_weighted() const noexcept {
    return type == Type::weighted_linear || type == Type::weighted_gaussian;
  }

  /// Whether the base is to be mapped by exp(-rate base); otherwise it is the kernel.
  [[nodiscard]] bool is_distance() const noexcept {
    return type != Type::scale_space && type != Type::weighted_linear;
  }

  /// Whether the base has all its parameters.
  [[nodiscard]] bool is_fitted() const noexcept {
    return type == Type::sliced_wasserstein || (sigma > 0 && (scale > 0 || !is_weighted()));
  }

  /// The rate that the outer bandwidth stands for, if it is given: 1/(2 sigma^2), 1/(2 tau^2), t.
  [[nodiscard]] std::optional<double> rate() const noexcept;

  /// As users write it; parse_kernel(name()) is the same kernel.
  [[nodiscard]] std::string name() const;

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// With a smaller sigma the kernel would be infinite.
inline constexpr double smallest_scale_space_sigma = 1e-300;

/// The kernel behind `pss[:SIGMA]`, `pwg[:SIGMA][:c=C][:p=P][:tau=T]`, `pwg-linear[:SIGMA][:c=C][:p=P]`,
/// `sw[:DIRECTIONS][:sigma=S]` or `pf[:SIGMA][:t=T]`; `~grid:TOLERANCE` behind all but `sw` asks for sums on a
/// grid.
[[nodiscard]] Kernel parse_kernel(std::string_view name);

[[nodiscard]] std::span<const base::NameHelp> kernel_help();

}  // namespace perslay::kernel
