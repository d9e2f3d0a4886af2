#include <algorithm>
#include <mutex>
#include <utility>

#include <perslay/base/parallel.h>
#include <perslay/diagram/distance.h>

namespace perslay::diagram {
namespace {

/// The matrix in which the distances of some pairs are filled in; place(i) is the row and the column of the i-th.
template <class Place>
DistanceMatrix filled(const DiagramBatch& a, const DiagramBatch& b, std::size_t pairs, const Place& place,
                      const Metric& metric, const base::Context& context) {
  DistanceMatrix matrix{a.size(), b.size(), std::vector<double>(a.size() * b.size()), 0};
  std::mutex mutex;
  base::parallel_for(context, "distances", pairs, [&](std::size_t i) {
    const auto [row, column] = place(i);
    const auto found = distance(a[row], b[column], metric);
    matrix.values[row * b.size() + column] = found.value;
    if (found.exact()) return;
    const std::scoped_lock lock(mutex);
    matrix.relative_error = std::max(matrix.relative_error, found.relative_error);
  });
  return matrix;
}

}  // namespace

DistanceMatrix distance_matrix(const DiagramBatch& a, const DiagramBatch& b, const Metric& metric,
                               const base::Context& context) {
  const auto place = [&](std::size_t pair) { return std::pair(pair / b.size(), pair % b.size()); };
  return filled(a, b, a.size() * b.size(), place, metric, context);
}

DistanceMatrix distance_matrix(const DiagramBatch& batch, const Metric& metric,
                               const base::Context& context) {
  const std::size_t n = batch.size();
  // Row i and row n-1-i have n-1 pairs above the diagonal together: pairs are numbered in such double rows.
  const auto place = [n](std::size_t pair) {
    const std::size_t row = pair / (n - 1), column = row + 1 + pair % (n - 1);
    return column < n ? std::pair(row, column) : std::pair(n - 1 - row, 2 * n - 1 - column);
  };
  auto matrix = filled(batch, batch, n < 2 ? 0 : n * (n - 1) / 2, place, metric, context);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < row; ++column)
      matrix.values[row * n + column] = matrix.values[column * n + row];
  return matrix;
}

}  // namespace perslay::diagram
