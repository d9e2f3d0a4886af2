#include "names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/inputs.h>
#include <perslay/layer/channel.h>

namespace perslay::learn {
namespace {

/// Where a name of the settings stands.
enum class NamePlace { phi, op, filtration };

struct Moved {
  NamePlace place;
  std::string_view key;      ///< What the place is called in settings.
  std::string_view head;     ///< Of the names that moved.
  std::string_view instead;  ///< What there is.
};

constexpr std::array moved_names{
    Moved{NamePlace::phi, "phi", "mlp", "perslay.torch takes any torch module as phi"},
    Moved{NamePlace::op, "op", "attention", "perslay.torch.PointNetwork has it"},
    Moved{NamePlace::filtration, "filtration", "learned",
          "perslay.torch takes any torch module as the vertex function"}};

/// Several operations were joined by '+', which stands in no other name of one.
bool has_moved(const Moved& moved, std::string_view name) {
  return base::split_name(name).head == moved.head ||
         (moved.place == NamePlace::op && name.find('+') != std::string_view::npos);
}

/// Settings of earlier versions could name networks on points, attention, several operations at once and
/// learned vertex functions. These live on in the Python package, and whoever names one is told so.
void refuse_moved(NamePlace place, std::string_view name) {
  for (const auto& moved : moved_names)
    if (moved.place == place && has_moved(moved, name))
      throw base::user_error(
          fmt::format("{} {} is no longer part of the library; {}, see docs/python/torch.md.", moved.key,
                      name, moved.instead));
}

}  // namespace

void check_filtrations(std::span<const std::string> names) {
  for (const auto& name : names) {
    refuse_moved(NamePlace::filtration, name);
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
  refuse_moved(NamePlace::phi, channel.phi);
  refuse_moved(NamePlace::op, channel.op);
  (void)layer::parse_point_transform(channel.phi);
  (void)layer::parse_weight(channel.weight);
  (void)layer::parse_operation(channel.op);
}

std::string valid_utf8(const std::string& text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

}  // namespace perslay::learn
