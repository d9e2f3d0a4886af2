#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/learn/kernel_blocks.h>

namespace perslay::learn {

/// The kernels among which `model = "ridge:POOL"` chooses: each is made of some blocks of features.
struct RidgePool {
  std::string name;
  std::string help;
  /// The kind of input whose pool it is if none is named; or null.
  const features::InputKind* default_of = nullptr;
  std::vector<std::vector<std::string>> kernels;  ///< Names of kernel_blocks().
};

/// All pools. A new one is a new entry.
[[nodiscard]] std::span<const RidgePool> ridge_pools();

/// An unknown one is the user's error.
[[nodiscard]] const RidgePool& ridge_pool(std::string_view name);

/// The blocks of a pool, each once.
[[nodiscard]] std::vector<KernelBlock> blocks_of(const RidgePool& pool);

}  // namespace perslay::learn
