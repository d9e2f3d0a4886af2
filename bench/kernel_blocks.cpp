// What the blocks of kernels cost: bench_kernel_blocks DATASET [BLOCK...]
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/features/item_features.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/learn/kernel_blocks.h>

namespace {

using namespace perslay;

/// Processor time of this process, which other work on the machine disturbs less than the time on the wall.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Distances of all pairs, some rows at a time, so that memory does not limit the number of graphs.
double mean_distance(const learn::BlockPoints& points) {
  const std::size_t n = points.count();
  const learn::BlockDistances distances(points);
  std::vector<double> tile;
  double sum = 0;
  for (std::size_t first = 0; first < n; first += 128) {
    const std::size_t count = std::min<std::size_t>(128, n - first);
    tile.resize(count * (first + count));
    distances(points, {first, count, first + count}, tile);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < first + i; ++j) sum += 2 * tile[i * (first + count) + j];
  }
  return sum / static_cast<double>(n * (n - 1));
}

bool reads_labels(const learn::KernelBlock& block) {
  for (const auto& feature : features::parse_item_features(block.features))
    if (feature.reads_labels()) return true;
  return false;
}

void run(const data::GraphDataset& dataset, const learn::KernelBlock& block) {
  base::Context context;
  context.threads = 1;
  double start = seconds();
  const auto items = features::make_items(dataset, learn::load_request({&block, 1}), context);
  const double computing = seconds() - start;
  std::vector<std::size_t> rows(items.count());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  start = seconds();
  const auto points = learn::FittedBlock::fit(block, items, rows, context)(items, rows, context);
  const double fitting = seconds() - start;
  start = seconds();
  const double mean = mean_distance(points);
  const double comparing = seconds() - start;
  std::size_t keys = 0;
  for (const auto& keyed : points.keyed) keys += keyed.keys.size();
  fmt::print(
      "{:3} features {:8.2f} s  fit {:6.2f} s  distances {:7.2f} s  {:5} columns {:9} keys  mean {:.4g}\n",
      block.name, computing, fitting, comparing, points.dense.columns, keys, mean);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "Usage: {} DATASET [BLOCK...]\n", argv[0]);
    return 2;
  }
  try {
    const auto dataset = io::read_graph_dataset(argv[1]);
    std::vector<std::string> names(argv + 2, argv + argc);
    if (names.empty())
      for (const auto& help : learn::kernel_blocks().help())
        if (!help.usage.starts_with('A')) names.push_back(help.usage);  // those are of point clouds
    for (const auto& name : names) {
      const auto block = learn::kernel_blocks().make(name);
      if (!reads_labels(block) || !dataset.node_labels.empty()) run(dataset, block);
    }
  } catch (const base::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.fault() == base::Fault::user ? 2 : 1;
  }
}
