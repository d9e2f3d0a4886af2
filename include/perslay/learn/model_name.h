#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <perslay/kernel/kernel.h>
#include <perslay/learn/ridge_pools.h>

namespace perslay::learn {

/// What settings.model asks for: `network`, `svm:KERNEL`, `ridge:POOL`, or `ridge:POOL+mlp`, which averages
/// the probabilities of kernel ridge and of a network.
struct ModelName {
  bool network = false;
  std::optional<kernel::Kernel> kernel{};  ///< Of support vectors.
  const RidgePool* pool = nullptr;         ///< Of kernel ridge.

  [[nodiscard]] bool combined() const noexcept { return network && pool != nullptr; }
};

/// A name that means nothing is the user's error.
[[nodiscard]] ModelName parse_model(std::string_view name);

/// The name with the pool in it, where `ridge` stands alone: of orbits for filtrations of point clouds, else
/// unlabelled.
[[nodiscard]] std::string with_pool(const std::string& name, bool clouds);

}  // namespace perslay::learn
