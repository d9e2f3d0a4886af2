#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <perslay/base/registry.h>

namespace perslay::layer {

/// The permutation-invariant operation `op` of equation (3), applied to every feature of a diagram. Missing
/// places (an empty diagram, a k-th largest of fewer than k points) give 0, with gradient 0. Ties go to the
/// first point.
struct Operation {
  enum class Type { sum, mean, max, min, kth, topk };

  Type type = Type::sum;
  std::size_t k = 1;  ///< `kth`, `topk`.

  /// Numbers per feature: k for `topk`, otherwise 1.
  [[nodiscard]] std::size_t width() const noexcept { return type == Type::topk ? k : 1; }

  /// Whether it picks points rather than adding them up.
  [[nodiscard]] bool selects() const noexcept { return type != Type::sum && type != Type::mean; }

  [[nodiscard]] std::string name() const;

  friend bool operator==(const Operation&, const Operation&) = default;
};

/// `sum`, `mean`, `max`, `min`, `kth:3`, `topk:5`; also the paper's `top-5`.
[[nodiscard]] Operation parse_operation(std::string_view name);

[[nodiscard]] std::span<const base::NameHelp> operation_help();

}  // namespace perslay::layer
