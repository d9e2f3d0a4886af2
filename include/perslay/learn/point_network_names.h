#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <perslay/layer/operation.h>

namespace perslay::learn {

/// How a point network turns the features of a diagram's points into one vector.
struct Pooling {
  std::vector<layer::Operation> operations;  ///< One after the other, each as in PersLay.
  std::size_t heads = 0;                     ///< Attention: so many weighted means with learned weights.
};

/// "sum", "sum+max", "topk:3+attention:4", ...
[[nodiscard]] Pooling parse_pooling(std::string_view name);

/// The numbers in "64x64"; `what` begins the sentence about a text that is none: "mlp needs ...".
[[nodiscard]] std::vector<std::size_t> parse_widths(std::string_view text, std::string_view what);

/// The widths in "mlp:64x64".
[[nodiscard]] std::vector<std::size_t> parse_point_network(std::string_view name);

}  // namespace perslay::learn
