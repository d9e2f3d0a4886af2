#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/layer/channel.h>
#include <perslay/network/architecture.h>
#include <perslay/network/batch.h>
#include <perslay/network/network.h>

namespace perslay::test {

/// One of the paper's short forms.
inline network::ChannelPlan plan(const std::string& paper) {
  const auto [channel, convolution] = layer::parse_paper_channel(paper);
  return {channel, convolution, true};
}

inline network::ChannelPlan plan(const std::string& phi, const std::string& weight, const std::string& op) {
  layer::Channel channel;
  channel.phi = layer::parse_point_transform(phi);
  channel.weight = layer::parse_weight(weight);
  channel.op = layer::parse_operation(op);
  return {channel, {}, false};
}

/// Such a channel with a convolution, after op or as a part of phi.
inline network::ChannelPlan with_convolution(network::ChannelPlan plan, std::size_t filters, std::size_t size,
                                             bool of_points) {
  plan.convolution = {filters, size, of_points};
  plan.nested = true;
  return plan;
}

/// Two groups of diagrams in the unit square, with empty ones and a single point among them, and three
/// features.
template <class T>
network::Batch<T> input_of(std::size_t items, std::uint64_t seed = 0) {
  network::Batch<T> input;
  input.diagrams.resize(2);
  input.features.resize(items, 3);
  for (std::size_t i = 0; i < items; ++i) {
    base::RandomStream random(seed, i);
    for (auto& diagrams : input.diagrams) {
      const auto count = i == 1 ? 1 : i % 4 == 2 ? 0 : 2 + random.below(6);
      for (std::uint64_t j = 0; j < count; ++j) {
        const double birth = random.uniform(0, 0.7);
        diagrams.points.push_back(static_cast<T>(birth));
        diagrams.points.push_back(static_cast<T>(birth + random.uniform(0, 0.3)));
      }
      diagrams.offsets.push_back(static_cast<std::int64_t>(diagrams.points.size() / 2));
    }
    for (T& feature : input.features.row(i)) feature = static_cast<T>(random.uniform(-1, 1));
  }
  return input;
}

/// Running moments that are not those of the start; means are low, so that enough units are above 0.
template <class T>
void move_moments(network::Network<T>& network) {
  base::RandomStream random(11);
  for (const auto& [array, slot] : network.fitted_layout().entries())
    for (T& number : slot.of(network.fitted()))
      number =
          static_cast<T>(array.name.ends_with("mean") ? random.uniform(-1.5, 0.2) : random.uniform(0.2, 1.5));
}

/// Different factors for all outputs, so that no two gradients look alike.
inline double factor(std::size_t output, std::size_t outputs) {
  return -1 + 3 * static_cast<double>(output) / static_cast<double>(outputs);
}

}  // namespace perslay::test
