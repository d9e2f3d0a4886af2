#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <perslay/diagram/diagram_set.h>
#include <perslay/report/html.h>

namespace perslay::report {

/// The most points of a diagram to show: those farthest from the diagonal.
inline constexpr std::size_t shown_points = 500;

/// The part of a page where the reader chooses an item and sees its diagrams, a chart for each filtration with
/// all kinds in it. `numbers` are the items' numbers in their dataset. Points at infinity or beyond
/// largest_shown are left out; the page says how many. Size: about 11 bytes a point, 21 with vertices; 11 more
/// if single precision does not tell the points apart.
[[nodiscard]] std::string diagram_view(const diagram::DiagramSet& set, std::span<const std::size_t> numbers);

/// A page with the diagrams of some items, evenly spaced, at most as many as asked for.
[[nodiscard]] Page diagrams_page(const diagram::DiagramSet& set, const std::string& title,
                                 std::size_t most = 200);

}  // namespace perslay::report
