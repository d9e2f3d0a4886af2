#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perslay::report {

/// One direction of a chart.
struct Axis {
  std::string title;
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  /// Names of the places 0, 1, ...; without names, the axis shows numbers.
  std::vector<std::string> names{};
  bool whole = false;  ///< Mark whole numbers only.
};

/// Larger magnitudes are not shown, so that differences and quotients stay finite.
inline constexpr double largest_shown = 1e250;
[[nodiscard]] bool can_be_shown(double value);

/// An axis for `values`, with a little space on both sides. Its bounds are finite and differ, even if the
/// values are all equal or differ by rounding alone. Values that cannot be shown are ignored.
[[nodiscard]] Axis axis_around(std::string title, std::span<const double> values, bool logarithmic = false);

struct Position {
  double x = 0;
  double y = 0;
};

/// A mean and the extremes.
struct Spread {
  double mean = 0, low = 0, high = 0;
};

/// Sizes in pixels, for ticks of usual length; a chart with long names at its axes is larger.
struct ChartSize {
  double width = 640;
  double height = 320;
};

/// Numbers as a picture, in SVG. Positions are in the axes' units; dots without a place on them are left out,
/// and lines are interrupted there. A style is a class of the style sheet
/// (`src/report/chart.css`): a kind of diagrams such as "ext1", or "a", "b", ... for colours that tell series
/// apart. A page shows a tip when the reader points at its mark. Texts may hold anything.
class Chart {
 public:
  Chart(std::string title, Axis x, Axis y, ChartSize size = {});

  /// The opacity goes from 0, invisible, to 1; without one the style decides.
  void dot(Position at, std::string_view style, std::string_view tip = {}, double radius = 3,
           std::optional<double> opacity = {});
  void line(std::span<const Position> points, std::string_view style);
  /// The area between two curves over the same x.
  void band(std::span<const Position> low, std::span<const Position> high, std::string_view style);
  /// Means as a line with small dots within the band of the extremes; `tip` is called for each.
  void spreads(std::span<const double> x, std::span<const Spread> values, std::string_view style,
               const std::function<std::string(std::size_t)>& tip);
  /// A rectangle between two corners. `strength`, from -1 to 1, is the strength of its colour; negative
  /// values have another colour.
  void cell(Position from, Position to, double strength, std::string_view tip);
  /// A bar between two corners.
  void bar(Position from, Position to, std::string_view style, std::string_view tip);
  /// A horizontal line across the chart, with its name at the right end.
  void level(double y, std::string_view style, std::string_view name);
  void diagonal();
  void text(Position at, std::string_view content, std::string_view style = "note");
  void edge(Position from, Position to, std::string_view style);
  void arrow(Position from, Position to);
  /// Adds an entry to the legend above.
  void legend(std::string_view style, std::string_view name);
  /// An empty group with a number, into which the page's script draws diagrams, "points" or "intervals".
  void slot(std::size_t number, std::string_view drawn_as);

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  [[nodiscard]] const ChartSize& size() const noexcept { return size_; }

  /// The chart as part of a page, which has the style sheet.
  [[nodiscard]] std::string svg() const;

 private:
  [[nodiscard]] bool has_place(Position at) const;
  [[nodiscard]] double across(double x) const;
  [[nodiscard]] double down(double y) const;
  void add_segment(Position from, Position to, std::string_view style);
  void add_rectangle(Position from, Position to, std::string_view style, std::string_view attributes);

  std::string title_;
  Axis x_;
  Axis y_;
  double left_;   ///< The frame's left, in pixels.
  double width_;  ///< The frame's width, in pixels.
  double height_;
  ChartSize size_;
  std::string ticks_;
  std::string marks_;
  std::string legend_;
  double legend_width_ = 0;
};

/// Charts as one SVG file, row by row, each below its title.
[[nodiscard]] std::string svg_file(std::span<const Chart> charts, std::size_t columns);

/// The charts as part of a page, side by side as far as they fit.
[[nodiscard]] std::string figure(std::span<const Chart> charts, std::string_view caption);

}  // namespace perslay::report
