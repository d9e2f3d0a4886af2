#include <atomic>

#include <perslay/base/parallel.h>
#include <perslay/diagram/distance.h>

namespace perslay::diagram {
namespace {

constexpr auto stage = "distances";

/// The largest of the numbers that several threads come with.
class Largest {
 public:
  void add(double number) {
    double seen = number_.load(std::memory_order_relaxed);
    while (number > seen && !number_.compare_exchange_weak(seen, number, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] double get() const { return number_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> number_{0};
};

}  // namespace

DistanceMatrix distance_matrix(const DiagramBatch& a, const DiagramBatch& b, const Metric& metric,
                               const base::Context& context) {
  DistanceMatrix matrix{a.size(), b.size(), std::vector<double>(a.size() * b.size()), 0};
  Largest error;
  base::parallel_for(context, stage, matrix.values.size(), [&](std::size_t pair) {
    const auto found = distance(a[pair / b.size()], b[pair % b.size()], metric);
    matrix.values[pair] = found.value;
    error.add(found.relative_error);
  });
  matrix.relative_error = error.get();
  return matrix;
}

DistanceMatrix distance_matrix(const DiagramBatch& batch, const Metric& metric,
                               const base::Context& context) {
  const std::size_t n = batch.size();
  DistanceMatrix matrix{n, n, std::vector<double>(n * n), 0};
  Largest error;
  // Row i and row n-1-i have n-1 pairs above the diagonal together: pairs are numbered in such double rows.
  base::parallel_for(context, stage, n < 2 ? 0 : n * (n - 1) / 2, [&](std::size_t pair) {
    std::size_t row = pair / (n - 1);
    std::size_t column = row + 1 + pair % (n - 1);
    if (column >= n) {
      column = 2 * n - 1 - column;
      row = n - 1 - row;
    }
    const auto found = distance(batch[row], batch[column], metric);
    matrix.values[row * n + column] = found.value;
    matrix.values[column * n + row] = found.value;
    error.add(found.relative_error);
  });
  matrix.relative_error = error.get();
  return matrix;
}

}  // namespace perslay::diagram
