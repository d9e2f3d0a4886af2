#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perslay::base {

/// The labels of some items, in the order given. Each item has a label 0 ... classes-1, or none has one.
[[nodiscard]] std::vector<int> part_of(std::span<const int> labels, std::span<const std::size_t> items);

/// Labels of `item_count` items that are to be joined with others.
struct LabelledPart {
  std::size_t item_count = 0;
  std::span<const int> labels;
  std::span<const std::string> classes;
};

/// Adds to `labels` those of all items, part after part, and to `classes` the names of their classes. Classes are the
/// same if they have the same name; they come in the order in which the parts name them first. Throws if some parts
/// with items have labels and others have none.
void concatenate(std::span<const LabelledPart> parts, std::vector<int>& labels,
                 std::vector<std::string>& classes);

}  // namespace perslay::base
