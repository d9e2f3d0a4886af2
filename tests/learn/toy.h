#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/features/inputs.h>
#include <perslay/learn/settings.h>

/// A small dataset and a small way to learn from it, for tests of everything around learning.
namespace perslay::test {

inline constexpr std::size_t toy_classes = 3;

/// Items of three classes in turn, which their features separate well, their sizes badly.
inline features::Items toy_items(std::size_t count, std::uint64_t seed = 0) {
  features::Items items;
  items.kind = &features::graph_kind();
  items.classes = {"a", "b", "-1"};
  std::vector<diagram::Diagram> ord0(count), ext1(count);
  features::FeatureBlock block{"size", {}, {0}};
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    const auto label = static_cast<int>(i % toy_classes);
    items.labels.push_back(label);
    items.sizes.push_back({static_cast<double>(5 + random.below(10) + static_cast<std::uint64_t>(label))});
    for (auto* const diagram : {&ord0[i], &ext1[i]})
      for (auto points = 1 + random.below(5); points > 0; --points) {
        const double birth = random.uniform();
        diagram->points.push_back({birth, birth + random.uniform()});
      }
    for (int column = 0; column < 2; ++column)
      block.values.push_back(static_cast<float>(label * (column + 1) + 0.6 * random.normal()));
    block.offsets.push_back(static_cast<std::int64_t>(block.values.size()));
  }
  items.groups = {{"hks:10", diagram::Kind::ord0, diagram::DiagramBatch(ord0), {}},
                  {"hks:10", diagram::Kind::ext1, diagram::DiagramBatch(ext1), {}}};
  items.blocks = {block};
  return items;
}

inline learn::Settings toy_settings() {
  learn::Settings settings;
  settings.name = "toy";
  settings.data.kinds = {diagram::Kind::ord0, diagram::Kind::ext1};
  settings.features.names = {"size"};
  settings.features.standardise = true;
  settings.training.epochs = 5;
  return settings;
}

/// The items with everything about those outside `rows` changed.
inline features::Items spoiled(features::Items items, const std::vector<std::size_t>& rows) {
  const auto kept = [&](std::size_t row) { return std::ranges::find(rows, row) != rows.end(); };
  for (auto& group : items.groups) {
    std::vector<diagram::Diagram> diagrams;
    for (std::size_t i = 0; i < items.count(); ++i) {
      diagrams.push_back({{group.diagrams[i].begin(), group.diagrams[i].end()}, {}});
      if (!kept(i)) diagrams.back().points = {{-100, 100}, {50, 70}};
    }
    group.diagrams = diagram::DiagramBatch(diagrams);
  }
  for (std::size_t i = 0; i < items.count(); ++i) {
    if (kept(i)) continue;
    items.labels[i] = (items.labels[i] + 1) % static_cast<int>(toy_classes);
    items.sizes[i].points += 1000;
    items.sizes[i].edges += 1000;
    for (auto& block : items.blocks)
      for (auto v = block.offsets[i]; v < block.offsets[i + 1]; ++v)
        block.values[static_cast<std::size_t>(v)] += 1000;
  }
  return items;
}

}  // namespace perslay::test
