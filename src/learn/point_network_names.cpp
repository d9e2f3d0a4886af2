#include <cmath>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/learn/point_network_names.h>

namespace perslay::learn {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::size_t parse_width(std::string_view text, std::string_view what) {
  const double width = base::parse_number(text, what);
  if (width < 1 || width > 65536 || width != std::floor(width))
    throw base::user_error(fmt::format("{}, not '{}'.", what, text));
  return static_cast<std::size_t>(width);
}

}  // namespace

Pooling parse_pooling(std::string_view name) {
  Pooling pooling;
  for (const auto part : split(name, '+')) {
    const auto words = base::split_name(part);
    if (words.head == "attention")
      pooling.heads += parse_width(words.arguments,
                                   "attention needs a number of heads, from 1 to 65536, such as attention:4");
    else
      pooling.operations.push_back(layer::parse_operation(part));
  }
  return pooling;
}

std::vector<std::size_t> parse_widths(std::string_view text, std::string_view what) {
  std::vector<std::size_t> widths;
  for (const auto part : split(text, 'x')) widths.push_back(parse_width(part, what));
  return widths;
}

std::vector<std::size_t> parse_point_network(std::string_view name) {
  const auto words = base::split_name(name);
  if (words.head != "mlp")
    throw base::user_error(fmt::format("A point network is called mlp:64x64, not '{}'.", name));
  return parse_widths(words.arguments,
                      "mlp needs the sizes of its layers, from 1 to 65536, such as mlp:64x64");
}

}  // namespace perslay::learn
