#pragma once

#include <cstddef>
#include <span>

#include <perslay/diagram/diagram_set.h>

namespace perslay::diagram {

/// The diagrams of some items, in the order given and as often as given, with their vertices.
[[nodiscard]] DiagramBatch part_of(const DiagramBatch& batch, std::span<const std::size_t> items);

/// The same of every group, with labels and representative cycles.
[[nodiscard]] DiagramSet part_of(const DiagramSet& set, std::span<const std::size_t> items);

}  // namespace perslay::diagram
