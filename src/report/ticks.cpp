#include "ticks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <perslay/report/html.h>

namespace perslay::report {
namespace {

constexpr double line_height = 14;

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

/// Enough digits to tell neighbours apart.
std::string number_name(double place, std::size_t digits) {
  return fmt::format("{:.{}g}", place == 0 ? 0.0 : place, digits);  // no -0
}

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
    auto name = number_name(place, digits);
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

}  // namespace

double text_width(std::string_view text) {
  const auto plain = readable(text);
  double width = 0;
  for (std::string_view rest = plain; !rest.empty(); rest.remove_prefix(character_size(rest)))
    width += character_width(rest.substr(0, character_size(rest)));
  return width;
}

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

double widest_name(const std::vector<Tick>& ticks) {
  double widest = 0;
  for (const auto& tick : ticks) widest = std::max(widest, text_width(tick.name));
  return widest;
}

std::vector<Tick> ticks_of(const Axis& axis, double length, double widest) {
  if (axis.names.empty()) return numbered(axis);
  const double count = static_cast<double>(axis.names.size());
  const auto step = static_cast<std::size_t>(std::max(std::ceil(count * line_height / length), 1.0));
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < axis.names.size(); i += step)
    ticks.push_back({static_cast<double>(i), shortened(axis.names[i], widest), axis.names[i]});
  return ticks;
}

}  // namespace perslay::report
