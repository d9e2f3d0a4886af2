#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <perslay/features/items.h>

/// What can be said without any topology: an accuracy means little before it is compared with these.
namespace perslay::learn {

/// Every item of `test` gets the most frequent class of the training part, the first of equals.
[[nodiscard]] std::vector<int> predict_majority(const features::Items& items,
                                                std::span<const std::size_t> training,
                                                std::span<const std::size_t> test);

/// Every item of `test` gets the class of most training items of nearly its size (Items::sizes: the vertices
/// and the edges of a graph, each divided by its standard deviation over the training part): of the 15
/// nearest and of all that are as near as the last of these. Between classes with equally many votes the one
/// that is more frequent in the training part wins, then the first. There is nothing to tune, and the order
/// of items does not matter. Costs O(n log n), and for each test item the number of different sizes.
[[nodiscard]] std::vector<int> predict_by_size(const features::Items& items,
                                               std::span<const std::size_t> training,
                                               std::span<const std::size_t> test);

}  // namespace perslay::learn
