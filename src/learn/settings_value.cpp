#include "settings_value.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>

namespace perslay::learn {
namespace {

/// A value as a sentence shows it.
std::string shown(const toml::node& node) {
  if (node.is_floating_point()) return base::shortest(**node.as_floating_point());
  std::ostringstream stream;
  node.visit([&stream](const auto& value) { stream << value; });
  std::string text = stream.str();
  std::ranges::replace(text, '\n', ' ');
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

bool hold(const Bounds& bounds, double number) {
  return (bounds.above_low ? number > bounds.low : number >= bounds.low) &&
         (bounds.below_high ? number < bounds.high : number <= bounds.high);
}

/// "from 0 to below 1"
std::string words_of(const Bounds& bounds) {
  std::string words = fmt::format("{} {}", bounds.above_low ? "above" : "from", base::shortest(bounds.low));
  if (std::isinf(bounds.high)) return words + (bounds.above_low ? "" : " on");
  return words + fmt::format(" to {}{}", bounds.below_high ? "below " : "", base::shortest(bounds.high));
}

}  // namespace

void Origin::fail(const toml::source_region& place, const std::string& sentence) const {
  if (name.empty()) throw base::user_error(sentence);
  throw base::user_error(has_lines ? fmt::format("{}:{}: {}", name, place.begin.line, sentence)
                                   : fmt::format("{}: {}", name, sentence));
}

void Origin::at(const toml::source_region& place, const std::function<void()>& check) const {
  try {
    check();
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    fail(place, error.what());
  }
}

void Given::needs(const std::string& wanted) const {
  origin.fail(node.source(), fmt::format("{} needs {}, not {}.", key, wanted, shown(node)));
}

Form<double> number(const Bounds& bounds) {
  const auto read = [=](const toml::node& node) {
    const auto number = node.is_number() ? node.value<double>() : std::nullopt;
    return number && std::isfinite(*number) && hold(bounds, *number) ? number : std::nullopt;
  };
  return {"a number " + words_of(bounds), "numbers " + words_of(bounds), read, base::shortest};
}

Form<std::size_t> whole(std::int64_t low, std::int64_t high) {
  const auto read = [=](const toml::node& node) -> std::optional<std::size_t> {
    const auto number = node.is_integer() ? **node.as_integer() : low - 1;
    if (number < low || number > high) return std::nullopt;
    return static_cast<std::size_t>(number);
  };
  const auto text = [](std::size_t number) { return fmt::format("{}", number); };
  return {fmt::format("a whole number from {} to {}", low, high),
          fmt::format("whole numbers from {} to {}", low, high), read, text};
}

Form<std::string> text(const std::function<void(const std::string&)>& check) {
  const auto read = [=](const toml::node& node) {
    auto text = node.is_string() ? node.value<std::string>() : std::nullopt;
    if (text && check) check(*text);
    return text;
  };
  return {"a text in quotation marks", "texts", read, quoted_toml};
}

std::string word_of(const toml::node& node) {
  if (node.is_boolean()) return **node.as_boolean() ? "true" : "false";
  return node.is_string() ? quoted_toml(**node.as_string()) : "";
}

std::string quoted_toml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

}  // namespace perslay::learn
