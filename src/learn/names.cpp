#include "names.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/layer/channel.h>

namespace perslay::learn {
namespace {

/// The number of letters to insert, delete or replace to get from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row.back();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Whether `text` is a whole number from 1 to `most`.
bool counts(std::string_view text, std::size_t most) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc{} && end == text.data() + text.size() && count >= 1 && count <= most;
}

bool is_attention(std::string_view operation) { return base::split_name(operation).head == "attention"; }

void check_pooling(std::string_view operation) {
  if (!is_attention(operation)) return void(layer::parse_operation(operation));
  if (const auto heads = base::split_name(operation).arguments; !counts(heads, 65536))
    throw base::user_error(fmt::format(
        "attention needs a number of heads, from 1 to 65536, such as attention:4, not '{}'.", heads));
}

/// Of a channel with a network of its own for each point.
void check_point_network(const ChannelSettings& channel) {
  const auto sizes = base::split_name(channel.phi).arguments;
  if (!std::ranges::all_of(split(sizes, 'x'), [](auto size) { return counts(size, 65536); }))
    throw base::user_error(fmt::format(
        "mlp needs the sizes of its layers, from 1 to 65536, such as mlp:64x64, not '{}'.", sizes));
  if (!channel.weight.empty() && channel.weight != "one")
    throw base::user_error(
        fmt::format("{} has no weight but \"one\", not '{}'.", channel.phi, channel.weight));
  for (const auto operation : split(channel.op, '+')) check_pooling(operation);
}

void check_layer_channel(const ChannelSettings& channel) {
  (void)layer::parse_point_transform(channel.phi);
  (void)layer::parse_weight(channel.weight);
  if (is_attention(channel.op) || channel.op.find('+') != std::string::npos)
    throw base::user_error(
        fmt::format("The operation '{}' needs a phi such as mlp:64x64, not '{}'.", channel.op, channel.phi));
  (void)layer::parse_operation(channel.op);
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  if (known.empty()) return "";
  const auto nearest =
      std::ranges::min(known, {}, [&](std::string_view candidate) { return edit_distance(word, candidate); });
  return edit_distance(word, nearest) > std::min<std::size_t>(3, word.size() / 2)
             ? ""
             : fmt::format(" (did you mean '{}'?)", nearest);
}

std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " and " : ", ", words[i]);
  return text;
}

bool is_cloud_filtration(std::string_view name) { return base::split_name(name).head == "alpha"; }

void check_filtrations(std::span<const std::string> names) {
  for (const auto& name : names) {
    is_cloud_filtration(name) ? void(features::parse_cloud_filtration(name))
                              : void(filtration::parse_filtration(name));
    if (is_cloud_filtration(name) != is_cloud_filtration(names.front()))
      throw base::user_error(fmt::format("{} is a filtration of {}, {} one of {}.", names.front(),
                                         is_cloud_filtration(name) ? "graphs" : "point clouds", name,
                                         is_cloud_filtration(name) ? "point clouds" : "graphs"));
    if (std::ranges::count(names, name) > 1)
      throw base::user_error(fmt::format("The filtration {} stands there twice.", name));
  }
}

void check_transform(std::string_view name) {
  if (diagram::parse_transform(name).needs_fit())
    throw base::user_error(
        fmt::format("{} is fitted to the training part, which 'scale' in [network] is for; it is no "
                    "transform of single items.",
                    name));
}

void check_channel(const ChannelSettings& channel) {
  if (!channel.paper.empty()) return void(layer::parse_paper_channel(channel.paper));
  base::split_name(channel.phi).head == "mlp" ? check_point_network(channel) : check_layer_channel(channel);
}

void check_feature(std::string_view name) { (void)features::parse_item_feature(name); }

}  // namespace perslay::learn
