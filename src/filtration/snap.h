#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perslay::filtration {

/// Gives values that agree up to rounding the same value: in sorted order, runs with consecutive gaps below
/// 1e-11 get their smallest value. O(n log n). Holds buffers: reuse it.
class Snap {
 public:
  void operator()(std::span<double> values);

 private:
  void sort(std::span<const double> values);
  void sort_by_counting(std::span<const double> values);

  std::vector<std::pair<double, std::int32_t>> sorted_;  // value and place
  std::vector<std::int32_t> ranks_;
};

}  // namespace perslay::filtration
