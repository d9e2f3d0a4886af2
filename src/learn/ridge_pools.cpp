#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/features/inputs.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {
namespace {

using Kernels = std::vector<std::vector<std::string>>;

Kernels joined(Kernels kernels, const Kernels& more) {
  kernels.insert(kernels.end(), more.begin(), more.end());
  return kernels;
}

std::vector<RidgePool> make_pools() {
  const Kernels plain{{"G"}, {"R"}, {"W"}, {"G", "S", "R", "W"}};
  const Kernels diagrams{{"P"}, {"F"}, {"P", "F"}};
  const Kernels labels{{"WL"}, {"L", "RL", "WL"}};
  const Kernels unlabelled = joined(joined(plain, diagrams), {{"G", "S", "R", "P", "W"}});
  return {{"diagrams-only", "Extended persistence diagrams and nothing else.", nullptr, diagrams},
          {"unlabelled", "Graphs and their diagrams.", &features::graph_kind(), unlabelled},
          {"no-topology", "The same without diagrams.", nullptr, plain},
          {"labelled", "Graphs, their diagrams and their node labels.", nullptr,
           joined(joined(unlabelled, labels), {{"L", "RL", "WL", "PL"}, {"L", "RL", "WL", "F"}})},
          {"labelled-no-topology", "The same without diagrams.", nullptr, joined(plain, labels)},
          {"orbits",
           "Alpha diagrams of point clouds in the unit square.",
           &features::cloud_kind(),
           {{"AQ"}, {"A0", "AQ"}, {"AT", "AL", "AQ"}, {"A0", "AT", "AL", "AQ"}}}};
}

}  // namespace

std::span<const RidgePool> ridge_pools() {
  static const auto pools = make_pools();
  return pools;
}

const RidgePool& ridge_pool(std::string_view name) {
  const auto found = std::ranges::find(ridge_pools(), name, &RidgePool::name);
  if (found != ridge_pools().end()) return *found;
  std::vector<std::string> known;
  for (const auto& pool : ridge_pools()) known.push_back("ridge:" + pool.name);
  throw base::user_error(
      fmt::format("There is no pool of kernels called '{}'; there are {}.", name, fmt::join(known, ", ")));
}

std::vector<KernelBlock> blocks_of(const RidgePool& pool) {
  std::vector<KernelBlock> blocks;
  for (const auto& kernel : pool.kernels)
    for (const auto& name : kernel)
      if (std::ranges::find(blocks, name, &KernelBlock::name) == blocks.end())
        blocks.push_back(kernel_blocks().make(name));
  return blocks;
}

}  // namespace perslay::learn
