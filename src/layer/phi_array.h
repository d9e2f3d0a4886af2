#pragma once

#include "start.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <perslay/layer/point_transform.h>

namespace perslay::layer {

/// A trainable array of a φ: its shape, its first values, and the numbers of it that one feature reads.
struct PhiArray {
  enum class Layout {
    single,              ///< [1], read by all features.
    each,                ///< [count], a number for each feature.
    pairs,               ///< [count, 2], two numbers for each feature.
    width,               ///< [count] or, with a shared width, [1]; read twice, for both coordinates.
    along_births,        ///< [count], the axes of a grid, ...
    along_persistences,  ///< ... [rows]
  };

  std::string_view name;
  Layout layout;
  std::vector<double> (*first_values)(const PointTransform&, const Start&);

  [[nodiscard]] std::vector<std::int64_t> shape(const PointTransform& phi) const;

  /// How many numbers a feature reads, and the place of the i-th of them.
  [[nodiscard]] std::size_t reads() const noexcept;
  [[nodiscard]] std::size_t place(const PointTransform& phi, std::size_t feature,
                                  std::size_t i) const noexcept;

  static const PhiArray samples, steepness;
  static const PhiArray centres, width, width_per_axis, slope, exponent, radius;
  static const PhiArray births, persistences;
  static const PhiArray directions, bias;
};

}  // namespace perslay::layer
