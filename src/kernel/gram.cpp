#include "pairwise.h"
#include "placed_points.h"
#include "sliced_wasserstein.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <perslay/kernel/gram.h>

namespace perslay::kernel {
namespace {

using Type = Kernel::Type;
using diagram::DiagramBatch;
using diagram::DiagramGroup;

/// Pairs come in squares of this many diagrams, so that prepared diagrams stay in the cache.
constexpr std::size_t tile_size = 8;

/// Calls `use(i, j, value)` for all pairs, on any thread; only for i < j if both sides are the same object.
template <class Use>
void for_all_pairs(const Pairwise& function, const Pairwise::Side& rows, const Pairwise::Side& columns,
                   const base::Context& context, std::string_view stage, Use use) {
  const bool same = &rows == &columns;
  std::vector<std::pair<std::size_t, std::size_t>> tiles;
  for (std::size_t i = 0; i < rows.size(); i += tile_size)
    for (std::size_t j = same ? i : 0; j < columns.size(); j += tile_size) tiles.emplace_back(i, j);
  base::parallel_for(
      context, stage, tiles.size(), [&] { return function.scratch(); },
      [&](std::size_t tile, const std::unique_ptr<Pairwise::Scratch>& scratch) {
        const auto [first_i, first_j] = tiles[tile];
        const std::size_t end_i = std::min(first_i + tile_size, rows.size());
        const std::size_t end_j = std::min(first_j + tile_size, columns.size());
        for (std::size_t i = first_i; i < end_i; ++i)
          for (std::size_t j = same ? std::max(first_j, i + 1) : first_j; j < end_j; ++j) {
            context.stop_if_cancelled();
            use(i, j, function.value(rows, i, columns, j, *scratch));
          }
      });
}

/// The value of each diagram with itself.
std::vector<double> norms(const Pairwise& function, const Pairwise::Side& side,
                          const base::Context& context) {
  std::vector<double> values(side.size());
  base::parallel_for(
      context, "norms of diagrams", side.size(), [&] { return function.scratch(); },
      [&](std::size_t i, const std::unique_ptr<Pairwise::Scratch>& scratch) {
        values[i] = function.value(side, i, side, i, *scratch);
      });
  return values;
}

/// Adds the base of a kernel on input that was checked.
void add_base(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
              const base::Context& context, Matrix& base) {
  if (kernel.type == Type::sliced_wasserstein)
    return add_sliced_wasserstein(kernel.directions, rows, columns, context, base);
  const bool same = &rows == &columns;
  const auto function = pairwise_of(kernel);
  const auto row_side = function->prepare(rows, context);
  const auto other_side = same ? nullptr : function->prepare(columns, context);
  const Pairwise::Side& column_side = same ? *row_side : *other_side;
  const auto add = [&](std::size_t i, std::size_t j, double value) {
    base(i, j) += value;
    if (same) base(j, i) = base(i, j);
  };
  if (kernel.type == Type::weighted_gaussian) {
    // |F - G|^2 = <F, F> + <G, G> - 2 <F, G>
    const auto row_norms = norms(*function, *row_side, context);
    const auto column_norms = same ? row_norms : norms(*function, column_side, context);
    for_all_pairs(*function, *row_side, column_side, context, "squared distances",
                  [&](std::size_t i, std::size_t j, double product) {
                    add(i, j, std::max(0.0, (row_norms[i] + column_norms[j]) - 2 * product));
                  });
    return;
  }
  for_all_pairs(*function, *row_side, column_side, context,
                kernel.is_distance() ? "Fisher distances" : "kernel matrix", add);
  if (!same || kernel.is_distance()) return;
  const auto diagonal = norms(*function, *row_side, context);
  for (std::size_t i = 0; i < diagonal.size(); ++i) base(i, i) += diagonal[i];
}

void check(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns) {
  if (!kernel.is_fitted())
    throw base::user_error(
        fmt::format("The kernel {} has parameters that are still to be fitted.", kernel.name()));
  check_coordinates(rows);
  if (&rows != &columns) check_coordinates(columns);
}

void check_groups(std::span<const Kernel> kernels, std::span<const DiagramGroup> rows,
                  std::span<const DiagramGroup> columns) {
  if (kernels.size() != rows.size() || rows.size() != columns.size())
    throw base::user_error(fmt::format("{} kernels do not serve {} and {} groups of diagrams.",
                                       kernels.size(), rows.size(), columns.size()));
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    if (kernels[g].type != kernels[0].type)
      throw base::user_error(
          fmt::format("The kernels {} and {} do not add up.", kernels[0].name(), kernels[g].name()));
    if (rows[g].diagrams.size() != rows[0].diagrams.size() ||
        columns[g].diagrams.size() != columns[0].diagrams.size())
      throw base::user_error("All groups of diagrams need the same number of items.");
    if (rows[g].filtration != columns[g].filtration || rows[g].kind != columns[g].kind)
      throw base::user_error(
          fmt::format("{} cannot be compared with {}.", rows[g].title(), columns[g].title()));
  }
}

}  // namespace

Matrix base_matrix(const Kernel& kernel, const DiagramBatch& diagrams, const base::Context& context) {
  return base_matrix(kernel, diagrams, diagrams, context);
}

Matrix base_matrix(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
                   const base::Context& context) {
  check(kernel, rows, columns);
  Matrix base(rows.size(), columns.size());
  add_base(kernel, rows, columns, context, base);
  return base;
}

Matrix base_matrix(std::span<const Kernel> kernels, std::span<const DiagramGroup> groups,
                   const base::Context& context) {
  return base_matrix(kernels, groups, groups, context);
}

Matrix base_matrix(std::span<const Kernel> kernels, std::span<const DiagramGroup> rows,
                   std::span<const DiagramGroup> columns, const base::Context& context) {
  check_input(kernels, rows, columns);
  if (kernels.empty()) return {};
  Matrix base(rows[0].diagrams.size(), columns[0].diagrams.size());
  for (std::size_t g = 0; g < kernels.size(); ++g)
    with_title(rows[g], [&] { add_base(kernels[g], rows[g].diagrams, columns[g].diagrams, context, base); });
  return base;
}

void check_input(std::span<const Kernel> kernels, std::span<const DiagramGroup> rows,
                 std::span<const DiagramGroup> columns) {
  check_groups(kernels, rows, columns);
  for (std::size_t g = 0; g < kernels.size(); ++g)
    with_title(rows[g], [&] { check(kernels[g], rows[g].diagrams, columns[g].diagrams); });
}

Matrix outer_map(Matrix base, double rate) {
  for (double& x : base.values) x = std::exp(-rate * x);
  return base;
}

Matrix block(const Matrix& matrix, std::span<const std::size_t> rows, std::span<const std::size_t> columns) {
  Matrix part(rows.size(), columns.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) part(i, j) = matrix(rows[i], columns[j]);
  return part;
}

}  // namespace perslay::kernel
