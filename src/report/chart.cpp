#include "assets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <perslay/report/chart.h>
#include <perslay/report/html.h>

namespace perslay::report {
namespace {

/// Margins of charts whose ticks are short; longer ones make the chart larger.
constexpr double usual_left = 58, usual_right = 14, top = 28, usual_bottom = 44;
constexpr double widest_y_name = 150, widest_x_name = 130;

/// A tick of an axis and its name.
struct Tick {
  double place = 0;
  std::string name;  ///< May be shortened or empty.
  std::string full;
};

constexpr double line_height = 14;

/// Three to seven round numbers between the bounds.
std::vector<double> round_numbers(double low, double high, bool whole) {
  const double rough = whole ? std::max((high - low) / 6, 1.0) : (high - low) / 6;
  if (!(rough > 0)) return {low};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
  const double slack = 1e-9 * step;
  const double first = std::ceil((low - slack) / step);
  std::vector<double> numbers;
  for (int i = 0; i < 12 && (first + i) * step <= high + slack; ++i) numbers.push_back((first + i) * step);
  return numbers;
}

/// Powers of ten, and numbers between them if there are few.
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

/// Numbers with enough digits to tell neighbours apart.
std::vector<Tick> numbered(const Axis& axis) {
  const auto places =
      axis.logarithmic ? round_factors(axis.low, axis.high) : round_numbers(axis.low, axis.high, axis.whole);
  std::size_t digits = axis.logarithmic ? 4 : 6;
  if (!axis.logarithmic && places.size() > 1 && places[1] > places[0]) {
    const double magnitude = std::max(std::abs(places.front()), std::abs(places.back()));
    const double needed =
        1 + std::floor(std::log10(magnitude)) - std::floor(std::log10(places[1] - places[0]) + 1e-9);
    digits = static_cast<std::size_t>(std::clamp(needed, 6.0, 17.0));
  }
  std::vector<Tick> ticks;
  for (const double place : places) {
    const auto name = fmt::format("{:.{}g}", place == 0 ? 0.0 : place, digits);  // no -0
    ticks.push_back({place, name, name});
  }
  return ticks;
}

/// Bytes of the character that `text` begins with, which is UTF-8.
std::size_t character_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) ++size;
  return size;
}

double character_width(std::string_view character) {
  constexpr std::string_view narrow = "fijlrt.,:;'|!()[]/ ";
  constexpr std::string_view wide = "mwMW@%";
  const char c = character.front();
  if (character.size() > 2) return 12.5;
  if (character.size() == 2) return 9;
  if (narrow.find(c) != std::string_view::npos) return 5;
  if (wide.find(c) != std::string_view::npos) return 12;
  return c >= 'A' && c <= 'Z' ? 9.2 : 7.7;
}

/// The width of a text in a chart, in pixels; rather too large, because fonts differ.
double text_width(std::string_view text) {
  const auto plain = readable(text);
  double width = 0;
  for (std::string_view rest = plain; !rest.empty(); rest.remove_prefix(character_size(rest)))
    width += character_width(rest.substr(0, character_size(rest)));
  return width;
}

/// The text if it fits, otherwise its beginning and "…".
std::string shortened(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  const auto plain = readable(text);
  double used = 12.5;
  std::size_t kept = 0;
  while (kept < plain.size()) {
    const auto rest = std::string_view(plain).substr(kept);
    used += character_width(rest.substr(0, character_size(rest)));
    if (used > width) break;
    kept += character_size(rest);
  }
  return plain.substr(0, kept) + "…";
}

/// The greatest width of a name.
double widest_name(const std::vector<Tick>& ticks) {
  double widest = 0;
  for (const auto& tick : ticks) widest = std::max(widest, text_width(tick.name));
  return widest;
}

/// The ticks of an axis of a given length in pixels: round numbers with the digits that tell them apart, or
/// names, each shortened to `widest` pixels. Of many names every second, third, ... is shown, so that each has
/// a line of its own.
std::vector<Tick> ticks_of(const Axis& axis, double length, double widest) {
  if (axis.names.empty()) return numbered(axis);
  const double count = static_cast<double>(axis.names.size());
  const auto step = static_cast<std::size_t>(std::max(std::ceil(count * line_height / length), 1.0));
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < axis.names.size(); i += step)
    ticks.push_back({static_cast<double>(i), shortened(axis.names[i], widest), axis.names[i]});
  return ticks;
}

/// The place of a value between the bounds, from 0 to 1.
double share(const Axis& axis, double value) {
  if (axis.logarithmic)
    return (std::log(value) - std::log(axis.low)) / (std::log(axis.high) - std::log(axis.low));
  return (value - axis.low) / (axis.high - axis.low);
}

/// The name of a tick; a shortened name has the whole one as its tip.
std::string tick_text(std::string_view anchor, const std::string& where, const Tick& tick) {
  if (tick.name.empty()) return "\n";
  const bool whole = tick.name == tick.full;
  return fmt::format("<text class=\"number {}{}\" {}>{}{}</text>\n", anchor, whole ? "" : " shortened", where,
                     whole ? "" : fmt::format("<title>{}</title>", escaped(tick.full)), escaped(tick.name));
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
  const double below = top + height_;
  for (const auto& tick : across_ticks) {
    const double at = across(tick.place);
    ticks_ +=
        fmt::format("<line class=\"tick\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", at,
                    below, below + 5);
    ticks_ +=
        upright
            ? tick_text("end",
                        fmt::format("transform=\"translate({:.2f} {:.1f}) rotate(-90)\"", at + 4, below + 8),
                        tick)
            : tick_text("middle", fmt::format("x=\"{:.2f}\" y=\"{:.1f}\"", at, below + 18), tick);
  }
  for (const auto& tick : down_ticks) {
    const double at = down(tick.place);
    if (y_.names.empty())
      ticks_ +=
          fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\"/>",
                      left_, left_ + width_, at);
    ticks_ += tick_text("end", fmt::format("x=\"{:.1f}\" y=\"{:.2f}\"", left_ - 6, at + 4), tick);
  }
}

bool Chart::has_place(Position at) const {
  return can_be_shown(at.x) && can_be_shown(at.y) && std::isfinite(share(x_, at.x)) &&
         std::isfinite(share(y_, at.y));
}

double Chart::across(double x) const { return left_ + share(x_, x) * width_; }

double Chart::down(double y) const { return top + height_ * (1 - share(y_, y)); }

void Chart::dot(Position at, std::string_view style, std::string_view tip, double radius,
                std::optional<double> opacity) {
  if (!has_place(at)) return;
  marks_ += fmt::format("<circle class=\"dot {}\"{} cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"{}/>\n", style,
                        opacity ? fmt::format(" style=\"fill-opacity: {:.2f}\"", *opacity) : "", across(at.x),
                        down(at.y), radius, tip_attribute(tip));
}

void Chart::add_segment(Position from, Position to, std::string_view style) {
  marks_ += fmt::format("<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n",
                        style, across(from.x), down(from.y), across(to.x), down(to.y));
}

void Chart::edge(Position from, Position to, std::string_view style) {
  add_segment(from, to, fmt::format("edge {}", style));
}

void Chart::arrow(Position from, Position to) {
  constexpr double head = 7;
  add_segment(from, to, "edge");
  const double degrees =
      std::atan2(down(to.y) - down(from.y), across(to.x) - across(from.x)) * 180 / std::numbers::pi;
  marks_ += fmt::format(
      "<path class=\"head\" d=\"M0 0L-{0} {1}L-{0} -{1}Z\" transform=\"translate({2:.2f} {3:.2f}) "
      "rotate({4:.1f})\"/>\n",
      head, head / 2, across(to.x), down(to.y), degrees);
}

void Chart::diagonal() {
  const double low = std::max(x_.low, y_.low);
  const double high = std::min(x_.high, y_.high);
  add_segment({low, low}, {high, high}, "diagonal");
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

void Chart::spreads(std::span<const double> x, std::span<const Spread> values, std::string_view style,
                    const std::function<std::string(std::size_t)>& tip) {
  const auto positions = [&](double Spread::*part) {
    std::vector<Position> at(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) at[i] = {x[i], values[i].*part};
    return at;
  };
  const auto means = positions(&Spread::mean);
  band(positions(&Spread::low), positions(&Spread::high), style);
  line(means, style);
  for (std::size_t i = 0; i < means.size(); ++i) dot(means[i], style, tip(i), 1.5);
}

void Chart::add_rectangle(Position from, Position to, std::string_view style, std::string_view attributes) {
  marks_ += fmt::format(
      "<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"{}/>\n", style,
      across(from.x), down(to.y), across(to.x) - across(from.x), down(from.y) - down(to.y), attributes);
}

void Chart::cell(Position from, Position to, double strength, std::string_view tip) {
  add_rectangle(from, to, strength < 0 ? "cell below" : "cell above",
                fmt::format(" fill-opacity=\"{:.3f}\"{}", std::abs(strength), tip_attribute(tip)));
}

void Chart::bar(Position from, Position to, std::string_view style, std::string_view tip) {
  add_rectangle(from, to, fmt::format("bar {}", style), tip_attribute(tip));
}

void Chart::level(double y, std::string_view style, std::string_view name) {
  marks_ += fmt::format(
      "<line class=\"level {}\" x1=\"{:.2f}\" x2=\"{:.2f}\" y1=\"{:.2f}\" y2=\"{:.2f}\" data-tip=\"{}\"/>\n",
      style, left_, left_ + width_, down(y), down(y), escaped(name));
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

void Chart::slot(std::size_t number, std::string_view drawn_as) {
  marks_ +=
      fmt::format("<g class=\"slot {}\" data-chart=\"{}\" data-frame=\"{} {} {} {} {} {} {} {}\"></g>\n",
                  drawn_as, number, left_, top + height_, width_, height_, width_ / (x_.high - x_.low),
                  height_ / (y_.high - y_.low), x_.low, y_.low);
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
      width, height, assets::chart_css, content);
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
