#include "network_size.h"

#include <set>
#include <string>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/learn/trained_filtrations.h>

namespace perslay::nn {
namespace {

/// Of a part of the network: the numbers that it trains, and those that it gives for an item.
struct Part {
  double weights = 0;
  double width = 0;

  void add_dense(double next) {
    weights += (width + 1) * next;
    width = next;
  }

  void add_norm() { weights += 2 * width; }
};

Part part_of(const layer::Channel& channel) {
  Part part{0, static_cast<double>(channel.features()) * static_cast<double>(channel.op.width())};
  for (const auto& parameter : channel.parameters()) part.weights += static_cast<double>(parameter.size());
  return part;
}

Part part_of(const layer::PaperChannel& paper) {
  Part part = part_of(paper.channel);
  if (!paper.convolution) return part;
  const auto planes = static_cast<double>(paper.channel.op.width());
  const auto filters = static_cast<double>(paper.convolution->filters);
  const auto side = static_cast<double>(paper.convolution->size);
  part.weights += filters * (planes * side * side + 1);
  part.width = filters * (static_cast<double>(paper.channel.phi.count) + 1 - side) *
               (static_cast<double>(paper.channel.phi.rows) + 1 - side);
  return part;
}

Part part_of(const std::vector<std::size_t>& widths, const learn::Pooling& pooling) {
  Part part{0, static_cast<double>(PointNetworkImpl::inputs)};
  part.add_norm();
  for (const auto width : widths) part.add_dense(static_cast<double>(width));
  auto pools = static_cast<double>(pooling.heads);
  part.weights += (part.width + 1) * pools;
  for (const auto& operation : pooling.operations) pools += static_cast<double>(operation.width());
  part.width *= pools;
  return part;
}

Part part_of(const learn::ChannelSettings& channel) {
  if (!channel.paper.empty()) return part_of(layer::parse_paper_channel(channel.paper));
  if (channel.phi.starts_with("mlp"))
    return part_of(learn::parse_point_network(channel.phi), learn::parse_pooling(channel.op));
  return part_of(perslay_options(channel).channel());
}

double weights_of_filtration(const std::string& name) {
  if (!learn::is_learned_filtration(name)) return 1;  // its time
  const auto widths = learn::parse_learned_filtration(name);
  Part part{0, static_cast<double>(VertexNetworkImpl::inputs)};
  part.add_dense(static_cast<double>(widths.front()));
  for (const auto width : widths)
    for (int twice = 0; twice < 2; ++twice) part.add_dense(static_cast<double>(width));
  part.add_dense(1);
  return part.weights;
}

}  // namespace

NetworkSize network_size(const learn::NetworkSettings& settings, const ClassifierShape& shape) {
  NetworkSize size;
  Part channels;
  if (settings.use_diagrams) {
    std::set<std::string> filtrations;
    for (const auto& group : shape.trained.groups)
      if (filtrations.insert(group.filtration).second)
        size.filtrations += weights_of_filtration(group.filtration);
    for (const auto kind : shape.groups) {
      const auto part = part_of(channel_of(settings, kind));
      channels.weights += part.weights;
      channels.width += part.width;
    }
  }
  if (settings.channel_norm) channels.add_norm();
  size.channels = channels.weights;
  Part dense{0, channels.width + static_cast<double>(shape.features)};
  for (const auto next : settings.hidden) {
    dense.add_dense(static_cast<double>(next));
    if (settings.batch_norm) dense.add_norm();
  }
  dense.add_dense(static_cast<double>(shape.classes));
  size.dense = dense.weights;
  return size;
}

void refuse_giants(const learn::NetworkSettings& settings, const ClassifierShape& shape) {
  constexpr double most = 0x1p28;
  const auto size = network_size(settings, shape);
  if (size.all() > most)
    throw base::user_error(fmt::format(
        "The network would have {:.2g} weights ({:.2g} in filtrations, {:.2g} in channels, {:.2g} "
        "in dense layers); {:.2g} are allowed.",
        size.all(), size.filtrations, size.channels, size.dense, most));
}

const learn::ChannelSettings& channel_of(const learn::NetworkSettings& settings, diagram::Kind kind) {
  const auto own = settings.channels.find(std::string(diagram::kind_name(kind)));
  return own == settings.channels.end() ? settings.channel : own->second;
}

PersLayOptions perslay_options(const learn::ChannelSettings& channel) {
  PersLayOptions options;
  options.phi = channel.phi;
  if (!channel.weight.empty()) options.weight = channel.weight;
  if (!channel.op.empty()) options.op = channel.op;
  return options;
}

}  // namespace perslay::nn
