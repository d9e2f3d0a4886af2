#pragma once

#include <cstddef>
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
  /// Of the places 0, 1, ...; numbers are marked instead if there are none.
  std::vector<std::string> names{};
  bool whole = false;  ///< Only whole numbers are marked.
};

/// Numbers of a larger magnitude are not shown, so that differences and quotients stay finite.
inline constexpr double largest_shown = 1e250;
[[nodiscard]] bool can_be_shown(double value);

/// An axis that shows all of `values` that can be shown, with a little room on both sides. Its bounds are
/// finite and differ, also if values do not, or do by rounding alone.
[[nodiscard]] Axis axis_around(std::string title, std::span<const double> values, bool logarithmic = false);

struct Position {
  double x = 0;
  double y = 0;
};

/// In pixels, for ticks of usual length; a chart with long names at its axes is larger.
struct ChartSize {
  double width = 640;
  double height = 320;
};

/// Numbers as a picture, in SVG. Positions are in the axes' units; dots without a place on them are left out,
/// and lines are interrupted there. A style is a class of the style sheet
/// (`src/report/chart.css`): a kind of diagrams such as "ext1", or "a", "b", ... for colours that tell series
/// apart. A tip is what a page shows when one points at a mark; all texts may hold anything.
class Chart {
 public:
  Chart(std::string title, Axis x, Axis y, ChartSize size = {});

  void dot(Position at, std::string_view style, std::string_view tip = {}, double radius = 3);
  /// The same, more or less transparent: from 0, not to be seen, to 1.
  void faint_dot(Position at, std::string_view style, std::string_view tip, double radius, double opacity);
  void line(std::span<const Position> points, std::string_view style);
  /// Between two curves over the same x.
  void band(std::span<const Position> low, std::span<const Position> high, std::string_view style);
  /// A rectangle between two corners. `strength`, from -1 to 1, says how much of its colour it has; below
  /// zero it is another colour.
  void cell(Position from, Position to, double strength, std::string_view tip);
  /// A bar between two corners.
  void bar(Position from, Position to, std::string_view style, std::string_view tip);
  /// A horizontal line across, with its name at the right end.
  void level(double y, std::string_view style, std::string_view name);
  void diagonal();
  void text(Position at, std::string_view content, std::string_view style = "note");
  void edge(Position from, Position to, std::string_view style);
  /// Adds an entry to the legend above.
  void legend(std::string_view style, std::string_view name);
  /// An empty group that the page's script draws diagrams into; `number` tells which.
  void slot(std::size_t number);

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  [[nodiscard]] const ChartSize& size() const noexcept { return size_; }

  /// As part of a page, which has the style sheet.
  [[nodiscard]] std::string svg() const;

 private:
  [[nodiscard]] bool has_place(Position at) const;
  [[nodiscard]] double across(double x) const;
  [[nodiscard]] double down(double y) const;
  void add_tick_across(double place, const std::string& name, const std::string& full, bool upright);
  void add_tick_down(double place, const std::string& name, const std::string& full);

  std::string title_;
  Axis x_;
  Axis y_;
  double left_;   ///< Of the frame,
  double width_;  ///< in pixels.
  double height_;
  ChartSize size_;
  std::string ticks_;
  std::string marks_;
  std::string legend_;
  double legend_width_ = 0;
};

/// Charts as one SVG file, row by row, each under its title.
[[nodiscard]] std::string svg_file(std::span<const Chart> charts, std::size_t columns);

/// The charts as part of a page, side by side as far as there is room.
[[nodiscard]] std::string figure(std::span<const Chart> charts, std::string_view caption);

}  // namespace perslay::report
