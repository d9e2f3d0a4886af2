#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <perslay/report/chart.h>

namespace perslay::report {

/// What stands at a place of an axis.
struct Tick {
  double place = 0;
  std::string name;  ///< Perhaps shortened, perhaps nothing.
  std::string full;
};

/// The places of an axis of so many pixels: round numbers with the digits that tell them apart, or names,
/// each shortened to `widest` pixels; of many names every second, third, ... such that each has a line of its
/// own.
[[nodiscard]] std::vector<Tick> ticks_of(const Axis& axis, double length, double widest);

/// Pixels that a text takes in a chart; rather too many, as fonts differ.
[[nodiscard]] double text_width(std::string_view text);

/// The text itself if it fits, otherwise its beginning and "…".
[[nodiscard]] std::string shortened(std::string_view text, double width);

/// The greatest width of a name.
[[nodiscard]] double widest_name(const std::vector<Tick>& ticks);

}  // namespace perslay::report
