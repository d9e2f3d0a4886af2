#pragma once

#include "coordinates.h"
#include "start.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perslay/base/registry.h>
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

/// An option `key=value` of a name.
struct PhiOption {
  void (*read)(base::Arguments&, PointTransform&);
  std::string (*write)(const PointTransform&);  ///< ":key=value", or nothing for the default.
};

/// A type of φ. The only thing that stands elsewhere is its element, at the end of elements-inl.h.
struct PhiEntry {
  PointTransform::Type type;
  std::string_view head;  ///< What its names begin with.
  base::NameHelp help;    ///< Empty if another type's reader makes this one.
  std::function<void(base::Arguments&, PointTransform&)> read_size;
  Coordinates coordinates;           ///< In which the element reads a point.
  std::vector<PhiArray> arrays;      ///< The element's theta is what a feature reads of them, in their order.
  std::vector<PhiOption> options{};  ///< In the order in which names are written.
};

/// Reads the number of `things` of a name such as gaussian:50.
[[nodiscard]] std::function<void(base::Arguments&, PointTransform&)> sized(std::string_view things);

/// All types of φ but mixtures, in the order of the help text.
[[nodiscard]] std::span<const PhiEntry> point_transform_table();

[[nodiscard]] const PhiEntry& entry_of(PointTransform::Type type);

/// Those in which it reads points: the entry's, unless an option says otherwise.
[[nodiscard]] Coordinates coordinates_of(const PointTransform& phi);

}  // namespace perslay::layer
