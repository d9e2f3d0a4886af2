#include "names.h"

#include "moved_names.h"

#include <algorithm>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cloud_diagrams.h>
#include <perslay/filtration/filtration.h>
#include <perslay/layer/channel.h>

namespace perslay::learn {

void check_filtrations(std::span<const std::string> names) {
  for (const auto& name : names) {
    refuse_moved(NamePlace::filtration, name);
    features::is_cloud_filtration(name) ? void(features::parse_cloud_filtration(name))
                                        : void(filtration::parse_filtration(name));
    if (features::is_cloud_filtration(name) != features::is_cloud_filtration(names.front()))
      throw base::user_error(fmt::format("{} is a filtration of {}, {} one of {}.", names.front(),
                                         features::is_cloud_filtration(name) ? "graphs" : "point clouds",
                                         name,
                                         features::is_cloud_filtration(name) ? "point clouds" : "graphs"));
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
  refuse_moved(NamePlace::phi, channel.phi);
  refuse_moved(NamePlace::op, channel.op);
  (void)layer::parse_point_transform(channel.phi);
  (void)layer::parse_weight(channel.weight);
  (void)layer::parse_operation(channel.op);
}

}  // namespace perslay::learn
