#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perslay::base {

/// The classes of items: a label 0 ... classes-1 for each, or none at all, and the names of the classes.
struct Labels {
  std::vector<int> labels;
  std::vector<std::string> classes;
};

/// The labels of some items, in the order given.
[[nodiscard]] std::vector<int> part_of(std::span<const int> labels, std::span<const std::size_t> items);

/// Labels of `item_count` items that are to be joined with others.
struct LabelledPart {
  std::size_t item_count = 0;
  std::span<const int> labels;
  std::span<const std::string> classes;
};

/// The labels of all items, part after part. Classes are the same if they have the same name; they come in the order
/// in which the parts name them first. Throws if some parts with items have labels and others have none.
[[nodiscard]] Labels concatenate(std::span<const LabelledPart> parts);

}  // namespace perslay::base
