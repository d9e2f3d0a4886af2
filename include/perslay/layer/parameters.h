#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perslay::layer {

/// One trainable array: its name, as models and settings spell it, and its shape (row-major).
struct ParameterShape {
  std::string name;
  std::vector<std::int64_t> shape;

  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    return count;
  }
  friend bool operator==(const ParameterShape&, const ParameterShape&) = default;
};

/// The arrays of a part, one for each of its parameter shapes, in their order.
template <class T>
using Arrays = std::span<const std::span<T>>;

}  // namespace perslay::layer
