#include "assets.h"
#include "ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <perslay/report/chart.h>
#include <perslay/report/html.h>

namespace perslay::report {
namespace {

/// Margins of charts whose ticks are short; longer ones make the chart larger.
constexpr double usual_left = 58, usual_right = 14, top = 28, usual_bottom = 44;
constexpr double widest_y_name = 150, widest_x_name = 130;

/// The place of a value between the bounds, from 0 to 1.
double share(const Axis& axis, double value) {
  if (axis.logarithmic)
    return (std::log(value) - std::log(axis.low)) / (std::log(axis.high) - std::log(axis.low));
  return (value - axis.low) / (axis.high - axis.low);
}

/// The name of a tick; a shortened name has the whole one as its tip.
std::string tick_text(std::string_view anchor, const std::string& where, const std::string& name,
                      const std::string& full) {
  if (name.empty()) return "\n";
  const bool whole = name == full;
  return fmt::format("<text class=\"number {}{}\" {}>{}{}</text>\n", anchor, whole ? "" : " shortened", where,
                     whole ? "" : fmt::format("<title>{}</title>", escaped(full)), escaped(name));
}

std::string tip_attribute(std::string_view tip) {
  return tip.empty() ? "" : fmt::format(" data-tip=\"{}\"", escaped(tip));
}

}  // namespace

bool can_be_shown(double value) { return std::abs(value) <= largest_shown; }

Axis axis_around(std::string title, std::span<const double> values, bool logarithmic) {
  Axis axis{std::move(title),
            std::numeric_limits<double>::infinity(),
            -std::numeric_limits<double>::infinity(),
            logarithmic,
            {}};
  for (const double value : values) {
    if (!can_be_shown(value) || (logarithmic && value < 1 / largest_shown)) continue;
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  }
  if (axis.low > axis.high) return {axis.title, logarithmic ? 0.1 : 0.0, 1, logarithmic, {}};
  // Values that differ by rounding alone count as equal.
  const bool one = axis.high - axis.low <=
                   std::max(1e-12 * std::max(std::abs(axis.low), std::abs(axis.high)), 1 / largest_shown);
  if (logarithmic) {
    const double room = one ? 2 : std::exp(0.04 * (std::log(axis.high) - std::log(axis.low)));
    axis.low /= room;
    axis.high *= room;
    return axis;
  }
  const double room = one ? std::max(0.5 * std::abs(axis.low), 1e-3) : 0.04 * (axis.high - axis.low);
  axis.low -= room;
  axis.high += room;
  return axis;
}

Chart::Chart(std::string title, Axis x, Axis y, ChartSize size)
    : title_(std::move(title)),
      x_(std::move(x)),
      y_(std::move(y)),
      left_(usual_left),
      width_(size.width - usual_left - usual_right),
      height_(size.height - top - usual_bottom) {
  auto across_ticks = ticks_of(x_, width_, widest_x_name);
  const auto down_ticks = ticks_of(y_, height_, widest_y_name);
  left_ = std::max(usual_left, widest_name(down_ticks) + (y_.title.empty() ? 12 : 28));
  // Names that do not fit side by side are turned upright; numbers that do not fit are left out.
  const double widest = widest_name(across_ticks);
  const bool upright = !x_.names.empty() && widest + 6 > width_ * (share(x_, 1) - share(x_, 0));
  const double bottom = upright ? widest + (x_.title.empty() ? 18 : 36) : usual_bottom;
  double right = usual_right;
  double end = -usual_left;  // of the last name, from the frame's left side
  for (auto& tick : across_ticks) {
    const double half = text_width(tick.name) / 2;
    const double middle = width_ * share(x_, tick.place);
    if (!upright && middle - half < end + 4) {
      tick.name.clear();
      continue;
    }
    if (upright) continue;
    end = middle + half;
    right = std::max(right, end - width_ + 2);
  }
  size_ = {left_ + width_ + right, top + height_ + bottom};
  for (const auto& tick : across_ticks) add_tick_across(tick.place, tick.name, tick.full, upright);
  for (const auto& tick : down_ticks) add_tick_down(tick.place, tick.name, tick.full);
}

bool Chart::has_place(Position at) const {
  return can_be_shown(at.x) && can_be_shown(at.y) && std::isfinite(share(x_, at.x)) &&
         std::isfinite(share(y_, at.y));
}

double Chart::across(double x) const { return left_ + share(x_, x) * width_; }

double Chart::down(double y) const { return top + height_ * (1 - share(y_, y)); }

void Chart::dot(Position at, std::string_view style, std::string_view tip, double radius) {
  if (!has_place(at)) return;
  marks_ += fmt::format("<circle class=\"dot {}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"{}/>\n", style,
                        across(at.x), down(at.y), radius, tip_attribute(tip));
}

void Chart::faint_dot(Position at, std::string_view style, std::string_view tip, double radius,
                      double opacity) {
  if (!has_place(at)) return;
  marks_ += fmt::format(
      "<circle class=\"dot {}\" style=\"fill-opacity: {:.2f}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"{}/>\n",
      style, opacity, across(at.x), down(at.y), radius, tip_attribute(tip));
}

void Chart::edge(Position from, Position to, std::string_view style) {
  marks_ += fmt::format("<line class=\"edge {}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n",
                        style, across(from.x), down(from.y), across(to.x), down(to.y));
}

void Chart::line(std::span<const Position> points, std::string_view style) {
  std::string path;
  bool drawing = false;
  for (const auto& point : points) {
    const bool shown = has_place(point);
    if (shown) path += fmt::format("{}{:.2f} {:.2f}", drawing ? "L" : "M", across(point.x), down(point.y));
    drawing = shown;
  }
  marks_ += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", style, path);
}

void Chart::band(std::span<const Position> low, std::span<const Position> high, std::string_view style) {
  std::string path;
  const auto add = [&](const Position& point) {
    if (!has_place(point)) return;
    path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", across(point.x), down(point.y));
  };
  for (const auto& point : low) add(point);
  for (std::size_t i = high.size(); i-- > 0;) add(high[i]);
  if (!path.empty()) marks_ += fmt::format("<path class=\"band {}\" d=\"{}Z\"/>\n", style, path);
}

void Chart::cell(Position from, Position to, double strength, std::string_view tip) {
  marks_ += fmt::format(
      "<rect class=\"cell {}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" "
      "fill-opacity=\"{:.3f}\"{}/>\n",
      strength < 0 ? "below" : "above", across(from.x), down(to.y), across(to.x) - across(from.x),
      down(from.y) - down(to.y), std::abs(strength), tip_attribute(tip));
}

void Chart::bar(Position from, Position to, std::string_view style, std::string_view tip) {
  marks_ +=
      fmt::format("<rect class=\"bar {}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"{}/>\n",
                  style, across(from.x), down(to.y), across(to.x) - across(from.x), down(from.y) - down(to.y),
                  tip_attribute(tip));
}

void Chart::level(double y, std::string_view style, std::string_view name) {
  marks_ += fmt::format(
      "<line class=\"level {}\" x1=\"{:.2f}\" x2=\"{:.2f}\" y1=\"{:.2f}\" y2=\"{:.2f}\" data-tip=\"{}\"/>\n",
      style, left_, left_ + width_, down(y), down(y), escaped(name));
}

void Chart::diagonal() {
  const double low = std::max(x_.low, y_.low);
  const double high = std::min(x_.high, y_.high);
  marks_ +=
      fmt::format("<line class=\"diagonal\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n",
                  across(low), down(low), across(high), down(high));
}

void Chart::text(Position at, std::string_view content, std::string_view style) {
  marks_ += fmt::format("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", style, across(at.x),
                        down(at.y), escaped(content));
}

void Chart::legend(std::string_view style, std::string_view name) {
  const double x = left_ + legend_width_;
  legend_ += fmt::format(
      "<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"14\" r=\"4\"/><text class=\"legend\" x=\"{:.1f}\" "
      "y=\"18\">{}</text>\n",
      style, x + 4, x + 12, escaped(name));
  legend_width_ += 26 + text_width(name);
}

void Chart::slot(std::size_t number) {
  marks_ += fmt::format("<g class=\"slot\" data-chart=\"{}\" data-frame=\"{} {} {} {} {} {} {} {}\"></g>\n",
                        number, left_, top + height_, width_, height_, width_ / (x_.high - x_.low),
                        height_ / (y_.high - y_.low), x_.low, y_.low);
}

void Chart::add_tick_across(double place, const std::string& name, const std::string& full, bool upright) {
  const double x = across(place);
  const double y = top + height_;
  ticks_ += fmt::format("<line class=\"tick\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>",
                        x, y, y + 5);
  ticks_ +=
      upright
          ? tick_text("end", fmt::format("transform=\"translate({:.2f} {:.1f}) rotate(-90)\"", x + 4, y + 8),
                      name, full)
          : tick_text("middle", fmt::format("x=\"{:.2f}\" y=\"{:.1f}\"", x, y + 18), name, full);
}

void Chart::add_tick_down(double place, const std::string& name, const std::string& full) {
  const double y = down(place);
  if (y_.names.empty())
    ticks_ +=
        fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\"/>",
                    left_, left_ + width_, y);
  ticks_ += tick_text("end", fmt::format("x=\"{:.1f}\" y=\"{:.2f}\"", left_ - 6, y + 4), name, full);
}

std::string Chart::svg() const {
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\" tabindex=\"0\" "
      "preserveAspectRatio=\"xMidYMid meet\">\n"
      "{3}<rect class=\"frame\" x=\"{4}\" y=\"{5}\" width=\"{6}\" height=\"{7}\"/>\n{8}{9}"
      "<text class=\"axis middle\" x=\"{10:.1f}\" y=\"{11:.1f}\">{12}</text>\n"
      "<text class=\"axis middle\" transform=\"translate(14 {13:.1f}) rotate(-90)\">{14}</text>\n</svg>\n",
      size_.width, size_.height, escaped(title_), ticks_, left_, top, width_, height_, marks_, legend_,
      left_ + width_ / 2, size_.height - 8, escaped(x_.title), top + height_ / 2, escaped(y_.title));
}

std::string svg_file(std::span<const Chart> charts, std::size_t columns) {
  constexpr double heading = 24;
  double width = 0;
  double height = 0;
  std::string content;
  for (std::size_t begin = 0; begin < charts.size(); begin += columns) {
    const auto row = charts.subspan(begin, std::min(columns, charts.size() - begin));
    double x = 0;
    double tallest = 0;
    for (const auto& chart : row) {
      content += fmt::format(
          "<text class=\"heading middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n"
          "<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}</svg>\n",
          x + chart.size().width / 2, height + 17, escaped(chart.title()), x, height + heading,
          chart.size().width, chart.size().height, chart.svg());
      x += chart.size().width;
      tallest = std::max(tallest, chart.size().height);
    }
    width = std::max(width, x);
    height += tallest + heading;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<style>\n{2}</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}</svg>\n",
      width, height, assets::chart_css(), content);
}

std::string figure(std::span<const Chart> charts, std::string_view caption) {
  std::string html = "<figure>\n<div class=\"charts\">\n";
  for (const auto& chart : charts)
    html += fmt::format("<div class=\"panel\" style=\"--width: {}px\">\n{}{}</div>\n", chart.size().width,
                        charts.size() > 1 ? fmt::format("<h3>{}</h3>\n", escaped(chart.title())) : "",
                        chart.svg());
  return html + fmt::format("</div>\n<figcaption>{}</figcaption>\n</figure>\n", escaped(caption));
}

}  // namespace perslay::report
