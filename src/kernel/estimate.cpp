#include "pairwise.h"
#include "sliced_wasserstein.h"

#include <algorithm>
#include <utility>

#include <perslay/base/stopwatch.h>
#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>

namespace perslay::kernel {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;

/// The most diagrams of a sample. Sliced Wasserstein takes blocks of 64 and needs a larger sample.
constexpr std::size_t sample_diagrams = 32;
constexpr std::size_t sliced_sample_diagrams = 256;

/// The most points that a sample takes of a diagram.
constexpr std::size_t sample_points = 4096;

/// The time for which pairs run.
constexpr double sample_seconds = 0.05;

double number(std::size_t count) { return static_cast<double>(count); }

double seconds_of(const auto& run) {
  const base::Stopwatch watch;
  run();
  return watch.seconds();
}

/// At most `limit` diagrams of the batch, evenly spaced, and every k-th point of large ones.
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

/// The ratio of the whole batch to a part of it, in diagrams or in points, whichever is larger.
double ratio(const DiagramBatch& all, const DiagramBatch& some) {
  const double items = number(all.size()) / number(std::max<std::size_t>(some.size(), 1));
  return std::max(items,
                  number(all.points().size()) / number(std::max<std::size_t>(some.points().size(), 1)));
}

/// The seconds for `all` if a sample took `preparing` for its points and `comparing` for its work.
double extrapolate(const Load& sample, double preparing, double comparing, const Load& all) {
  return preparing * all.points / std::max(sample.points, 1.0) +
         comparing * all.work / std::max(sample.work, 1.0);
}

/// The seconds that all pairs of two prepared batches take. When the time is up, the mean of the pairs so far
/// stands for the rest.
double compare_all(const Pairwise& function, const Pairwise::Side& rows, const Pairwise::Side& columns) {
  const auto scratch = function.scratch();
  const base::Stopwatch watch;
  double seconds = 0;
  std::size_t done = 0;
  // In this order the first pairs already have all rows and all columns.
  for (std::size_t shift = 0; shift < columns.size(); ++shift)
    for (std::size_t i = 0; i < rows.size() && seconds < sample_seconds; ++i, ++done) {
      static_cast<void>(function.value(rows, i, columns, (i + shift) % columns.size(), *scratch));
      seconds = watch.seconds();
    }
  return done == 0 ? 0 : seconds * number(rows.size() * columns.size()) / number(done);
}

Estimate estimate_pairwise(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
                           const base::Context& context) {
  const bool same = &rows == &columns;
  const auto function = pairwise_of(kernel);
  const auto some_rows = some_of(rows, sample_diagrams), some_columns = some_of(columns, sample_diagrams);
  std::unique_ptr<Pairwise::Side> row_side, column_side;
  const double preparing = seconds_of([&] {
    row_side = function->prepare(some_rows, context);
    column_side = function->prepare(some_columns, context);
  });
  const double comparing = compare_all(*function, *row_side, *column_side);
  const double bytes = number(row_side->bytes()) * ratio(rows, some_rows) +
                       (same ? 0 : number(column_side->bytes()) * ratio(columns, some_columns));
  return {extrapolate(load_of(kernel, some_rows, some_columns), preparing, comparing,
                      load_of(kernel, rows, columns)),
          static_cast<std::size_t>(bytes)};
}

/// Times one direction twice: against one diagram, which is little more than sorting, and against all.
Estimate estimate_sliced(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns,
                         const base::Context& context) {
  const bool same = &rows == &columns;
  Kernel once = kernel;
  once.directions = 1;
  const auto some_rows = some_of(rows, sliced_sample_diagrams);
  const auto some_columns = same ? some_rows : some_of(columns, sliced_sample_diagrams);
  const auto seconds_with = [&](const DiagramBatch& others) {
    return seconds_of([&] { static_cast<void>(base_matrix(once, some_rows, others, context)); });
  };
  static_cast<void>(seconds_with(some_columns));  // what runs first finds memory and caches cold
  const auto sample = load_of(kernel, some_rows, some_columns);
  const double sorting = seconds_with(some_of(some_columns, 1)) * sample.points /
                         std::max(number(some_rows.points().size()), 1.0);
  const double sweeping = std::max(0.0, seconds_with(some_columns) - sorting);
  const double seconds = extrapolate(sample, sorting, sweeping, load_of(kernel, rows, columns));
  return {number(kernel.directions) * seconds, slice_bytes(rows) + (same ? 0 : slice_bytes(columns))};
}

}  // namespace

Load load_of(const Kernel& kernel, const DiagramBatch& rows, const DiagramBatch& columns) {
  const bool same = &rows == &columns;
  const auto mean = [](const DiagramBatch& batch) {
    return number(batch.points().size()) / number(std::max<std::size_t>(batch.size(), 1));
  };
  const bool quadratic = kernel.type != Kernel::Type::sliced_wasserstein && kernel.tolerance == 0;
  const double n = mean(rows), m = mean(columns);
  const double of_pair = quadratic ? n * m + 10 * (n + m) + 50 : n + m + 20;
  return {number(rows.points().size() + (same ? 0 : columns.points().size())),
          number(rows.size()) * number(columns.size()) * of_pair / (same ? 2 : 1)};
}

Estimate estimate(std::span<const Kernel> kernels, std::span<const DiagramGroup> rows,
                  std::span<const DiagramGroup> columns, const base::Context& context) {
  check_input(kernels, rows, columns);
  if (kernels.empty()) return {};
  base::Context quiet = context;
  quiet.progress = nullptr;
  quiet.threads = 1;
  Estimate sum;
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    Estimate one;
    with_title(rows[g], [&] {
      const bool sliced = kernels[g].type == Kernel::Type::sliced_wasserstein;
      one = (sliced ? estimate_sliced : estimate_pairwise)(kernels[g], rows[g].diagrams, columns[g].diagrams,
                                                           quiet);
    });
    sum.seconds += one.seconds;
    sum.bytes = std::max(sum.bytes, one.bytes);
  }
  sum.seconds /= base::worker_count(context);
  sum.bytes += rows[0].diagrams.size() * columns[0].diagrams.size() * sizeof(double);
  return sum;
}

}  // namespace perslay::kernel
