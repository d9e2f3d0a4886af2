#include "name_fields.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::layer {

NameFields::NameFields(const base::Name& name) : head_(name.head) {
  if (!name.has_arguments) return;
  std::string_view rest = name.arguments;
  for (bool first = true, more = true; more; first = false) {
    const auto colon = rest.find(':');
    more = colon != std::string_view::npos;
    const auto field = rest.substr(0, colon);
    if (more) rest.remove_prefix(colon + 1);
    const auto equals = field.find('=');
    if (equals != std::string_view::npos)
      options_.emplace_back(field.substr(0, equals), field.substr(equals + 1));
    else if (first)
      size_ = field;
    else
      throw base::user_error(
          fmt::format("{} does not know what to do with '{}'; options are written key=value.", head_, field));
  }
  for (auto option = options_.begin(); option != options_.end(); ++option)
    if (std::any_of(options_.begin(), option,
                    [&](const auto& other) { return other.first == option->first; }))
      throw base::user_error(fmt::format("{} is given the option '{}' twice.", head_, option->first));
}

std::optional<std::string_view> NameFields::take(std::string_view key) {
  const auto found = std::ranges::find(options_, key, [](const auto& option) { return option.first; });
  if (found == options_.end()) return std::nullopt;
  const auto value = found->second;
  options_.erase(found);
  return value;
}

std::optional<double> NameFields::take_number(std::string_view key) {
  const auto text = take(key);
  if (!text) return std::nullopt;
  return base::parse_number(*text, fmt::format("{} needs a number for {}", head_, key));
}

std::optional<double> NameFields::take_positive(std::string_view key) {
  const auto text = take(key);
  if (!text) return std::nullopt;
  const auto wanted = fmt::format("{} needs a positive number for {}", head_, key);
  const double number = base::parse_number(*text, wanted);
  if (number <= 0) throw base::user_error(fmt::format("{}, not '{}'.", wanted, *text));
  return number;
}

std::optional<double> NameFields::take_nonnegative(std::string_view key) {
  const auto text = take(key);
  if (!text) return std::nullopt;
  const auto wanted = fmt::format("{} needs a number of at least 0 for {}", head_, key);
  const double number = base::parse_number(*text, wanted);
  if (number < 0) throw base::user_error(fmt::format("{}, not '{}'.", wanted, *text));
  return number + 0.0;  // makes -0 a plain 0
}

void NameFields::finish() const {
  if (options_.empty()) return;
  throw base::user_error(fmt::format("{} has no option '{}'.", head_, options_.front().first));
}

std::size_t parse_size(std::string_view text, std::string_view what) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool whole = stop == end && !text.empty();
  const bool too_large =
      error == std::errc::result_out_of_range || (error == std::errc{} && value > largest_size);
  if (whole && too_large)
    throw base::user_error(fmt::format("{}, of at most {}, not '{}'.", what, largest_size, text));
  if (!whole || error != std::errc{} || value == 0)
    throw base::user_error(fmt::format("{}, not '{}'.", what, text));
  return value;
}

std::pair<std::size_t, std::size_t> parse_grid(std::string_view text, std::string_view what) {
  const auto cross = text.find('x');
  if (cross == std::string_view::npos) throw base::user_error(fmt::format("{}, not '{}'.", what, text));
  std::size_t sizes[2];
  try {
    sizes[0] = parse_size(text.substr(0, cross), what);
    sizes[1] = parse_size(text.substr(cross + 1), what);
  } catch (const base::Error&) {
    throw base::user_error(fmt::format("{}, not '{}'.", what, text));
  }
  if (sizes[0] * sizes[1] > largest_size)
    throw base::user_error(fmt::format("{}, of at most {} in all, not '{}', which is {}.", what, largest_size,
                                       text, sizes[0] * sizes[1]));
  return {sizes[0], sizes[1]};
}

std::pair<std::size_t, std::size_t> parse_grid_or_square(std::string_view text, std::string_view what) {
  if (text.find('x') != std::string_view::npos) return parse_grid(text, what);
  const std::size_t side = parse_size(text, what);
  return parse_grid(fmt::format("{0}x{0}", side), what);
}

void expect_alone(const base::Name& name) {
  if (name.has_arguments)
    throw base::user_error(fmt::format("{} stands alone, without ':{}'.", name.head, name.arguments));
}

}  // namespace perslay::layer
