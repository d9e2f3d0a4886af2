#include "names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/inputs.h>
#include <perslay/filtration/filtration.h>
#include <perslay/layer/channel.h>

namespace perslay::learn {
namespace {

struct Moved {
  std::string_view key;      ///< Of the settings.
  std::string_view head;     ///< Of the names that moved.
  std::string_view instead;  ///< What there is.
};

constexpr std::array moved_names{
    Moved{"phi", "mlp", "perslay.torch takes any torch module as phi"},
    Moved{"op", "attention", "perslay.torch.PointNetwork has it"},
    Moved{"filtration", "learned", "perslay.torch takes any torch module as the vertex function"}};

/// Several operations were joined by '+', which stands in no other name of one.
bool has_moved(const Moved& moved, std::string_view name) {
  return base::split_name(name).head == moved.head ||
         (moved.key == "op" && name.find('+') != std::string_view::npos);
}

/// Settings of earlier versions could name networks on points, attention, several operations at once and
/// learned vertex functions. These live on in the Python package, and whoever names one is told so.
void refuse_moved(std::string_view key, std::string_view name) {
  for (const auto& moved : moved_names)
    if (moved.key == key && has_moved(moved, name))
      throw base::user_error(
          fmt::format("{} {} is no longer part of the library; {}, see docs/python/torch.md.", moved.key,
                      name, moved.instead));
}

}  // namespace

void check_filtrations(std::span<const std::string> given) {
  const auto names = filtration::expand_times(given);
  for (const auto& name : names) {
    refuse_moved("filtration", name);
    const auto* const kind = features::kind_with_filtration(name);
    (kind == nullptr ? features::graph_kind() : *kind).filtrations->check(name);
    if (std::ranges::count(names, name) > 1)
      throw base::user_error(fmt::format("The filtration {} is given twice.", name));
  }
  (void)features::kind_of_filtrations(names);
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
  refuse_moved("phi", channel.phi);
  refuse_moved("op", channel.op);
  const auto made = layer_channel(channel);
  (void)layer::parse_weight(channel.weight);
  (void)layer::parse_operation(channel.op);
  if (!channel.convolution.empty()) layer::require_room(layer::parse_convolution(channel.convolution), made);
}

layer::Channel layer_channel(const ChannelSettings& channel) {
  layer::Channel made;
  made.phi = layer::parse_point_transform(channel.phi);
  for (const auto& name : channel.equivariant) made.equivariant.push_back(layer::parse_equivariant(name));
  if (!channel.weight.empty()) made.weight = layer::parse_weight(channel.weight);
  if (!channel.op.empty()) made.op = layer::parse_operation(channel.op);
  return made;
}

std::string valid_utf8(const std::string& text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

}  // namespace perslay::learn
