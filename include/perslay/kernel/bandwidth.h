#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/diagram/diagram_set.h>
#include <perslay/kernel/gram.h>
#include <perslay/kernel/kernel.h>

/// The papers' rules for bandwidths. All take the indices of the items they may look at, so that a
/// cross-validation can keep its test parts out. Medians and quantiles of a sample interpolate linearly: the median of
/// an even number of values is the mean of the two in the middle.
namespace perslay::kernel {

/// The kernel with the parameters that its base leaves open, by medians over the diagrams `items` of a batch:
///  - sigma of pwg and pf: the median over diagrams of the median distance between two points of the diagram
///    (Kusano et al. 2018); of pss, which writes its Gaussian as exp(-d^2/(8 sigma)), a quarter of its
///    square;
///  - C of pwg: m^-power, m the median over diagrams of the median persistence.
/// Diagrams without such a distance (fewer than two different points) do not count. Where no diagram is left, or
/// the median is 0 or out of range, the parameter becomes 1. A diagram with more than 512 points gives every
/// k-th of them.
[[nodiscard]] Kernel fit(const Kernel& kernel, const diagram::DiagramBatch& diagrams,
                         std::span<const std::size_t> items);

/// One fitted kernel for each group.
[[nodiscard]] std::vector<Kernel> fit(const Kernel& kernel, std::span<const diagram::DiagramGroup> groups,
                                      std::span<const std::size_t> items);

/// The bases among which a cross-validation chooses; each entry holds one kernel for each group. What the
/// name gives stays as it is. Otherwise
///  - pss: sigma in 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 500, 1000 (Reininghaus et al. 2015;
///    Carriere et al. 2017);
///  - pf: sigma in 0.01, 0.1, 1, 10 times what fit() gives;
///  - sw, pwg: what fit() gives.
[[nodiscard]] std::vector<std::vector<Kernel>> base_candidates(const Kernel& kernel,
                                                               std::span<const diagram::DiagramGroup> groups,
                                                               std::span<const std::size_t> items);

/// The rates (see outer_map) among which a cross-validation chooses, in ascending order, by quantiles of the
/// base between the `items`, i < j; one rate alone if the kernel's name gives it:
///  - sw, pwg: 1/(2 s^2), s in 0.01, 0.1, 1, 10, 100 times the square root of the first decile, the median
///    and the last decile (Carriere et al. 2017);
///  - pf: 1/q, q the quantiles of 1, 2, 5, 10, 20 and 50 % (Le, Yamada 2018).
/// Quantiles that are 0 are left out; if all are 0, the only rate is 1. `base` is square. A kernel that is its
/// own base has no rates.
[[nodiscard]] std::vector<double> rate_candidates(const Kernel& kernel, const Matrix& base,
                                                  std::span<const std::size_t> items);

/// The rate in the middle: that of the kernel's name, or of the median m of the base between the `items`, 1/m
/// for pf and 1/(2 m) otherwise (Kusano et al. 2018 for pwg); 1 if m is 0.
[[nodiscard]] double median_rate(const Kernel& kernel, const Matrix& base,
                                 std::span<const std::size_t> items);

/// The rate in the middle for items of a set, from the sum of the groups' bases; 1 without groups.
[[nodiscard]] double median_rate(std::span<const Kernel> kernels, const diagram::DiagramSet& set,
                                 std::span<const std::size_t> items, const base::Context& context);

/// At most `limit` of the items 0 ... count-1, evenly spaced.
[[nodiscard]] std::vector<std::size_t> spread_items(std::size_t count, std::size_t limit);

/// The items over which medians are taken unless somebody chooses others: at most 256, evenly spaced.
[[nodiscard]] std::vector<std::size_t> median_items(std::size_t count);

}  // namespace perslay::kernel
