#include "estimate.h"

#include "pairwise.h"
#include "sliced_wasserstein.h"

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

/// A sample that takes so long is large enough.
constexpr double sample_seconds = 0.05;

/// Of larger diagrams, so many points are taken.
constexpr std::size_t sample_points = 4096;

/// The memory of all diagrams is judged by that of so many.
constexpr std::size_t sample_diagrams = 16;

double number(std::size_t count) { return static_cast<double>(count); }

/// At most `limit` diagrams, evenly spaced; of large ones every k-th point.
DiagramBatch some_of(const DiagramBatch& batch, std::size_t limit) {
  std::vector<diagram::Point> points;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t item : spread_items(batch.size(), limit)) {
    for (const std::size_t p : spread_items(batch[item].size(), sample_points))
      points.push_back(batch[item][p]);
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets)};
}

/// What the time of all pairs is proportional to: operations on a pair of points, or on a point, and a few
/// for each pair. It is linear in the points of either side, so that their mean number will do.
double work(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns) {
  const auto mean = [](const DiagramBatch& batch) {
    return number(batch.points().size()) / number(std::max<std::size_t>(batch.size(), 1));
  };
  const bool quadratic = kernel.kind != Kernel::Kind::sliced_wasserstein &&
                         kernel.approximation.kind == Approximation::Kind::none;
  const double n = mean(rows), m = mean(columns);
  return number(rows.size()) * number(columns.size()) * (quadratic ? n * m + 10 * (n + m) + 50 : n + m + 20);
}

/// `rows` and `columns` may be the same object.
Timing untimed(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns) {
  const std::size_t points = rows.points().size() + (&rows == &columns ? 0 : columns.points().size());
  return {number(points), work(kernel, rows, columns), 0};
}

Timing timed(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
             const base::Context& context) {
  Timing timing = untimed(kernel, rows, columns);
  const auto begin = Clock::now();
  static_cast<void>(base_matrix(kernel, rows, columns, context));
  timing.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return timing;
}

/// Samples of growing size, until one takes long enough to be trusted together with another of half its
/// size. That one is timed last, since what runs first finds memory and caches cold. Of the directions of
/// sliced Wasserstein, all alike, one is timed, on samples that fill blocks of 64 diagrams.
double estimate_seconds(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
                        const base::Context& context) {
  const bool sliced = kernel.kind == Kernel::Kind::sliced_wasserstein;
  Kernel once = kernel;
  once.directions = 1;
  const double times = sliced ? number(kernel.directions) : 1;
  const auto sample = [&](std::size_t size) {
    const auto some_rows = some_of(rows, size);
    if (&rows == &columns) return timed(once, some_rows, some_rows, context);
    return timed(once, some_rows, some_of(columns, size), context);
  };
  const auto all = untimed(kernel, rows, columns);
  for (std::size_t size = sliced ? 128 : 4;; size *= 2) {
    const auto large = sample(size);
    const bool all_items = size >= std::max(rows.size(), columns.size());
    if (all_items && large.points == all.points) return times * large.seconds;
    if (all_items || large.seconds >= sample_seconds)
      return times * extrapolate(sample(size / 2), large, all);
  }
}

/// What a batch takes when it is prepared.
double estimate_bytes(const Kernel& kernel, const DiagramBatch& batch, const base::Context& context) {
  if (kernel.kind == Kernel::Kind::sliced_wasserstein) return number(slice_bytes(batch));
  if (batch.size() == 0) return 0;
  const auto some = some_of(batch, sample_diagrams);
  const auto function = kernel.kind == Kernel::Kind::fisher ? fisher_distance_of(kernel)
                                                            : inner_product_of(kernel, context.seed);
  const double items = number(batch.size()) / number(some.size());
  const double points =
      number(batch.points().size()) / number(std::max<std::size_t>(some.points().size(), 1));
  return number(function->prepare(some, context)->bytes()) * std::max(items, points);
}

}  // namespace

double extrapolate(const Timing& small, const Timing& large, const Timing& all) {
  const double most = large.seconds / std::max(large.work, 1.0);
  const double determinant = large.work * small.points - small.work * large.points;
  if (determinant <= 0) return most * all.work;
  const double per_work =
      std::clamp((large.seconds * small.points - small.seconds * large.points) / determinant, 0.0, most);
  const double per_point = (large.seconds - per_work * large.work) / large.points;
  return per_point * all.points + per_work * all.work;
}

Estimate estimate(std::span<const Kernel> kernels, std::span<const DiagramGroup> groups,
                  const base::Context& context) {
  return estimate(kernels, groups, groups, context);
}

Estimate estimate(std::span<const Kernel> kernels, std::span<const DiagramGroup> rows,
                  std::span<const DiagramGroup> columns, const base::Context& context) {
  check_input(kernels, rows, columns);
  if (kernels.empty()) return {};
  base::Context quiet = context;
  quiet.progress = nullptr;
  quiet.threads = 1;
  const bool same = rows.data() == columns.data();
  double seconds = 0, most_bytes = 0;
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    const auto &a = rows[g].diagrams, &b = columns[g].diagrams;
    seconds += estimate_seconds(kernels[g], a, b, quiet);
    most_bytes = std::max(
        most_bytes, estimate_bytes(kernels[g], a, quiet) + (same ? 0 : estimate_bytes(kernels[g], b, quiet)));
  }
  const double matrix = number(rows[0].diagrams.size()) * number(columns[0].diagrams.size()) * sizeof(double);
  return {seconds / base::worker_count(context), static_cast<std::size_t>(most_bytes + matrix)};
}

}  // namespace perslay::kernel
