#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <perslay/data/graph.h>
#include <perslay/diagram/diagram_set.h>

namespace perslay::features {

struct InputKind;

/// Numbers of every item under one name such as "eigenvalues", in single precision, as learners read them. Rows
/// may differ in length: a graph has as many eigenvalues as vertices.
struct FeatureBlock {
  std::string name;
  std::vector<float> values;
  std::vector<std::int64_t> offsets{0};  ///< Row i is values[offsets[i]] ... values[offsets[i + 1] - 1].

  friend bool operator==(const FeatureBlock&, const FeatureBlock&) = default;
};

/// Numbers of every item under keys, for things without a common order or length: colours of vertices, label
/// pairs. A key is a hash of what it stands for and means the same in every item and dataset, so items can be
/// compared without a dictionary. A missing key stands for zeros.
struct KeyedBlock {
  std::string name;
  std::size_t width = 1;                 ///< Numbers per key.
  std::vector<std::uint64_t> keys;       ///< Ascending within an item.
  std::vector<float> values;             ///< keys[i] has values[i * width] ... values[(i + 1) * width - 1].
  std::vector<std::int64_t> offsets{0};  ///< Item i has keys[offsets[i]] ... keys[offsets[i + 1] - 1].

  friend bool operator==(const KeyedBlock&, const KeyedBlock&) = default;
};

/// Rows of numbers for a learner.
struct FeatureRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values;  ///< Row by row.
};

/// The graphs themselves, for learners that look at them again.
struct ItemGraphs {
  std::vector<data::Graph> graphs;
};

/// How large an item is.
struct ItemSize {
  double points = 0;  ///< Vertices of a graph, points of a cloud or of all diagrams of an item.
  double edges = 0;   ///< Of a graph; nothing else has any.

  bool operator==(const ItemSize&) const = default;
};

/// How a source was read.
struct Reading {
  std::string labels_from{};  ///< Such as "labels.csv"; empty if there are no labels, or if nobody says.
  std::int64_t self_loops_dropped = 0;
  std::int64_t duplicate_edges_merged = 0;
  bool cached = false;  ///< What was computed before was taken, and the source not read.

  bool operator==(const Reading&) const = default;
};

/// What is known about the items of a dataset before anything is fitted. Each entry depends on its own item
/// alone.
struct Items {
  const InputKind* kind = nullptr;            ///< What the items are.
  std::vector<diagram::DiagramGroup> groups;  ///< Points as (min, max), all finite; no vertices, no cycles.
  std::vector<FeatureBlock> blocks;
  std::vector<KeyedBlock> keyed;
  std::vector<ItemSize> sizes;
  std::vector<int> labels;  ///< 0 ... classes-1; empty if unknown.
  std::vector<std::string> classes;
  Reading reading{};
  std::shared_ptr<const ItemGraphs> graphs{};  ///< Null unless they were asked for.

  [[nodiscard]] std::size_t count() const noexcept { return sizes.size(); }
};

/// Collects items that come piece by piece, without ever holding two copies of them.
class ItemsCollector {
 public:
  /// Reserves memory for `expected` items when the first piece comes; there may be more or fewer.
  explicit ItemsCollector(std::size_t expected) : expected_(expected) {}

  /// All pieces have the same kind, groups, blocks and classes.
  void add(const Items& piece);

  /// Takes all items so far, in their order; leaves the collector empty.
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
