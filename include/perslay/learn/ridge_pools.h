#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/features/kernel_blocks.h>

namespace perslay::learn {

/// The kernels among which `model = "ridge:POOL"` chooses: each is made of some blocks of features.
struct RidgePool {
  std::string name;
  std::string help;
  std::vector<std::vector<std::string>> kernels;  ///< Names of features::kernel_blocks().
};

/// `diagrams-only`, `no-topology`, `unlabelled` (both and their unions), `labelled` (the same and node
/// labels), `labelled-no-topology`; `orbits` of point clouds.
[[nodiscard]] std::span<const RidgePool> ridge_pools();

/// An unknown one is the user's error.
[[nodiscard]] const RidgePool& ridge_pool(std::string_view name);

/// The blocks of a pool, each once.
[[nodiscard]] std::vector<features::KernelBlock> blocks_of(const RidgePool& pool);

}  // namespace perslay::learn
