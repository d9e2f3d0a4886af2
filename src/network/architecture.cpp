#include <set>
#include <string>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/network/architecture.h>

namespace perslay::network {
namespace {

/// How many numbers a part of the network trains, and how many it gives for an item.
struct Part {
  double weights = 0;
  double width = 0;

  void add_dense(double next) {
    weights += (width + 1) * next;
    width = next;
  }
  void add_norm() { weights += 2 * width; }
};

Part part_of(const ChannelPlan& plan) {
  const auto& [channel, convolution, paper] = plan;
  Part part{0, static_cast<double>(channel.features()) * static_cast<double>(channel.op.width())};
  for (const auto& parameter : channel.parameters()) part.weights += static_cast<double>(parameter.size());
  if (!convolution) return part;
  const auto planes = static_cast<double>(channel.op.width());
  const auto filters = static_cast<double>(convolution->filters);
  const auto side = static_cast<double>(convolution->size);
  part.weights += filters * (planes * side * side + 1);
  part.width = filters * (static_cast<double>(channel.phi.count) + 1 - side) *
               (static_cast<double>(channel.phi.rows) + 1 - side);
  return part;
}

}  // namespace

WeightCounts weight_counts(const Architecture& architecture) {
  WeightCounts counts;
  std::set<std::string> filtrations;
  for (const auto& group : architecture.times.groups) filtrations.insert(group.filtration);
  counts.times = static_cast<double>(filtrations.size());
  Part channels;
  for (const auto& plan : architecture.channels) {
    const auto part = part_of(plan);
    channels.weights += part.weights;
    channels.width += part.width;
  }
  if (architecture.channel_norm) channels.add_norm();
  counts.channels = channels.weights;
  Part dense{0, channels.width + static_cast<double>(architecture.features)};
  for (const auto next : architecture.hidden) {
    dense.add_dense(static_cast<double>(next));
    if (architecture.batch_norm) dense.add_norm();
  }
  dense.add_dense(static_cast<double>(architecture.outputs));
  counts.dense = dense.weights;
  return counts;
}

void require_sensible(const Architecture& architecture) {
  constexpr double most = 0x1p28;
  if (architecture.channels.empty() && architecture.features == 0)
    throw base::user_error("The network has nothing to read: neither diagrams nor features.");
  const auto counts = weight_counts(architecture);
  if (counts.all() > most)
    throw base::user_error(fmt::format(
        "The network would have {:.2g} weights ({:.2g} in channels, {:.2g} in dense layers); {:.2g} are "
        "allowed.",
        counts.all(), counts.channels, counts.dense, most));
}

}  // namespace perslay::network
