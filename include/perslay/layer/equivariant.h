#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/layer/parameters.h>

namespace perslay::layer {

/// What a permutation-equivariant layer takes from the whole diagram.
enum class Pool { none, max, min, sum, mean };

[[nodiscard]] Pool parse_pool(std::string_view name);
[[nodiscard]] std::string_view pool_name(Pool pool);

/// A permutation-equivariant layer (Zaheer et al. 2017): the features x of a point become
/// x lambda - pool(x) gamma + bias, where pool is taken over the points of the diagram, feature by feature.
struct Equivariant {
  std::size_t size = 0;  ///< Features that come out.
  Pool pool = Pool::max;

  /// `lambda` [input, size], `gamma` [input, size] unless pool is none, `bias` [size].
  [[nodiscard]] std::vector<ParameterShape> parameters(std::size_t input) const;

  /// "25:max"
  [[nodiscard]] std::string name() const;

  friend bool operator==(const Equivariant&, const Equivariant&) = default;
};

/// The layer behind a name: `25:mean` has 25 features and the pool `mean`; `25` alone has the maximum.
[[nodiscard]] Equivariant parse_equivariant(std::string_view name);

}  // namespace perslay::layer
