#pragma once

#include <span>

#include <perslay/diagram/diagram_set.h>

namespace perslay::diagram {

/// The diagrams of all parts, part after part; with vertices if all have them.
[[nodiscard]] DiagramBatch concatenate(std::span<const DiagramBatch* const> parts);

/// The items of all parts, part after part, with representative cycles of a group if all parts have them. Classes are
/// joined by name (see base/labels.h). Throws unless all parts have the same groups in the same order, and all that
/// have items have labels or none has.
[[nodiscard]] DiagramSet concatenate(std::span<const DiagramSet* const> parts);

}  // namespace perslay::diagram
