#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/diagram/diagram_set.h>
#include <perslay/kernel/kernel.h>

namespace perslay::kernel {

/// A dense matrix, row by row.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;

  Matrix() = default;
  Matrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), values(row_count * column_count) {}

  [[nodiscard]] double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }

  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// The base of a kernel (see kernel.h) on all pairs of a batch; symmetric, and 0 on the diagonal if it is a
/// distance. The kernel must be fitted (see bandwidth.h).
///
/// An entry depends on its two diagrams and the kernel alone, not on their order, the batch or the number of
/// threads: blocks of a larger matrix have the same bits as smaller matrices.
///
/// Cost for N diagrams of n points: `sw` O(N^2 n) per direction, `pss`, `pwg` and `pf` O(N^2 n^2) Gaussians;
/// with ~grid O(N^2 n) for pf and O(N^2) otherwise, with constants that grow with the size of the grid. Memory:
/// the matrix, and O(N n) for the diagrams.
[[nodiscard]] Matrix base_matrix(const Kernel& kernel, const diagram::DiagramBatch& diagrams,
                                 const base::Context& context);

/// The base on every diagram of one batch with every diagram of another.
[[nodiscard]] Matrix base_matrix(const Kernel& kernel, const diagram::DiagramBatch& rows,
                                 const diagram::DiagramBatch& columns, const base::Context& context);

/// The sum of the bases over groups, `kernels[g]` for `groups[g]`; all are of the same type, and all groups
/// have the same number of items.
[[nodiscard]] Matrix base_matrix(std::span<const Kernel> kernels,
                                 std::span<const diagram::DiagramGroup> groups, const base::Context& context);

/// The sum of the bases between two sets of items that have the same groups in the same order.
[[nodiscard]] Matrix base_matrix(std::span<const Kernel> kernels, std::span<const diagram::DiagramGroup> rows,
                                 std::span<const diagram::DiagramGroup> columns,
                                 const base::Context& context);

/// Throws what base_matrix() would say about its input: kernels that are not fitted or do not match, groups
/// that do not match, coordinates that are not finite.
void check_input(std::span<const Kernel> kernels, std::span<const diagram::DiagramGroup> rows,
                 std::span<const diagram::DiagramGroup> columns);

/// Applies the outer map exp(-rate x) to all entries, in a few nanoseconds each.
[[nodiscard]] Matrix outer_map(Matrix base, double rate);

/// The entries at these rows and columns.
[[nodiscard]] Matrix block(const Matrix& matrix, std::span<const std::size_t> rows,
                           std::span<const std::size_t> columns);

/// The time and memory that base_matrix() is going to take on a machine that does nothing else. The estimate
/// prepares a sample of diagrams and compares some pairs, which takes about a tenth of a second for each group
/// (more if 32 diagrams take longer to prepare). Working memory of threads does not count.
struct Estimate {
  double seconds = 0;
  std::size_t bytes = 0;
};
[[nodiscard]] Estimate estimate(std::span<const Kernel> kernels, std::span<const diagram::DiagramGroup> rows,
                                std::span<const diagram::DiagramGroup> columns, const base::Context& context);

}  // namespace perslay::kernel
