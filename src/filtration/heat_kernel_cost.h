#pragma once

#include "local_ball.h"
#include "sparse_operator.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include <perslay/base/context.h>
#include <perslay/filtration/heat_kernel_signature.h>

namespace perslay::filtration {

/// What a method of computing the diagonal of exp(-t(I - B)) is expected to cost on one core.
struct HeatKernelCost {
  HeatKernelMethod method = HeatKernelMethod::automatic;
  double seconds = 0;
  double bytes = 0;
};

/// The most memory that a method may take.
inline constexpr double heat_kernel_memory_limit = 8e9;

[[nodiscard]] HeatKernelCost chebyshev_cost(const SparseOperator& matrix, std::size_t degree);

/// Grows the balls of a few blocks of `order` (see breadth_first_order) to see how large they are.
[[nodiscard]] HeatKernelCost local_chebyshev_cost(const SparseOperator& matrix, std::size_t degree,
                                                  std::span<const std::int32_t> order, LocalBall& ball,
                                                  const base::Context& context);

[[nodiscard]] HeatKernelCost eigenvectors_cost(const SparseOperator& matrix);

/// The quicker of two methods; one that needs too much memory comes last.
[[nodiscard]] HeatKernelCost cheaper(const HeatKernelCost& a, const HeatKernelCost& b);

}  // namespace perslay::filtration
