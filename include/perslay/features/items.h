#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <perslay/diagram/diagram_set.h>

namespace perslay::features {

/// Numbers of every item under one name such as "eigenvalues"; rows may differ in length (a graph has as many
/// eigenvalues as vertices). In single precision, which is what learners read.
struct FeatureBlock {
  std::string name;
  std::vector<float> values;
  std::vector<std::int64_t> offsets{0};  ///< Row i is values[offsets[i]] ... values[offsets[i + 1] - 1].

  friend bool operator==(const FeatureBlock&, const FeatureBlock&) = default;
};

/// What is known about the items of a dataset before anything is fitted: each entry depends on its own item
/// only.
struct Items {
  std::vector<diagram::DiagramGroup> groups;  ///< Points as (min, max), all finite; no vertices, no cycles.
  std::vector<FeatureBlock> blocks;
  std::vector<double> sizes;  ///< Vertices of a graph, points of a cloud or of all diagrams of an item.
  std::vector<int> labels;    ///< 0 ... classes-1; empty if unknown.
  std::vector<std::string> classes;

  [[nodiscard]] std::size_t count() const noexcept { return sizes.size(); }
};

/// Puts items together that come piece by piece, without ever holding two copies of them.
class ItemsCollector {
 public:
  /// Room is made for so many items, from the first piece on; there may be more or fewer.
  explicit ItemsCollector(std::size_t expected) : expected_(expected) {}

  /// All pieces have the same groups, blocks and classes.
  void add(const Items& piece);

  /// All items so far, in their order; the collector is empty then.
  [[nodiscard]] Items finish();

 private:
  struct PackedGroup {
    std::vector<diagram::Point> points;
    std::vector<std::int64_t> offsets{0};
  };

  void begin(const Items& piece);

  std::size_t expected_;
  Items items_;  // its groups are empty until the end
  std::vector<PackedGroup> packed_;
};

}  // namespace perslay::features
