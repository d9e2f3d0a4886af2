#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>

namespace perslay::base {

Name split_name(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) return {name, {}, false};
  return {name.substr(0, colon), name.substr(colon + 1), true};
}

double parse_number(std::string_view text, std::string_view what) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw user_error(fmt::format("{}, not '{}'.", what, text));
  return value;
}

std::string shortest(double number) {
  std::string text = fmt::format("{}", number);
  const auto exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const auto sign = exponent + 1;
  while (text[sign + 1] == '0') text.erase(sign + 1, 1);
  if (text[sign] == '+') text.erase(sign, 1);
  return text;
}

namespace detail {

void fail_unknown_name(std::string_view family, std::string_view name, std::span<const NameHelp> known) {
  std::vector<std::string_view> usages;
  for (const auto& entry : known) usages.push_back(entry.usage);
  throw user_error(fmt::format("There is no {} called '{}'; the known ones are {}.", family, name,
                               fmt::join(usages, ", ")));
}

}  // namespace detail
}  // namespace perslay::base
