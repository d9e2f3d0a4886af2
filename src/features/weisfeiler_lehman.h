#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <perslay/data/graph.h>

namespace perslay::features {

/// The colours that `levels` rounds of colour refinement (Weisfeiler and Lehman 1968) give to vertices: those
/// of level 0 first, then those of level 1, ... Level 0 tells node labels apart; without labels all vertices
/// have one colour. The next colour of a vertex is the key of its level, its colour and the multiset of its
/// neighbours' colours, so equal trees of neighbours have equal colours in all graphs, without a dictionary.
/// O(levels (n + m)).
[[nodiscard]] std::vector<std::uint64_t> refined_colours(const data::Graph& graph, std::size_t levels,
                                                         std::span<const int> labels = {});

}  // namespace perslay::features
