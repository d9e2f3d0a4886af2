#include "assets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <perslay/report/chart.h>
#include <perslay/report/html.h>

namespace perslay::report {
namespace {

constexpr double left = 58, right = 14, top = 28, bottom = 44;

/// Three to seven round numbers between the bounds.
std::vector<double> round_numbers(double low, double high, bool whole) {
  const double rough = whole ? std::max((high - low) / 6, 1.0) : (high - low) / 6;
  if (!(rough > 0)) return {low};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  const double slack = 1e-9 * step;
  const double first = std::ceil((low - slack) / step);
  std::vector<double> numbers;
  for (int i = 0; i < 12 && (first + i) * step <= high + slack; ++i) numbers.push_back((first + i) * step);
  return numbers;
}

/// Powers of ten, and what lies between if there are few.
std::vector<double> round_factors(double low, double high) {
  std::vector<double> numbers;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const bool few = std::log10(high) - std::log10(low) < 2;
  const int step = (last - first + 11) / 12;
  for (int e = first; e <= last; e += std::max(step, 1))
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double number = factor * std::pow(10, e);
      if ((factor == 1 || few) && number >= low * (1 - 1e-9) && number <= high * (1 + 1e-9))
        numbers.push_back(number);
    }
  return numbers;
}

std::vector<double> tick_places(const Axis& axis) {
  if (axis.names.empty())
    return axis.logarithmic ? round_factors(axis.low, axis.high)
                            : round_numbers(axis.low, axis.high, axis.whole);
  // Names that would overlap are left out.
  const std::size_t step = (axis.names.size() + 24) / 25;
  std::vector<double> places;
  for (std::size_t i = 0; i < axis.names.size(); i += step) places.push_back(static_cast<double>(i));
  return places;
}

std::string tick_name(const Axis& axis, double place) {
  if (!axis.names.empty()) return axis.names[static_cast<std::size_t>(place)];
  return fmt::format("{:.4g}", place == 0 ? 0.0 : place);  // no -0
}

/// Where a value stands between the bounds, from 0 to 1.
double share(const Axis& axis, double value) {
  if (axis.logarithmic)
    return (std::log(value) - std::log(axis.low)) / (std::log(axis.high) - std::log(axis.low));
  return (value - axis.low) / (axis.high - axis.low);
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
  // Values that differ by rounding are one.
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
    : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)), size_(size) {}

bool Chart::has_place(Position at) const {
  return can_be_shown(at.x) && can_be_shown(at.y) && std::isfinite(share(x_, at.x)) &&
         std::isfinite(share(y_, at.y));
}

double Chart::across(double x) const { return left + share(x_, x) * (size_.width - left - right); }

double Chart::down(double y) const {
  return size_.height - bottom - share(y_, y) * (size_.height - top - bottom);
}

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
      style, left, size_.width - right, down(y), down(y), escaped(name));
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
  const double x = left + legend_width_;
  legend_ += fmt::format(
      "<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"14\" r=\"4\"/><text class=\"legend\" x=\"{:.1f}\" "
      "y=\"18\">{}</text>\n",
      style, x + 4, x + 12, escaped(name));
  legend_width_ += 30 + 6.6 * static_cast<double>(name.size());
}

void Chart::slot(std::size_t number) {
  const double width = size_.width - left - right;
  const double height = size_.height - top - bottom;
  marks_ += fmt::format("<g class=\"slot\" data-chart=\"{}\" data-frame=\"{} {} {} {} {} {} {} {}\"></g>\n",
                        number, left, size_.height - bottom, width, height, width / (x_.high - x_.low),
                        height / (y_.high - y_.low), x_.low, y_.low);
}

std::string Chart::ticks() const {
  std::string text;
  for (const double place : tick_places(x_)) {
    const double x = across(place);
    text += fmt::format(
        "<line class=\"tick\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>"
        "<text class=\"number middle\" x=\"{0:.2f}\" y=\"{3:.1f}\">{4}</text>\n",
        x, size_.height - bottom, size_.height - bottom + 5, size_.height - bottom + 18,
        escaped(tick_name(x_, place)));
  }
  for (const double place : tick_places(y_)) {
    const double y = down(place);
    text += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\"/>"
        "<text class=\"number end\" x=\"{3:.1f}\" y=\"{4:.2f}\">{5}</text>\n",
        left, size_.width - right, y, left - 6, y + 4, escaped(tick_name(y_, place)));
  }
  return text;
}

std::string Chart::svg() const {
  const double middle_x = left + (size_.width - left - right) / 2;
  const double middle_y = top + (size_.height - top - bottom) / 2;
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\" tabindex=\"0\" "
      "preserveAspectRatio=\"xMidYMid meet\">\n"
      "{3}<rect class=\"frame\" x=\"{4}\" y=\"{5}\" width=\"{6}\" height=\"{7}\"/>\n{8}{9}"
      "<text class=\"axis middle\" x=\"{10:.1f}\" y=\"{11:.1f}\">{12}</text>\n"
      "<text class=\"axis middle\" transform=\"translate(14 {13:.1f}) rotate(-90)\">{14}</text>\n</svg>\n",
      size_.width, size_.height, escaped(title_), ticks(), left, top, size_.width - left - right,
      size_.height - top - bottom, marks_, legend_, middle_x, size_.height - 8, escaped(x_.title), middle_y,
      escaped(y_.title));
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
