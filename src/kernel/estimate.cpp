#include <algorithm>
#include <chrono>
#include <vector>

#include <perslay/base/parallel.h>
#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>

namespace perslay::kernel {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using Clock = std::chrono::steady_clock;

constexpr double sample_seconds = 0.02;
constexpr std::size_t sample_points = 4096;

/// Some diagrams; of large ones every k-th point.
DiagramBatch some_of(const DiagramBatch& batch, std::span<const std::size_t> items) {
  std::vector<diagram::Point> points;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t item : items) {
    for (const std::size_t p : spread_items(batch[item].size(), sample_points))
      points.push_back(batch[item][p]);
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets)};
}

/// What the time of a pair is proportional to, up to a constant: operations on a pair of points, or on a
/// point, and a few for each pair.
double work(const Kernel& kernel, double points_i, double points_j) {
  const bool quadratic = kernel.kind != Kernel::Kind::sliced_wasserstein &&
                         kernel.approximation.kind == Approximation::Kind::none;
  return quadratic ? points_i * points_j + 10 * (points_i + points_j) + 50 : points_i + points_j + 20;
}

double work(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns) {
  const auto mean = [](const DiagramBatch& batch) {
    return static_cast<double>(batch.points().size()) /
           static_cast<double>(std::max<std::size_t>(batch.size(), 1));
  };
  // It is linear in the points of either side.
  return static_cast<double>(rows.size()) * static_cast<double>(columns.size()) *
         work(kernel, mean(rows), mean(columns));
}

double seconds_on_sample(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
                         bool same, const base::Context& context) {
  const auto begin = Clock::now();
  if (same)
    static_cast<void>(base_matrix(kernel, rows, context));
  else
    static_cast<void>(base_matrix(kernel, rows, columns, context));
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Samples of growing size, until one takes long enough to be trusted.
double estimate_seconds(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
                        const base::Context& context) {
  base::Context quiet = context;
  quiet.progress = nullptr;
  quiet.threads = 1;
  const bool same = &rows == &columns;
  for (std::size_t size = 2;; size *= 2) {
    const auto sample_rows = some_of(rows, spread_items(rows.size(), size));
    const auto sample_columns = some_of(columns, spread_items(columns.size(), size));
    const double seconds = seconds_on_sample(kernel, sample_rows, sample_columns, same, quiet);
    const bool complete = size >= rows.size() && size >= columns.size();
    if (seconds < sample_seconds && !complete) continue;
    const double share =
        work(kernel, rows, columns) / std::max(work(kernel, sample_rows, sample_columns), 1.0);
    return seconds * share / base::worker_count(context);
  }
}

std::size_t bytes_of(const Kernel& kernel, std::size_t points, std::size_t diagrams) {
  constexpr std::size_t number = sizeof(double);
  switch (kernel.approximation.kind) {
    case Approximation::Kind::fourier:
      return diagrams * (kernel.approximation.features + 1) * number;
    case Approximation::Kind::grid:
      return diagrams * 64 * 64 * number + points * 32 * number;
    case Approximation::Kind::none:
      break;
  }
  // Events of one direction, or coordinates, weights and sums.
  return kernel.kind == Kernel::Kind::sliced_wasserstein ? points * 2 * 24 : points * 7 * number;
}

}  // namespace

Estimate estimate(std::span<const Kernel> kernels, std::span<const DiagramGroup> groups,
                  const base::Context& context) {
  return estimate(kernels, groups, groups, context);
}

Estimate estimate(std::span<const Kernel> kernels, std::span<const DiagramGroup> rows,
                  std::span<const DiagramGroup> columns, const base::Context& context) {
  check_input(kernels, rows, columns);
  Estimate all;
  if (kernels.empty()) return all;
  const bool same = rows.data() == columns.data();
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    const auto &a = rows[g].diagrams, &b = columns[g].diagrams;
    all.seconds += estimate_seconds(kernels[g], a, b, context);
    const std::size_t bytes = bytes_of(kernels[g], a.points().size(), a.size()) +
                              (same ? 0 : bytes_of(kernels[g], b.points().size(), b.size()));
    all.bytes = std::max(all.bytes, bytes);
  }
  all.bytes += rows[0].diagrams.size() * columns[0].diagrams.size() * sizeof(double);
  return all;
}

}  // namespace perslay::kernel
