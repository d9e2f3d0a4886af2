#include "heat_kernel_cost.h"

#include "chebyshev_moments.h"
#include "dense_eigen.h"

#include <algorithm>

namespace perslay::filtration {

namespace {

double real(std::size_t x) { return static_cast<double>(x); }

// All constants were measured on one core of an AMD EPYC with AVX2, 512 KiB of second-level and 32 MiB of
// third-level cache, OpenBLAS 0.3.21. Only their ratios decide which method is taken.

/// Sweeping once over a row and over an entry of the matrix, for the widest block of columns.
struct SweepSeconds {
  double row, entry;
};

/// By the cache that holds the block's two vectors per column; 20 to 4*10^5 rows with 2, 8 and 40 entries
/// each.
SweepSeconds sweep_seconds(double vector_bytes) {
  if (vector_bytes < 512e3) return {2.3e-9, 1.1e-9};
  if (vector_bytes < 16e6) return {2.3e-9, 2.2e-9};
  return {10e-9, 12e-9};
}

/// Growing a ball, per row and entry: grids, paths and preferential attachment graphs.
constexpr SweepSeconds grow_seconds{2e-9, 6e-9};

double vector_bytes(double rows, std::size_t block_width) { return 2 * 8 * rows * real(block_width); }

double matrix_bytes(const SparseOperator& matrix) {
  return 12 * real(matrix.entries()) + 8 * real(matrix.rows());
}

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace

HeatKernelCost chebyshev_cost(const SparseOperator& matrix, std::size_t degree) {
  const double rows = real(matrix.rows());
  const std::size_t width = ChebyshevMoments::block_width(matrix.rows());
  const double bytes = vector_bytes(rows, width);
  const auto [row, entry] = sweep_seconds(bytes);
  const double narrower = 0.25 + 0.75 * real(width) / real(ChebyshevMoments::widest_block());
  const double sweep = narrower * (rows * row + real(matrix.entries()) * entry);
  const double sweeps = real(divide_up(matrix.rows(), width)) * real(degree / 2 + 1);
  return {HeatKernelMethod::chebyshev, sweeps * sweep, bytes + matrix_bytes(matrix)};
}

HeatKernelCost local_chebyshev_cost(const SparseOperator& matrix, std::size_t degree,
                                    std::span<const std::int32_t> order, LocalBall& ball,
                                    const base::Context& context) {
  constexpr std::size_t most_samples = 8;
  const std::size_t width = ChebyshevMoments::block_width(order.size()),
                    blocks = divide_up(order.size(), width);
  const std::size_t samples = std::clamp<std::size_t>(blocks / 16, 1, most_samples);
  double seconds = 0, bytes = 0;
  std::size_t taken = 0, rows_seen = 0;  // balls as large as the graph need no second look
  for (std::size_t sample = 0; sample < std::min(samples, blocks) && rows_seen < matrix.rows(); ++sample) {
    context.stop_if_cancelled();
    const std::size_t begin = (2 * sample + 1) * blocks / (2 * samples) * width;
    ball.grow(matrix, order.subspan(begin, std::min(width, order.size() - begin)), degree / 2);
    const SparseOperator part = ball.matrix();
    const double ball_bytes = vector_bytes(real(part.rows()), width);
    const auto [row, entry] = sweep_seconds(ball_bytes);
    seconds += real(part.rows()) * (grow_seconds.row + row) + real(part.entries()) * grow_seconds.entry;
    for (const std::size_t active : ball.within().subspan(1))
      seconds += real(active) * row + static_cast<double>(part.offsets[active]) * entry;
    bytes = std::max(bytes, ball_bytes + matrix_bytes(part));
    rows_seen += part.rows();
    ++taken;
  }
  return {HeatKernelMethod::local_chebyshev, seconds / real(std::max<std::size_t>(taken, 1)) * real(blocks),
          bytes + matrix_bytes(matrix)};
}

// dsyevd on 8 to 1000 rows.
HeatKernelCost eigenvectors_cost(const SparseOperator& matrix) {
  const double n = real(matrix.rows());
  return {HeatKernelMethod::eigenvectors, n * (0.3e-6 + n * (70e-9 + n * 0.13e-9)), DenseEigen::bytes(n)};
}

HeatKernelCost cheaper(const HeatKernelCost& a, const HeatKernelCost& b) {
  const bool a_fits = a.bytes <= heat_kernel_memory_limit, b_fits = b.bytes <= heat_kernel_memory_limit;
  if (a_fits != b_fits) return a_fits ? a : b;
  return b.seconds < a.seconds ? b : a;
}

}  // namespace perslay::filtration
