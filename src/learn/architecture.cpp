#include <memory>
#include <string>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>
#include <perslay/learn/architecture.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::learn {
namespace {

network::ChannelPlan plan_of(const ChannelSettings& settings) {
  if (!settings.paper.empty()) {
    auto [channel, convolution] = layer::parse_paper_channel(settings.paper);
    return {std::move(channel), convolution, true};
  }
  layer::Channel channel;
  channel.phi = layer::parse_point_transform(settings.phi);
  if (!settings.weight.empty()) channel.weight = layer::parse_weight(settings.weight);
  if (!settings.op.empty()) channel.op = layer::parse_operation(settings.op);
  return {std::move(channel), {}, false};
}

const ChannelSettings& channel_of(const NetworkSettings& network, diagram::Kind kind) {
  const auto own = network.channels.find(std::string(diagram::kind_name(kind)));
  return own == network.channels.end() ? network.channel : own->second;
}

network::TrainedTimesOptions trained_times(const Settings& settings, const features::Items& items) {
  network::TrainedTimesOptions times;
  for (std::size_t g = 0; g < items.groups.size(); ++g) {
    const auto& [filtration, kind, diagrams, cycles] = items.groups[g];
    if (is_trained_filtration(settings, filtration))
      times.groups.push_back(
          {g, filtration, filtration::parse_filtration(filtration).heat_kernel->time, kind});
  }
  times.scale = settings.network.scale != Scaling::none;
  times.pace = settings.network.filtration_pace;
  times.drop_diagonal = settings.data.drop_diagonal;
  times.prominent = prominent_points(settings.data);
  return times;
}

}  // namespace

network::Architecture architecture(const Settings& settings, const features::Items& items,
                                   std::size_t features) {
  const auto& network = settings.network;
  network::Architecture architecture;
  if (network.use_diagrams) {
    for (const auto& group : items.groups)
      architecture.channels.push_back(plan_of(channel_of(network, group.kind)));
    architecture.times = trained_times(settings, items);
  }
  if (!architecture.times.groups.empty() && items.graphs == nullptr)
    throw base::user_error("A filtration is to be trained, but the items came without their graphs.");
  architecture.features = features;
  architecture.outputs = items.classes.size();
  architecture.hidden = network.hidden;
  architecture.batch_norm = network.batch_norm;
  architecture.channel_norm = network.channel_norm;
  architecture.input_dropout = network.input_dropout;
  architecture.dropout = network.dropout;
  architecture.initialisation = layer::parse_initialisation(network.initialisation);
  return architecture;
}

network::Architecture architecture_of(const ModelFile& model) {
  features::Items items;
  items.classes = model.classes;
  items.graphs = std::make_shared<const features::ItemGraphs>();
  items.groups.reserve(model.groups.size());
  for (const auto& [filtration, kind] : model.groups) items.groups.push_back({filtration, kind, {}, {}});
  return architecture(model.settings, items, model.preparation.features.columns());
}

}  // namespace perslay::learn
