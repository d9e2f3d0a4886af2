#pragma once

#include "campaign/family.h"
#include "layer/cases.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

/// What the families about layers have in common.
namespace perslay::campaign {

/// A layer and its input.
struct LayerCase {
  layer::Channel channel;
  std::vector<test::Bars> diagrams;
  test::Matrix parameters;
};

/// Of small layers, since 400 Gaussians tell no more than 35.
inline LayerCase draw_layer(base::RandomStream& random) {
  static const auto channels = [] {
    auto all = test::all_channels();
    std::erase_if(all, [](const layer::Channel& c) { return c.features() > 50; });
    return all;
  }();
  LayerCase drawn{channels[random.below(channels.size())], {}, {}};
  for (auto count = 1 + random.below(3); count > 0; --count)
    drawn.diagrams.push_back(test::random_bars(random, random.below(random.below(8) == 0 ? 80 : 6)));
  drawn.parameters = test::random_parameters(random, drawn.channel);
  return drawn;
}

inline std::vector<LayerCase> smaller_layers(const LayerCase& c) {
  std::vector<LayerCase> cases;
  for (auto& diagrams : with_one_less(c.diagrams))
    cases.push_back({c.channel, std::move(diagrams), c.parameters});
  for (std::size_t d = 0; d < c.diagrams.size(); ++d)
    for (auto& bars : with_one_less(c.diagrams[d])) {
      cases.push_back(c);
      cases.back().diagrams[d] = std::move(bars);
    }
  return cases;
}

inline std::string layer_text(const LayerCase& c) {
  auto lines = fmt::format("channel {}\n", c.channel.name());
  for (std::size_t d = 0; d < c.diagrams.size(); ++d)
    for (const auto& [birth, death] : c.diagrams[d])
      lines += fmt::format("diagram {} {} {}\n", d, birth, death);
  const auto shapes = c.channel.parameters();
  for (std::size_t a = 0; a < shapes.size(); ++a)
    lines += fmt::format("{} {}\n", shapes[a].name, fmt::join(c.parameters[a], " "));
  return lines;
}

/// The sum of the layer's numbers, each times one of these, is differentiated.
inline std::vector<double> upstream_of(const LayerCase& c) {
  std::vector<double> upstream(c.diagrams.size() * c.channel.size());
  for (std::size_t i = 0; i < upstream.size(); ++i) upstream[i] = std::cos(static_cast<double>(i));
  return upstream;
}

/// Errors are relative to this.
inline double scale_of(double value) { return std::max(1.0, std::abs(value)); }

}  // namespace perslay::campaign
