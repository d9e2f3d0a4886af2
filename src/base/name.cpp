#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/name.h>

namespace perslay::base {
namespace {

Error refusal(std::string_view wanted, std::string_view text) {
  return user_error(fmt::format("{}, not '{}'.", wanted, text));
}

/// "a number", "a positive number", "a number of at least 0", "a number from 1 to 2", ...
std::string number_within(double low, double high) {
  const bool positive = low == above_zero;
  const auto noun = positive ? "a positive number" : "a number";
  const bool has_low = !positive && low > -unbounded, has_high = high < unbounded;
  if (has_low && has_high) return fmt::format("{} from {} to {}", noun, shortest(low), shortest(high));
  if (has_low) return fmt::format("{} of at least {}", noun, shortest(low));
  if (has_high) return fmt::format("{} of at most {}", noun, shortest(high));
  return noun;
}

/// Stands for whole numbers that do not fit.
constexpr std::size_t beyond = std::numeric_limits<std::size_t>::max();

/// The whole number that all of `text` is, if it is one.
std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? beyond : value;
}

}  // namespace

Name split_name(std::string_view name) {
  const auto [head, arguments] = split_once(name, ":");
  return {head, arguments.value_or(std::string_view()), arguments.has_value()};
}

std::pair<std::string_view, std::optional<std::string_view>> split_once(std::string_view text,
                                                                        std::string_view separator) {
  const auto place = text.find(separator);
  if (place == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, place), text.substr(place + separator.size())};
}

double parse_number(std::string_view text, std::string_view wanted, double low, double high) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !(value >= low && value <= high)) throw refusal(wanted, text);
  return value + 0.0;  // makes -0 a plain 0
}

std::size_t parse_size(std::string_view text, std::string_view wanted, std::size_t largest) {
  const auto value = whole_number(text);
  if (!value || *value == 0) throw refusal(wanted, text);
  if (*value > largest || *value == beyond)
    throw refusal(fmt::format("{}, of at most {}", wanted, largest), text);
  return *value;
}

std::pair<std::size_t, std::size_t> parse_grid(std::string_view text, std::string_view wanted) {
  const auto [first, second] = split_once(text, "x");
  const auto rows = whole_number(first), columns = whole_number(second.value_or(std::string_view()));
  if (!rows || !columns || *rows == 0 || *columns == 0) throw refusal(wanted, text);
  if (*rows > largest_size / *columns)
    throw refusal(fmt::format("{}, of at most {} in all", wanted, largest_size), text);
  return {*rows, *columns};
}

std::pair<std::size_t, std::size_t> parse_grid_or_square(std::string_view text, std::string_view wanted) {
  if (text.find('x') != std::string_view::npos) return parse_grid(text, wanted);
  return parse_grid(fmt::format("{0}x{0}", parse_size(text, wanted)), wanted);
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

// ---- fields

void Arguments::split() {
  asked_ = true;
  if (split_ || !name_.has_arguments) return;
  split_ = true;
  std::optional<std::string_view> rest = name_.arguments;
  for (bool is_first = true; rest; is_first = false) {
    const auto [field, others] = split_once(*rest, ":");
    rest = others;
    const auto [key, value] = split_once(field, "=");
    if (!value && !is_first)
      throw user_error(fmt::format("{} does not know what to do with '{}'; options are written key=value.",
                                   head(), field));
    if (!value) {
      first_ = field;
      continue;
    }
    if (std::ranges::find(options_, key, [](const auto& option) { return option.first; }) != options_.end())
      throw user_error(fmt::format("{} is given the option '{}' twice.", head(), key));
    options_.emplace_back(key, *value);
  }
}

std::string_view Arguments::text() {
  asked_ = true;
  first_.reset();
  options_.clear();
  split_ = true;
  return name_.arguments;
}

bool Arguments::has_first() {
  split();
  return first_.has_value();
}

std::string_view Arguments::first() {
  split();
  return std::exchange(first_, std::nullopt).value_or(std::string_view());
}

std::optional<std::string_view> Arguments::take(std::string_view key) {
  split();
  const auto found = std::ranges::find(options_, key, [](const auto& option) { return option.first; });
  if (found == options_.end()) return std::nullopt;
  const auto value = found->second;
  options_.erase(found);
  return value;
}

double Arguments::number(std::string_view text, std::string_view what, double low, double high) const {
  return parse_number(text, fmt::format("{} needs {} for {}", head(), number_within(low, high), what), low,
                      high);
}

std::optional<double> Arguments::first_number(std::string_view what, double low, double high) {
  if (!has_first()) return std::nullopt;
  return number(first(), what, low, high);
}

std::optional<double> Arguments::take_number(std::string_view key, double low, double high) {
  const auto text = take(key);
  if (!text) return std::nullopt;
  return number(*text, key, low, high);
}

void Arguments::finish() {
  if (!name_.has_arguments) return;
  if (!asked_) throw user_error(fmt::format("{} stands alone, without ':{}'.", head(), name_.arguments));
  split();
  if (first_)
    throw user_error(fmt::format("{} does not know what to do with '{}'; options are written key=value.",
                                 head(), *first_));
  if (!options_.empty())
    throw user_error(fmt::format("{} has no option '{}'.", head(), options_.front().first));
}

}  // namespace perslay::base
