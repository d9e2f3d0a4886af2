#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include <perslay/base/random.h>
#include <perslay/features/inputs.h>

namespace perslay::test {

/// Two classes of items that diagrams tell apart and nothing else does: the points of class 1 lie higher
/// above the diagonal. Two groups; some diagrams are empty. A feature block "noise" says nothing.
inline features::Items diagram_items(std::size_t count, std::uint64_t seed = 0) {
  features::Items items;
  items.kind = &features::cloud_kind();
  items.classes = {"low", "high"};
  items.groups.resize(2);
  std::vector<diagram::Point> points[2];
  std::vector<std::int64_t> offsets[2] = {{0}, {0}};
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(seed, i);
    const int label = static_cast<int>(i % 2);
    items.labels.push_back(label);
    for (std::size_t g = 0; g < 2; ++g) {
      const auto number = g == 1 ? random.below(4) : 3 + random.below(6);
      for (std::uint64_t j = 0; j < number; ++j) {
        const double birth = random.uniform(0, 0.4);
        const double height = g == 0 && label == 1 ? 0.35 : 0.1;
        points[g].push_back({birth, birth + height + random.uniform(0, 0.2)});
      }
      offsets[g].push_back(static_cast<std::int64_t>(points[g].size()));
    }
    items.sizes.push_back({static_cast<double>(1 + random.below(5))});
  }
  for (std::size_t g = 0; g < 2; ++g) {
    items.groups[g].filtration = "alpha";
    items.groups[g].kind = g == 0 ? diagram::Kind::h0 : diagram::Kind::h1;
    items.groups[g].diagrams = diagram::DiagramBatch(points[g], offsets[g]);
  }
  return items;
}

inline std::vector<std::size_t> rows_from(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

}  // namespace perslay::test
