#include "names.h"

#include "moved_names.h"

#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/inputs.h>
#include <perslay/layer/channel.h>

namespace perslay::learn {

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

}  // namespace perslay::learn
