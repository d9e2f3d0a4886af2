#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <perslay/report/chart.h>

namespace perslay::report {

/// A tick of an axis and its name.
struct Tick {
  double place = 0;
  std::string name;  ///< May be shortened or empty.
  std::string full;
};

/// The ticks of an axis of a given length in pixels: round numbers with the digits that tell them apart, or
/// names, each shortened to `widest` pixels. Of many names every second, third, ... is shown, so that each has
/// a line of its own.
[[nodiscard]] std::vector<Tick> ticks_of(const Axis& axis, double length, double widest);

/// The width of a text in a chart, in pixels; rather too large, because fonts differ.
[[nodiscard]] double text_width(std::string_view text);

/// The text if it fits, otherwise its beginning and "…".
[[nodiscard]] std::string shortened(std::string_view text, double width);

/// The greatest width of a name.
[[nodiscard]] double widest_name(const std::vector<Tick>& ticks);

}  // namespace perslay::report
